//! Opening a store: one owner, a schema that is known, the layout it was filled with.

use std::path::Path;
use std::sync::Arc;

use mworld_placement::{Area, Domain, Placement, RangeMap};
use mworld_shop::Settings;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Transaction};

use crate::engine::Options;
use crate::error::OpenError;
use crate::router::Router;
use crate::zones::Zones;
use crate::{schema, writer};

/// What opening finds out.
pub(crate) struct Opened {
    pub(crate) conn: Connection,
    pub(crate) router: Router,
    pub(crate) zones: Zones,
}

pub(crate) fn open(file: &Path, options: &Options) -> Result<Opened, OpenError> {
    if !(1..=1024).contains(&options.shards) {
        return Err(OpenError::BadShardCount(options.shards));
    }
    let failed = |error: rusqlite::Error| failure(file, &error);
    let mut conn = Connection::open(file).map_err(failed)?;
    let found = schema::version(&conn).map_err(failed)?;
    if found > schema::VERSION {
        return Err(OpenError::NewerSchema { file: file.to_owned(), found, known: schema::VERSION });
    }
    writer::configure(&conn).map_err(failed)?;
    let tx = conn.transaction().map_err(failed)?;
    if found < schema::VERSION {
        schema::upgrade(&tx, found).map_err(failed)?;
    }
    let identity = Identity::of(options);
    match Identity::read(&tx).map_err(failed)? {
        Some(stored) => identity.check_against(&stored, &options.dir)?,
        None => identity.write(&tx).map_err(failed)?,
    }
    let zones = Zones::load(&tx, &options.settings).map_err(|e| e.into_open_error(failed))?;
    let placement = placement(&tx, file, options)?;
    tx.commit().map_err(failed)?;
    let router = Router::new(placement, zones.all());
    Ok(Opened { conn, router, zones })
}

/// Makes a new store under another name and moves it into place complete, so that an empty file is never a new
/// store but always one that has lost its contents.
pub(crate) fn create_if_new(file: &Path, options: &Options) -> Result<(), OpenError> {
    let io = |error: std::io::Error| OpenError::Io { path: file.to_owned(), problem: error.to_string() };
    if file.try_exists().map_err(io)? {
        let empty = std::fs::metadata(file).map_err(io)?.len() == 0;
        let problem = "the file is empty".to_owned();
        return if empty { Err(OpenError::Damaged { file: file.to_owned(), problem }) } else { Ok(()) };
    }
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    if std::fs::metadata(&log).is_ok_and(|meta| meta.len() > 0) {
        let problem = "the file is missing, but its log is there".to_owned();
        return Err(OpenError::Damaged { file: file.to_owned(), problem });
    }
    let part = file.with_extension("part");
    for suffix in ["", "-wal", "-shm"] {
        let mut left_over = part.clone().into_os_string();
        left_over.push(suffix);
        let _ = std::fs::remove_file(left_over);
    }
    // Closing the only connection copies the log into the file and removes it.
    drop(open(&part, options)?);
    std::fs::rename(&part, file).map_err(io)
}

/// What a store is, beyond its data.
struct Identity {
    layout: String,
    fingerprint: String,
    shards: u32,
    currency: String,
}

impl Identity {
    fn of(options: &Options) -> Identity {
        Identity {
            layout: options.layout.name.clone(),
            fingerprint: options.layout.fingerprint(),
            shards: options.shards,
            currency: options.settings.currency.to_string(),
        }
    }

    fn read(tx: &Transaction<'_>) -> rusqlite::Result<Option<Identity>> {
        let get = |name: &str| -> rusqlite::Result<Option<String>> {
            tx.query_row("SELECT value FROM meta WHERE name = ?1", [name], |row| row.get(0)).optional()
        };
        let (Some(layout), Some(fingerprint), Some(shards), Some(currency)) =
            (get("layout")?, get("fingerprint")?, get("shards")?, get("currency")?)
        else {
            return Ok(None);
        };
        Ok(Some(Identity { layout, fingerprint, shards: shards.parse().unwrap_or(0), currency }))
    }

    fn write(&self, tx: &Transaction<'_>) -> rusqlite::Result<()> {
        let shards = self.shards.to_string();
        let pairs = [
            ("layout", &self.layout),
            ("fingerprint", &self.fingerprint),
            ("shards", &shards),
            ("currency", &self.currency),
        ];
        for (name, value) in pairs {
            tx.execute("INSERT INTO meta (name, value) VALUES (?1, ?2)", (name, value))?;
        }
        Ok(())
    }

    fn check_against(&self, stored: &Identity, dir: &Path) -> Result<(), OpenError> {
        let dir = dir.to_owned();
        if stored.fingerprint != self.fingerprint {
            let (stored, given) = (stored.layout.clone(), self.layout.clone());
            return Err(OpenError::OtherLayout { dir, stored, given });
        }
        if stored.shards != self.shards {
            return Err(OpenError::OtherShards { dir, stored: stored.shards, given: self.shards });
        }
        if stored.currency != self.currency {
            let (stored, given) = (stored.currency.clone(), self.currency.clone());
            return Err(OpenError::OtherCurrency { dir, stored, given });
        }
        Ok(())
    }
}

/// The maps that the data lies by: those in the store, or those that the layout begins with.
fn placement(tx: &Transaction<'_>, file: &Path, options: &Options) -> Result<Placement, OpenError> {
    let failed = |error: rusqlite::Error| failure(file, &error);
    let damaged = |problem: String| OpenError::Damaged { file: file.to_owned(), problem };
    let (mut placement, notes) = Placement::new(&options.layout, options.shards, &domain(&options.settings));
    let areas: Vec<Area> = placement.maps().map(|(area, _)| area).collect();
    let mut fresh = false;
    for area in areas {
        let stored: Option<String> = tx
            .query_row("SELECT map FROM maps WHERE area = ?1", [area.name()], |row| row.get(0))
            .optional()
            .map_err(failed)?;
        if let Some(text) = stored {
            let map: RangeMap = serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
            placement.replace_map(area, map).map_err(|error| damaged(error.to_string()))?;
            continue;
        }
        fresh = true;
        let text = serde_json::to_string(placement.map(area)).map_err(|error| damaged(error.to_string()))?;
        tx.execute("INSERT INTO maps (area, map) VALUES (?1, ?2)", (area.name(), text)).map_err(failed)?;
    }
    if fresh {
        for note in notes {
            tracing::warn!("{note}");
        }
    }
    Ok(placement)
}

/// Statements are prepared once and kept. SQLite would prepare some of them again for every new value, hoping for
/// a better plan; ours name their index, so that is only lost time (measured: a fifth of a search).
pub(crate) fn steady_plans(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(256);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map(drop)
}

/// The values that ranges are cut by.
pub(crate) fn domain(settings: &Arc<Settings>) -> Domain {
    Domain {
        zones: settings.zones.iter().map(|zone| zone.id.to_string()).collect(),
        categories: settings.categories.iter().map(|category| category.id.to_string()).collect(),
    }
}

/// An SQLite error while opening, in words.
pub(crate) fn failure(file: &Path, error: &rusqlite::Error) -> OpenError {
    let file = file.to_owned();
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => {
            OpenError::Damaged { file, problem: error.to_string() }
        }
        None => OpenError::Damaged { file, problem: error.to_string() },
        Some(_) => OpenError::Io { path: file, problem: error.to_string() },
    }
}
