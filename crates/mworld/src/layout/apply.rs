//! `mworld layout apply`: a cluster is brought to a layout, after the plan was shown.

use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use mworld_mongo::apply::{Apply, Ended, Pace, Plan, Progress};
use serde::Serialize;

use super::find::{domain, find};
use crate::config::{self, Flags};
use crate::failure::{Outcome, failed, wrong_input};
use crate::output;
use crate::serve::beneath::{address, refused};

pub(crate) const HELP: &str =
    "Without --yes nothing is changed: the plan says what would be done, what it costs and what it blocks.
A run that was interrupted goes on where it was: run the same command again. Nothing is ever dropped.
The password is taken from the address or from MWORLD_MONGODB_PASSWORD.

Examples:
  mworld layout apply geo-zoned --mongodb mongodb://127.0.0.1:27017/shop
  mworld layout apply geo-zoned --mongodb mongodb://127.0.0.1:27017/shop --yes";

/// `mworld layout apply`
#[derive(Debug, Args)]
pub(crate) struct Applying {
    /// A shipped layout or a file
    layout: String,
    /// The router of a MongoDB cluster, mongodb://host:port/database [default: the configuration's]
    #[arg(long, value_name = "URI")]
    mongodb: Option<String>,
    /// Do it; without this only the plan is shown
    #[arg(long)]
    yes: bool,
    /// One JSON document
    #[arg(long)]
    json: bool,
}

/// What a program reads.
#[derive(Serialize)]
struct Report<'r> {
    #[serde(flatten)]
    plan: &'r Plan,
    /// Whether the database is as the plan says now.
    applied: bool,
}

/// Brings a cluster to a layout without a question, for one that was made for it.
pub(crate) async fn bring(uri: &str, layout: &str) -> Outcome {
    let config = config::load(&Flags::default(), std::env::vars_os())?.config;
    let domain = domain(&config.shop);
    let layout = find(layout, &domain)?.loaded()?.layout;
    let apply = Apply::prepare(&address(uri), &layout, &domain).await.map_err(|error| refused(&error))?;
    if apply.plan().is_empty() {
        output::notice(&format!("layout {} is in force already\n", layout.name));
        return Ok(());
    }
    execute(&apply).await?;
    output::notice(&format!("layout {} is in force\n", layout.name));
    Ok(())
}

/// Plans, shows, and does it if that is wished.
pub(crate) async fn run(command: &Applying) -> Outcome {
    let flags = Flags { mongodb: command.mongodb.clone(), ..Flags::default() };
    let config = config::load(&flags, std::env::vars_os())?.config;
    let uri = config.mongodb.as_deref().ok_or_else(|| {
        wrong_input(
            "no cluster is named; add --mongodb mongodb://HOST:PORT/DATABASE, or start one with `mworld playground up --mongodb 2x1`",
        )
    })?;
    let domain = domain(&config.shop);
    let layout = find(&command.layout, &domain)?.loaded()?.layout;
    let apply = Apply::prepare(&address(uri), &layout, &domain).await.map_err(|error| refused(&error))?;
    let plan = apply.plan();
    if !command.json {
        output::result(&plan.to_string());
    }
    if command.yes && !plan.is_empty() {
        execute(&apply).await?;
        if !command.json {
            output::result(&format!("done: the database {} is as {} wants it\n", plan.database, plan.layout));
        }
    } else if !plan.is_empty() {
        output::notice("nothing was changed; add --yes to do it\n");
    }
    if command.json {
        output::json(&Report { plan, applied: command.yes || plan.is_empty() });
    }
    Ok(())
}

async fn execute(apply: &Apply) -> Outcome {
    let stop = stop_between_steps();
    let shown = Shown::new();
    let watch = |progress: Progress<'_>| {
        shown.show(&progress);
        if stop.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let ended = apply.execute(Pace::Usual, &watch).await;
    shown.end();
    match ended.map_err(|error| refused(&error))? {
        Ended::Done => Ok(()),
        Ended::Stopped { done } => Err(failed(format!(
            "stopped after {done} of {} steps; run the same command again to go on",
            apply.plan().steps.len()
        ))),
    }
}

/// Set by Ctrl-C: the step under way is brought to its end. A second Ctrl-C ends the program where it stands, which the
/// next run mends.
fn stop_between_steps() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&stop);
    tokio::spawn(async move {
        if tokio::signal::ctrl_c().await.is_ok() {
            told.store(true, Ordering::Relaxed);
            output::notice("stopping after this step; Ctrl-C once more leaves at once\n");
            let _ = tokio::signal::ctrl_c().await;
            std::process::exit(1);
        }
    });
    stop
}

/// Progress on standard error: a bar at a terminal, a line for each step elsewhere.
struct Shown {
    bar: Option<ProgressBar>,
}

impl Shown {
    fn new() -> Shown {
        let style = ProgressStyle::with_template("{prefix} {bar:24} {msg}").expect("the template is legal");
        let bar = || ProgressBar::new(0).with_style(style);
        Shown { bar: std::io::stderr().is_terminal().then(bar) }
    }

    fn show(&self, progress: &Progress<'_>) {
        let Progress { step, number, of, part, waits_for } = progress;
        let Some(bar) = &self.bar else {
            match waits_for {
                Some(what) => output::notice(&format!("{number}/{of} waiting for {what}\n")),
                None if part.is_none() => output::notice(&format!("{number}/{of} {step}\n")),
                None => {}
            }
            return;
        };
        let (done, all) = part.unwrap_or((*number as u64 - 1, *of as u64));
        bar.set_prefix(format!("{number}/{of}"));
        bar.set_length(all);
        bar.set_position(done);
        bar.set_message(match waits_for {
            Some(what) => format!("{step} (waiting for {what})"),
            None => step.to_string(),
        });
        bar.tick();
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
