//! `mworld playground status`: who runs and what each does, for people and for programs.

use std::path::{Path, PathBuf};

use mworld_playground::Playground;
use mworld_playground::mongodb::{Cluster, Member};
use serde::Serialize;

use super::in_words;
use crate::failure::Outcome;
use crate::output;

/// The whole document.
#[derive(Serialize)]
struct Status {
    mongodb: MongoStatus,
    /// None of its servers are started yet.
    cassandra: Option<()>,
}

#[derive(Serialize)]
struct MongoStatus {
    uri: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    password_file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ca_file: Option<PathBuf>,
    members: Vec<Member>,
}

/// Asks every server, and tells.
pub(super) async fn run(dir: &Path, json: bool) -> Outcome {
    let playground = Playground::look(dir).map_err(in_words)?;
    let mongodb = ask(playground.mongodb()).await;
    if json {
        output::json(&Status { mongodb, cassandra: None });
    } else {
        output::result(&in_a_table(&mongodb));
    }
    Ok(())
}

async fn ask(cluster: &Cluster) -> MongoStatus {
    let security = cluster.security();
    MongoStatus {
        uri: cluster.uri(),
        password_file: security.auth.as_ref().map(|auth| auth.password_file.clone()),
        ca_file: security.tls.as_ref().map(|tls| tls.ca_file.clone()),
        members: cluster.members().await,
    }
}

fn in_a_table(status: &MongoStatus) -> String {
    let head = ["MEMBER", "ROLE", "STATE", "ADDRESS", "PROCESS"].map(str::to_owned);
    let rows = status.members.iter().map(|member| {
        let pid = member.pid.map_or_else(|| "-".to_owned(), |pid| pid.to_string());
        [member.name.clone(), word(&member.role), word(&member.state), member.address.clone(), pid]
    });
    let rows: Vec<[String; 5]> = std::iter::once(head).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 5] = std::array::from_fn(width);
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    let table: String = rows.iter().map(line).collect();
    let files = [("password", &status.password_file), ("authority", &status.ca_file)];
    let files: String = files
        .iter()
        .filter_map(|(what, file)| Some(format!("{what}: {}\n", file.as_ref()?.display())))
        .collect();
    format!("{}\n{files}\n{table}", status.uri)
}

/// The word that the JSON has for it.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        other => unreachable!("roles and states are words, not {other:?}"),
    }
}
