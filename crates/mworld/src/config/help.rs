//! The configuration as `mworld serve --help` shows it.

use std::fmt::Write as _;

use super::Config;
use super::keys::KEYS;

/// Every key with its default, as a file that could be used as it stands.
pub(crate) fn help() -> String {
    let defaults = Config::default();
    let mut text = "Configuration file (./mworld.toml, or --config FILE), with the default of each key.\n\
                    A variable MWORLD_<SECTION>_<KEY> (MWORLD_LISTEN, MWORLD_SHOP_CURRENCY) overrides the file,\n\
                    a flag overrides both. Durations read 90s, 30m, 7d; sizes 64KiB, 1MiB.\n"
        .to_owned();
    let mut section = "";
    for key in &KEYS {
        let (here, name) = key.path.split_once('.').unwrap_or(("", key.path));
        let heading = if here == section { String::new() } else { format!("\n[{here}]\n") };
        section = here;
        let blank = if section.is_empty() && name == "listen" { "\n" } else { "" };
        let value = (key.show)(&defaults);
        let line = if value == "none" { format!("# {name} = FILE") } else { format!("{name} = {value}") };
        let _ = write!(text, "{heading}{blank}  # {}\n  {line}\n", key.about);
    }
    text
}
