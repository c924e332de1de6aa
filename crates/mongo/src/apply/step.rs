//! The steps of a plan, and the plan as people and programs read it.

use std::fmt;

use serde::Serialize;

/// What kind of work a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A collection is made, cut and dealt out to the shards.
    Shard,
    /// The cluster's own balancer and merger are told to leave a collection alone.
    Balancing,
    /// Indexes are built.
    Index,
    /// The shard key gets further fields at its end.
    Refine,
    /// The collection is copied under another shard key.
    Reshard,
    /// Shards are named members of zones.
    ZoneShards,
    /// Ranges of a collection are bound to zones.
    Zones,
    /// Ranges are cut and moved.
    Ranges,
    /// What the work needed for a while is taken away.
    Tidy,
    /// The database is marked with the layout.
    Sign,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// What kind of work it is.
    pub kind: Kind,
    /// Whose; `None` for what concerns the whole database.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collection: Option<&'static str>,
    /// What is done.
    pub what: String,
    /// What it costs and blocks meanwhile.
    pub cost: String,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.collection {
            Some(collection) => write!(f, "{collection}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

/// What has to be done so that a database is as a layout wants it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    /// The layout.
    pub layout: String,
    /// The layout that is in force now, if any.
    pub in_force: Option<String>,
    /// The cluster, without a password.
    pub address: String,
    /// The database.
    pub database: String,
    /// What is to be done, in this order.
    pub steps: Vec<Step>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

impl Plan {
    /// Whether the database is as the layout wants it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { layout, address, database, .. } = self;
        if self.is_empty() {
            writeln!(f, "nothing to do: the database {database} at {address} is as {layout} wants it")?;
        } else {
            write!(f, "layout {layout} for the database {database} at {address}")?;
            match &self.in_force {
                Some(old) => writeln!(f, ", which is laid out by {old} now")?,
                None => writeln!(f, ", which has no layout yet")?,
            }
            let width = self.steps.len().to_string().len();
            for (number, step) in (1..).zip(&self.steps) {
                writeln!(f, "{number:>width$}. {step}\n{:width$}  {}", "", step.cost)?;
            }
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}
