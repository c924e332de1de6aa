//! Defaults, file, environment, flags: put one over the other, and every fault of all of them told at once.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mworld_placement::layout::Source;

use super::Config;
use super::environment::{self, Meaning};
use super::fault::{Fault, Place, draw};
use super::file;
use super::given::Given;
use super::keys::{Key, find};
use crate::failure::{Failure, Outcome, wrong_input};
use crate::output;

/// The file that is read if it is there and nobody names another.
const DEFAULT_FILE: &str = "./mworld.toml";

/// What the command line says of the configuration.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct Flags {
    /// Where the API listens, host:port [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,
    /// The directory of the embedded engine [default: ./mworld-data]
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// A shipped layout or a layout file [default: category-spread]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) layout: Option<String>,
    /// How many shards a new store has [default: 4]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) shards: Option<String>,
    /// The router of a MongoDB cluster, mongodb://host:port/database; without one the store is embedded
    #[arg(long, value_name = "URI")]
    pub(crate) mongodb: Option<String>,
    /// The configuration file [default: ./mworld.toml if it is there]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// A configuration and where it came from.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) config: Config,
    /// The file that was read.
    pub(crate) file: Option<PathBuf>,
    /// What should be said although it is no fault.
    pub(crate) notices: Vec<String>,
}

/// Reads the file and puts all layers together.
pub(crate) fn load(flags: &Flags, variables: impl Iterator<Item = (OsString, OsString)>) -> Outcome<Loaded> {
    let (file, source) = match &flags.config {
        Some(path) => (Some(path.clone()), Some(read_file(path)?)),
        None if Path::new(DEFAULT_FILE).exists() => {
            (Some(PathBuf::from(DEFAULT_FILE)), Some(read_file(Path::new(DEFAULT_FILE))?))
        }
        None => (None, None),
    };
    match layered(source.as_ref(), variables, flags) {
        Ok((config, notices)) => Ok(Loaded { config, file, notices }),
        Err(faults) => Err(Failure::Drawn(draw(&faults, output::colour_of_notices()))),
    }
}

/// The decision, without a file system: later layers win, faults of all layers are collected.
pub(super) fn layered(
    source: Option<&Arc<Source>>,
    variables: impl Iterator<Item = (OsString, OsString)>,
    flags: &Flags,
) -> Result<(Config, Vec<String>), Vec<Fault>> {
    let mut layers = Layers::default();
    if let Some(source) = source {
        let (settings, faults) = file::read(source);
        layers.faults.extend(faults);
        for setting in settings {
            layers.set(setting.key, &setting.given, || setting.place.clone());
        }
    }
    let mut ours: Vec<_> = variables.filter_map(utf8).collect();
    ours.sort();
    for (name, value) in ours {
        match environment::read(&name, &value) {
            Ok(Meaning::Setting(key, given)) => layers.set(key, &given, || Place::Outside(name.clone())),
            Ok(Meaning::Unknown) => {
                layers.notices.push(format!("{name} means nothing to this version; it is passed over"));
            }
            Ok(Meaning::Nothing) => {}
            Err(fault) => layers.faults.push(fault),
        }
    }
    let texts = [
        ("listen", &flags.listen),
        ("layout", &flags.layout),
        ("shards", &flags.shards),
        ("mongodb", &flags.mongodb),
    ];
    for (path, text) in texts {
        let Some(text) = text else { continue };
        let key = find(path).expect("every flag is a setting");
        layers.set(key, &Given::from_text(text), || Place::Outside(format!("--{path}")));
    }
    if let Some(data) = &flags.data {
        // A path need not be UTF-8, so it does not go through the table.
        layers.config.data.clone_from(data);
    }
    if layers.faults.is_empty() { Ok((layers.config, layers.notices)) } else { Err(layers.faults) }
}

#[derive(Default)]
struct Layers {
    config: Config,
    faults: Vec<Fault>,
    notices: Vec<String>,
}

impl Layers {
    fn set(&mut self, key: &Key, given: &Given, place: impl Fn() -> Place) {
        if let Err(instead) = (key.set)(&mut self.config, given) {
            self.faults.push(Fault::wrong(place(), key.path, &shown(given), instead));
        }
    }
}

/// A value as a message may show it: an address may hold a password before its `@`.
fn shown(given: &Given) -> String {
    match given {
        Given::Text(text) if text.contains('@') => "a text with a user or a password in it".to_owned(),
        other => other.to_string(),
    }
}

fn read_file(path: &Path) -> Outcome<Arc<Source>> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        wrong_input(format!(
            "the configuration file {} cannot be read: {error}; name a readable TOML file with --config",
            path.display()
        ))
    })?;
    Ok(Arc::new(Source::new(path.display().to_string(), text)))
}

/// A variable of ours must be text; what is not UTF-8 and not ours is nobody's business.
fn utf8((name, value): (OsString, OsString)) -> Option<(String, String)> {
    let name = name.into_string().ok()?;
    Some((name, value.to_string_lossy().into_owned()))
}
