//! The layouts that come with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use mworld_placement::Entity;
use mworld_placement::diagnostic::{Colour, render};
use mworld_placement::layout::model::Form;
use mworld_placement::layout::{DEFAULT_LAYOUT, Source, load, load_shipped, shipped_names, shipped_source};

#[test]
fn every_file_in_the_directory_is_shipped_under_its_name() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../layouts");
    let files = std::fs::read_dir(directory).unwrap().map(|file| file.unwrap().file_name());
    let files: BTreeSet<String> =
        files.map(|file| file.to_str().unwrap().strip_suffix(".toml").unwrap().to_owned()).collect();
    let shipped: BTreeSet<String> = shipped_names().into_iter().map(str::to_owned).collect();
    assert_eq!(files, shipped);
    assert_eq!(shipped.iter().filter(|name| !name.contains('+')).count(), 5);
    assert_eq!(shipped.iter().filter(|name| name.contains('+')).count(), 12);
}

#[test]
fn every_shipped_layout_is_sound_and_says_what_it_is_good_and_bad_at() {
    for name in shipped_names() {
        let source = shipped_source(name).unwrap();
        let loaded = load(&source, &|_| None)
            .unwrap_or_else(|found| panic!("{name}:\n{}", render(&found, Colour::Plain)));
        assert_eq!(loaded.layout.name, name);
        assert!(!loaded.layout.about.is_empty(), "{name} says nothing about itself");
        let comment = source.text.lines().take_while(|line| line.starts_with('#')).count();
        assert!((3..=8).contains(&comment), "{name} begins with {comment} lines of comment");
        if let Some((base, _)) = name.split_once('+') {
            assert!(source.text.contains(&format!("extends = \"{base}\"")), "{name} does not extend {base}");
        }
    }
}

#[test]
fn a_layout_written_out_reads_back_as_itself() {
    for name in shipped_names() {
        let layout = load_shipped(name).unwrap().layout;
        let written = layout.to_toml();
        let again = load(&Source::new("written.toml", written.as_str()), &|_| None)
            .unwrap_or_else(|found| panic!("{written}\n{}", render(&found, Colour::Plain)));
        assert_eq!(again.layout, layout);
        assert_eq!(again.layout.fingerprint(), layout.fingerprint());
    }
}

#[test]
fn fingerprints_tell_all_layouts_apart_and_ignore_what_moves_nothing() {
    let mut seen = BTreeMap::new();
    for name in shipped_names() {
        let layout = load_shipped(name).unwrap().layout;
        let other = seen.insert(layout.fingerprint(), name);
        assert_eq!(other, None, "{name} has the fingerprint of another layout");

        let mut renamed = layout.clone();
        renamed.name = "another".to_owned();
        renamed.policy.clear();
        assert_eq!(renamed.fingerprint(), layout.fingerprint());
    }
    // Stored in clusters, so it must not change without a reason. If this fails, clusters in use have to be
    // applied anew.
    let default = load_shipped(DEFAULT_LAYOUT).unwrap().layout;
    insta::assert_snapshot!(default.fingerprint(), @"048ed3ebda673b5b");
}

#[test]
fn the_default_layout_states_every_entity_and_fills_in_those_that_others_leave_out() {
    let default = load_shipped(DEFAULT_LAYOUT).unwrap().layout;
    let text = shipped_source(DEFAULT_LAYOUT).unwrap().text;
    for entity in Entity::ALL.into_iter().filter(|entity| *entity != Entity::Stock) {
        assert!(text.contains(&format!("\n[{entity}]\n")), "no [{entity}]");
    }
    let nothing = load(&Source::new("dir/mine.toml", ""), &|_| None).unwrap();
    assert_eq!(nothing.layout.name, "mine");
    assert_eq!(nothing.layout.entities, default.entities);
    assert_eq!(nothing.warnings, [], "the default layout's weaknesses are not this file's");

    let own = "[sessions.mongodb]\nshard_key = [\"session_id:hashed\"]\nttl = \"30d\"\n";
    let own = load(&Source::new("own.toml", own), &|_| None).unwrap().layout;
    assert_ne!(own.entities[&Entity::Sessions], default.entities[&Entity::Sessions]);
    assert_eq!(own.entities[&Entity::Carts], default.entities[&Entity::Carts]);
    assert_eq!(own.form, Form::Whole);
}

#[test]
fn the_shipped_layouts_warn_of_what_their_designs_are_bad_at() {
    let codes = |name: &str| {
        let loaded = load_shipped(name).unwrap();
        loaded.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>().join(" ")
    };
    let table: Vec<String> =
        shipped_names().iter().map(|name| format!("{name}: {}", codes(name)).trim_end().to_owned()).collect();
    insta::assert_snapshot!(table.join("\n"), @r"
    category-spread: mutable-key-field
    category-spread+stock-apart: mutable-key-field
    category: low-cardinality mutable-key-field
    category+products-by-id-hash:
    category-range: mutable-key-field monotonic-key unbounded-partition read-repair-void
    category-range+orders-by-user-range: monotonic-key mutable-key-field monotonic-key unbounded-partition read-repair-void
    category-range+products-by-category-hash: low-cardinality mutable-key-field unbounded-partition read-repair-void
    category-range+products-by-id-hash: unbounded-partition read-repair-void
    category-range+carts-by-user: guests-on-one-shard mutable-key-field monotonic-key unbounded-partition read-repair-void
    geo-zoned: mutable-key-field cart-outlives-session read-repair-void
    geo-zoned+orders-by-zone: monotonic-key mutable-key-field cart-outlives-session read-repair-void
    geo-zoned+msk-electronics: mutable-key-field cart-outlives-session read-repair-void
    geo-zoned+subcategory: mutable-key-field mutable-key-field cart-outlives-session read-repair-void
    price-bands: mutable-key-field mutable-key-field
    price-bands+narrow-bands: mutable-key-field mutable-key-field
    price-bands+id-beside-category: mutable-key-field monotonic-key
    price-bands+by-geo-zone: mutable-key-field
    ");
}
