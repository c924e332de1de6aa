//! The data directory and the store in it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rustix::fs::statvfs;

use super::finding::Finding;
use crate::config::Config;
use crate::units::show_size;

/// Below this a store stops selling soon.
const LITTLE: u64 = 256 << 20;

/// Below this it should be watched.
const ENOUGH: u64 = 2 << 30;

/// Everything about the directory and the store.
pub(super) fn all(config: &Config) -> Vec<Finding> {
    let dir = &config.data;
    let mut findings = vec![directory(dir)];
    findings.extend(space(dir));
    if let Some(process) = mworld_embedded::holder(dir) {
        findings.push(Finding::good(format!("{} is open in process {process}", dir.display())));
    }
    let file = dir.join(mworld_embedded::FILE_NAME);
    if file.exists() {
        findings.extend(inside(config));
        findings.extend(future(&file));
    }
    findings
}

/// Whether files can be made there. A directory that does not exist yet is made by the first start.
fn directory(dir: &Path) -> Finding {
    let shown = dir.display();
    if !dir.exists() {
        let above = existing(dir);
        return match tried(&above) {
            Ok(()) => Finding::good(format!("{shown} does not exist yet; the first start makes it")),
            Err(error) => Finding::wrong(
                format!("{shown} cannot be made: {} is not writable ({error})", above.display()),
                "choose another directory with --data, or change the rights of that one",
            ),
        };
    }
    match tried(dir) {
        Ok(()) => Finding::good(format!("{shown} is writable")),
        Err(error) => Finding::wrong(
            format!("{shown} is not a directory that can be written: {error}"),
            "choose another directory with --data, or change its owner and rights",
        ),
    }
}

/// Rights on paper say little (read-only mounts, quotas), so a file is really made and taken away again.
fn tried(dir: &Path) -> std::io::Result<()> {
    let probe = dir.join(format!(".mworld-doctor-{}", std::process::id()));
    std::fs::write(&probe, b"probe")?;
    std::fs::remove_file(&probe)
}

fn existing(dir: &Path) -> PathBuf {
    let absolute = std::path::absolute(dir).unwrap_or_else(|_| dir.to_path_buf());
    absolute.ancestors().find(|above| above.exists()).map_or_else(|| PathBuf::from("/"), Path::to_path_buf)
}

fn space(dir: &Path) -> Option<Finding> {
    let stat = statvfs(existing(dir)).ok()?;
    let free = stat.f_bavail.saturating_mul(stat.f_frsize);
    // Nobody reads bytes: whole gibibytes, or mebibytes where there are none.
    let unit = if free >> 30 > 0 { 30 } else { 20 };
    let shown = format!("{} are free for {}", show_size(free >> unit << unit), dir.display());
    Some(match free {
        0..LITTLE => Finding::wrong(shown, format!("make room: at least {}", show_size(LITTLE))),
        LITTLE..ENOUGH => {
            Finding::doubtful(shown, format!("a store that sells wants {} or more", show_size(ENOUGH)))
        }
        _ => Finding::good(shown),
    })
}

/// What the file itself says: its version, what it was filled with, whether it is whole.
fn inside(config: &Config) -> Vec<Finding> {
    let dir = config.data.display();
    let restore = "restore a backup into a new directory with `mworld restore FILE --data DIR`";
    let health = match mworld_embedded::inspect(&config.data, true) {
        Ok(health) => health,
        Err(problem) => {
            return vec![Finding::wrong(format!("the store in {dir} cannot be read: {problem}"), restore)];
        }
    };
    let mut findings = Vec::new();
    findings.push(if health.schema > health.known_schema {
        let what = format!(
            "the store has schema {}, this mworld knows up to {}",
            health.schema, health.known_schema
        );
        Finding::wrong(what, "use the newer mworld that wrote it")
    } else {
        Finding::good(format!("the store has schema {}", health.schema))
    });
    findings.push(match health.complaints.first() {
        None => Finding::good("the store's file is whole"),
        Some(first) => Finding::wrong(format!("the store's file is damaged: {first}"), restore),
    });
    if let Some(layout) = health.layout.filter(|layout| *layout != config.layout) {
        findings.push(Finding::doubtful(
            format!("the store was filled with layout {layout}, the configuration says {}", config.layout),
            format!("start it with --layout {layout}"),
        ));
    }
    if let Some(shards) = health.shards.filter(|shards| *shards != config.shards) {
        findings.push(Finding::wrong(
            format!("the store has {shards} shards, the configuration says {}", config.shards),
            format!("start it with --shards {shards}"),
        ));
    }
    findings
}

/// A file written in the future means that the clock was or is wrong.
fn future(file: &Path) -> Option<Finding> {
    let written = std::fs::metadata(file).and_then(|metadata| metadata.modified()).ok()?;
    let ahead =
        written.duration_since(SystemTime::now()).ok().filter(|ahead| *ahead > Duration::from_secs(60))?;
    Some(Finding::wrong(
        format!("{} was written {} s in the future", file.display(), ahead.as_secs()),
        "set the machine's clock; NTP keeps it right",
    ))
}
