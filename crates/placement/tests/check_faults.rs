//! Every fault that a layout file can show, one file each: `tests/faults/*.toml`.
//!
//! A file says in its comments what is expected of it: `# expect: error two-hashed-fields 4:32`. Exactly that
//! must be found in it, at that line and column.

use std::fs;
use std::path::{Path, PathBuf};

use mworld_placement::Domain;
use mworld_placement::diagnostic::{Colour, Diagnostic, Severity, render};
use mworld_placement::layout::{Source, load, load_for, shipped_source};

fn fault_files() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults");
    let files = fs::read_dir(directory).expect("the directory of faults lies beside this file");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("it can be listed").path()).collect();
    files.sort();
    files
}

fn source_of(path: &Path) -> Source {
    let name = path.file_name().and_then(|name| name.to_str()).expect("fault files have plain names");
    Source::new(name, fs::read_to_string(path).expect("fault files can be read"))
}

/// All that is found in a fault file, in its own text and in what it extends.
fn found_in(source: &Source) -> Vec<Diagnostic> {
    let sibling = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults").join(name);
        path.exists().then(|| source_of(&path))
    };
    match load(source, &sibling) {
        Ok(loaded) => loaded.warnings,
        Err(found) => found,
    }
}

#[test]
fn each_fault_is_found_where_it_stands() {
    let files = fault_files();
    assert!(files.len() >= 30, "only {} fault files", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let source = source_of(&path);
        let mut expected: Vec<&str> =
            source.text.lines().filter_map(|line| line.strip_prefix("# expect: ")).collect();
        assert!(!expected.is_empty(), "{path:?} expects nothing");
        let all = found_in(&source);
        let mut found: Vec<String> = all
            .iter()
            .filter(|diagnostic| diagnostic.file() == source.file)
            .map(|diagnostic| {
                let severity = match diagnostic.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                };
                let (line, column) = diagnostic.line_column();
                format!("{severity} {} {line}:{column}", diagnostic.code)
            })
            .collect();
        expected.sort_unstable();
        found.sort_unstable();
        if found != expected {
            let shown = render(&all, Colour::Plain);
            wrong.push(format!("{}\nexpected {expected:#?}\nfound {found:#?}\n{shown}", source.file));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_fault_says_what_why_and_what_works() {
    for path in fault_files() {
        for diagnostic in found_in(&source_of(&path)) {
            let Diagnostic { title, label, help, code, .. } = &diagnostic;
            for text in [title, label, help] {
                assert!(!text.is_empty() && !text.ends_with('.'), "{code}: {text:?}");
            }
        }
    }
}

#[test]
fn a_run_shows_all_faults_of_a_file() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/five-faults.toml");
    insta::assert_snapshot!(render(&found_in(&source_of(&path)), Colour::Plain));
}

#[test]
fn regions_are_those_of_the_store() {
    let regions = |zones: &[&str]| {
        let domain =
            Domain { zones: zones.iter().map(|&zone| zone.to_owned()).collect(), ..Domain::default() };
        let source = shipped_source("geo-zoned").unwrap();
        let warnings = load_for(&source, &|_| None, &domain).unwrap().warnings;
        warnings
            .iter()
            .filter(|warning| warning.code.contains("region"))
            .map(|w| w.title.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(regions(&["msk", "spb", "ekb", "kln"]), Vec::<String>::new());
    assert_eq!(regions(&["msk", "spb", "ekb", "kln", "nsk"]), ["the region `nsk` has no zone"]);
    assert_eq!(regions(&["msk", "spb", "ekb"]), ["the zone `kln` holds none of the store's regions"]);
}

#[test]
fn colours_are_only_shown_when_asked_for() {
    let source = Source::new("x.toml", "nothing = 1\n");
    let found = found_in(&source);
    assert!(!render(&found, Colour::Plain).contains('\u{1b}'));
    assert!(render(&found, Colour::Styled).contains('\u{1b}'));
    assert!(render(&found, Colour::Plain).ends_with("\n1 error\n"));
    assert_eq!(render(&[], Colour::Plain), "");
}
