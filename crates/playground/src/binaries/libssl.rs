//! libssl 1.1, which the packaged MongoDB needs and newer distributions no longer carry.
//!
//! The release before still does. So apt is asked for that release, with lists and cache of our own: nothing on the
//! machine changes, and nobody need be root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::step;
use crate::Say;
use crate::error::{Result, failed, on_path};

const LIBRARIES: [&str; 2] = ["libssl.so.1.1", "libcrypto.so.1.1"];

/// Whether this is what a program lacks that does not run.
pub(super) fn is_missing(why: &str) -> bool {
    LIBRARIES.iter().any(|library| why.contains(library))
}

/// Fetches the libraries into a folder; `work` is for what is needed on the way.
pub(super) fn fetch(into: &Path, work: &Path, say: Say<'_>) -> Result<()> {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let older = older_release(&release).ok_or_else(|| {
        failed("MongoDB needs libssl 1.1, and it is not known here which release of this system carries it; install libssl 1.1")
    })?;
    let mut why = failed("apt has no list of sources for this system");
    for source in sources(&older.now) {
        match fetch_from(&source, &older, into, work, say) {
            Ok(()) => return Ok(()),
            Err(error) => why = error,
        }
    }
    Err(failed(format!("MongoDB needs libssl 1.1, and it could not be had from {}: {why}", older.before)))
}

fn fetch_from(source: &Path, older: &Older, into: &Path, work: &Path, say: Say<'_>) -> Result<()> {
    let text = fs::read_to_string(source).map_err(|error| on_path("reading", source, error))?;
    // apt tells the two ways of writing sources apart by the ending.
    let copy = work.join("older").with_extension(source.extension().unwrap_or_default());
    fs::write(&copy, text.replace(&older.now, &older.before))
        .map_err(|error| on_path("writing", &copy, error))?;
    let apt = |arguments: &[&str]| {
        let mut apt = Command::new("apt-get");
        apt.arg(format!("-oDir::Etc::sourcelist={}", copy.display()));
        apt.arg("-oDir::Etc::sourceparts=-");
        apt.arg(format!("-oDir::State::lists={}", work.join("lists").display()));
        apt.arg(format!("-oDir::Cache={}", work.join("apt").display()));
        // As root it would drop its rights and then not be allowed into our folder.
        apt.args(["-oAPT::Sandbox::User=root", "-qq"]).args(arguments).current_dir(work);
        apt
    };
    for folder in ["lists/partial", "apt/archives/partial"].map(|folder| work.join(folder)) {
        fs::create_dir_all(&folder).map_err(|error| on_path("creating", &folder, error))?;
    }
    // One source of several may be gone; the download tells whether the right one is there.
    let listed = step::run("asking apt for the older release's packages", &mut apt(&["update"]), say);
    step::run("downloading libssl 1.1 with apt", &mut apt(&["download", "libssl1.1"]), say)
        .map_err(|error| listed.err().unwrap_or(error))?;
    unpack(into, work, say)
}

fn unpack(into: &Path, work: &Path, say: Say<'_>) -> Result<()> {
    let package = find(work, &|name| name.starts_with("libssl1.1_") && name.ends_with(".deb"));
    let package =
        package.ok_or_else(|| failed("apt said that it downloaded libssl1.1, but there is no such file"))?;
    let unpacked = work.join("libssl");
    step::run("unpacking libssl 1.1", Command::new("dpkg-deb").arg("-x").arg(&package).arg(&unpacked), say)?;
    fs::create_dir_all(into).map_err(|error| on_path("creating", into, error))?;
    for library in LIBRARIES {
        let file = find(&unpacked, &|name| name == library)
            .ok_or_else(|| failed(format!("{} holds no {library}", package.display())))?;
        fs::rename(&file, into.join(library)).map_err(|error| on_path("moving", &file, error))?;
    }
    Ok(())
}

/// A file below a folder, whose architecture's name is nobody's business here.
fn find(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).find_map(|path| {
        if path.is_dir() {
            return find(&path, wanted);
        }
        path.file_name().and_then(|name| name.to_str()).is_some_and(wanted).then_some(path)
    })
}

/// apt's sources that speak of this release.
fn sources(release: &str) -> Vec<PathBuf> {
    let parts =
        fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    let all = std::iter::once(PathBuf::from("/etc/apt/sources.list")).chain(parts);
    let apts = all.filter(|path| path.extension().is_some_and(|end| end == "list" || end == "sources"));
    apts.filter(|path| fs::read_to_string(path).is_ok_and(|text| text.contains(release))).collect()
}

/// The code names of this release and of the last one with libssl 1.1.
#[derive(Debug, PartialEq, Eq)]
struct Older {
    now: String,
    before: String,
}

fn older_release(os_release: &str) -> Option<Older> {
    let field = |name: &str| {
        let line = os_release.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?;
        Some(line.trim_matches('"').to_owned())
    };
    let before = match field("ID")?.as_str() {
        "debian" => "bullseye",
        "ubuntu" => "focal",
        _ => return None,
    };
    Some(Older { now: field("VERSION_CODENAME")?, before: before.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_older_release_is_known_for_debian_and_ubuntu() {
        let debian = "PRETTY_NAME=\"Debian\"\nVERSION_CODENAME=bookworm\nID=debian\n";
        let older = Older { now: "bookworm".to_owned(), before: "bullseye".to_owned() };
        assert_eq!(older_release(debian), Some(older));
        assert_eq!(older_release("ID=ubuntu\nVERSION_CODENAME=noble").unwrap().before, "focal");
        assert_eq!(older_release("ID=fedora\nVERSION_CODENAME=\"\""), None);
        assert_eq!(older_release(""), None);
    }

    #[test]
    fn only_the_missing_library_is_taken_for_it() {
        assert!(is_missing(
            "error while loading shared libraries: libssl.so.1.1: cannot open shared object file"
        ));
        assert!(!is_missing(
            "error while loading shared libraries: libcurl.so.4: cannot open shared object file"
        ));
    }
}
