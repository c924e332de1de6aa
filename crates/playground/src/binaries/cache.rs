//! Where installed engines are kept.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::error::{Result, failed};

/// `MWORLD_ENGINES`, or a folder in the user's cache.
pub(super) fn folder() -> Result<PathBuf> {
    let chosen = choose(|name| std::env::var_os(name).filter(|value| !value.is_empty()));
    let chosen = chosen.ok_or_else(|| {
        failed("there is no place to install MongoDB: set HOME, or MWORLD_ENGINES to a folder for it")
    })?;
    std::path::absolute(&chosen)
        .map_err(|error| failed(format!("{} is no folder: {error}", chosen.display())))
}

fn choose(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(named) = variable("MWORLD_ENGINES") {
        return Some(named.into());
    }
    let cache = variable("XDG_CACHE_HOME").map(PathBuf::from);
    let cache = cache.or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")))?;
    Some(cache.join("mworld").join("engines"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_wish_wins() {
        let with = |set: &[(&str, &str)]| {
            let set: Vec<(String, OsString)> =
                set.iter().map(|(name, value)| ((*name).to_owned(), OsString::from(value))).collect();
            choose(move |wanted| set.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone()))
        };
        assert_eq!(with(&[("HOME", "/h")]), Some("/h/.cache/mworld/engines".into()));
        assert_eq!(with(&[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")]), Some("/c/mworld/engines".into()));
        assert_eq!(with(&[("XDG_CACHE_HOME", "/c"), ("MWORLD_ENGINES", "/e")]), Some("/e".into()));
        assert_eq!(with(&[]), None);
    }
}
