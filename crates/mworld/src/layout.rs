//! `mworld layout …`: placement told without a database, and a cluster brought to it.

#[cfg(feature = "mongo")]
pub(crate) mod apply;
mod find;

use std::fmt::Write as _;

use mworld_placement::diagnostic::{Diagnostic, Severity, render, summary};
use mworld_placement::{explain, layout::shipped_names};
use serde_json::json;

#[cfg(feature = "mongo")]
pub(crate) use self::find::Found;
pub(crate) use self::find::{domain, find};
use crate::cli::LayoutCommand;
use crate::config::{self, Config, Flags};
use crate::failure::{Failure, Outcome};
use crate::output;

/// Runs one of them. The store's own zones and categories are taken from the configuration, because what a layout
/// makes of the shop depends on them.
pub(crate) fn run(command: LayoutCommand) -> Outcome {
    match command {
        LayoutCommand::List { json } => list(&configured(None)?, json),
        LayoutCommand::Show { layout, resolved, json } => show(&configured(None)?, &layout, resolved, json),
        LayoutCommand::Check { file, json } => check(&configured(None)?, &file, json),
        LayoutCommand::Explain { layout, shards, json } => explained(&configured(shards)?, &layout, json),
        #[cfg(feature = "mongo")]
        LayoutCommand::Apply(command) => crate::wait_for(apply::run(&command)),
    }
}

fn configured(shards: Option<String>) -> Outcome<Config> {
    let flags = Flags { shards, ..Flags::default() };
    Ok(config::load(&flags, std::env::vars_os())?.config)
}

fn list(config: &Config, json: bool) -> Outcome {
    let mut rows = Vec::new();
    for name in shipped_names() {
        let loaded = find(name, &domain(&config.shop))?.loaded()?;
        rows.push((name, loaded.layout.about));
    }
    if json {
        let layouts: Vec<_> =
            rows.iter().map(|(name, about)| json!({"name": name, "about": about})).collect();
        output::json(&json!({ "layouts": layouts }));
        return Ok(());
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, about) in rows {
        let mark = if name == config.layout { "*" } else { " " };
        let _ = writeln!(text, "{mark} {name:width$}  {about}");
    }
    let _ = writeln!(text, "\n* is what `mworld serve` takes if nothing else is said");
    output::result(&text);
    Ok(())
}

fn show(config: &Config, layout: &str, resolved: bool, json: bool) -> Outcome {
    let found = find(layout, &domain(&config.shop))?;
    if !resolved && !json {
        output::result(&found.source.text);
        return Ok(());
    }
    let text = found.source.text.clone();
    let layout = found.loaded()?.layout;
    if json {
        output::json(&json!({
            "name": layout.name,
            "about": layout.about,
            "fingerprint": layout.fingerprint(),
            "toml": if resolved { layout.to_toml() } else { text },
        }));
    } else {
        output::result(&layout.to_toml());
    }
    Ok(())
}

fn check(config: &Config, file: &str, json: bool) -> Outcome {
    let found = find(file, &domain(&config.shop))?;
    let (diagnostics, name) = match found.checked {
        Ok(loaded) => (loaded.warnings, Some(loaded.layout.name)),
        Err(diagnostics) => (diagnostics, None),
    };
    let refused = name.is_none();
    if json {
        output::json(&json!({
            "layout": name,
            "ok": !refused,
            "diagnostics": diagnostics.iter().map(as_json).collect::<Vec<_>>(),
        }));
    } else {
        let mut text = render(&diagnostics, output::colour_of_results());
        if diagnostics.is_empty() {
            let _ = writeln!(text, "{}: {}", found.source.file, summary(&diagnostics));
        }
        output::result(&text);
    }
    // The diagnostics are the result that was asked for, so nothing is left to be said on standard error.
    if refused { Err(Failure::Drawn(String::new())) } else { Ok(()) }
}

fn as_json(diagnostic: &Diagnostic) -> serde_json::Value {
    let (line, column) = diagnostic.line_column();
    json!({
        "severity": match diagnostic.severity { Severity::Error => "error", Severity::Warning => "warning" },
        "code": diagnostic.code,
        "file": diagnostic.file(),
        "line": line,
        "column": column,
        "title": diagnostic.title,
        "why": diagnostic.label,
        "help": diagnostic.help,
    })
}

fn explained(config: &Config, layout: &str, json: bool) -> Outcome {
    let domain = domain(&config.shop);
    let loaded = find(layout, &domain)?.loaded()?;
    let explanation = explain(&loaded.layout, config.shards, &domain);
    if json {
        output::json(&explanation);
    } else {
        output::result(&explanation.to_string());
    }
    Ok(())
}
