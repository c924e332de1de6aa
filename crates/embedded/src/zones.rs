//! Zones as bits: which zones a product is in stock in is one number, so that an index can hold it.

use std::collections::HashMap;

use mworld_shop::{Settings, Zone};
use rusqlite::Connection;

use crate::error::OpenError;

/// One bit each in a signed 64-bit number.
pub(crate) const MAX_ZONES: usize = 62;

/// Every zone that the store has ever had, each with its bit; and those of today, in the store's order.
#[derive(Debug)]
pub(crate) struct Zones {
    bits: HashMap<Zone, i64>,
    configured: Vec<Zone>,
}

impl Zones {
    /// Reads the bits that are given, and gives new ones to zones that are new.
    pub(crate) fn load(conn: &Connection, settings: &Settings) -> Result<Zones, OpenZones> {
        let mut known: Vec<(i64, String)> = conn
            .prepare("SELECT bit, name FROM zones ORDER BY bit")?
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<_>>()?;
        for zone in &settings.zones {
            if known.iter().all(|(_, name)| name != zone.id.as_str()) {
                let bit = i64::try_from(known.len()).unwrap_or(i64::MAX);
                conn.execute("INSERT INTO zones (bit, name) VALUES (?1, ?2)", (bit, zone.id.as_str()))?;
                known.push((bit, zone.id.as_str().to_owned()));
            }
        }
        if known.len() > MAX_ZONES {
            return Err(OpenZones::TooMany(known.len()));
        }
        let named = known.into_iter().filter_map(|(bit, name)| Some((Zone::new(&name).ok()?, bit)));
        let configured = settings.zones.iter().map(|zone| zone.id.clone()).collect();
        Ok(Zones { bits: named.collect(), configured })
    }

    /// The zone's bit as a mask; 0 for a zone that the store never had.
    pub(crate) fn mask(&self, zone: &Zone) -> i64 {
        self.bits.get(zone).map_or(0, |bit| 1 << bit)
    }

    /// Every zone that the store has ever had.
    pub(crate) fn all(&self) -> Vec<Zone> {
        let mut zones: Vec<(&i64, &Zone)> = self.bits.iter().map(|(zone, bit)| (bit, zone)).collect();
        zones.sort();
        zones.into_iter().map(|(_, zone)| zone.clone()).collect()
    }

    /// The zones of today.
    pub(crate) fn configured(&self) -> &[Zone] {
        &self.configured
    }
}

/// Why the zones could not be read.
pub(crate) enum OpenZones {
    TooMany(usize),
    Sql(rusqlite::Error),
}

impl From<rusqlite::Error> for OpenZones {
    fn from(error: rusqlite::Error) -> OpenZones {
        OpenZones::Sql(error)
    }
}

impl OpenZones {
    pub(crate) fn into_open_error(self, damaged: impl FnOnce(rusqlite::Error) -> OpenError) -> OpenError {
        match self {
            OpenZones::TooMany(count) => OpenError::TooManyZones(count),
            OpenZones::Sql(error) => damaged(error),
        }
    }
}
