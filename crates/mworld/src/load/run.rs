//! `mworld load`: the run itself.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mworld_workload::drive::{self, Live, Phase, Stop, Store, Traffic};
use mworld_workload::judge::judge;
use mworld_workload::report::{Report, html};

use super::args::Run;
use super::{scenario, summary, watch};
use crate::client::Client;
use crate::config::OPERATOR_TOKEN;
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::note::cannot;
use crate::output;
use crate::serve::open_files;

/// What a shell says of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// Drives the store at `--url` and reports.
pub(crate) fn run(args: &Run) -> Outcome {
    let scenario = scenario::find(&args.seeded.scenario)?;
    let traffic = Traffic {
        rate: args.rate.unwrap_or(scenario.rate),
        duration: args.duration.unwrap_or(scenario.duration),
        scenario,
        seed: args.seeded.seed,
        in_flight: args.in_flight,
    };
    let store = store(&args.url, args.timeout)?;
    if let Some(file) = &args.html {
        be_writable(file)?;
    }
    open_files::raise();
    crate::wait_for(drive_and_report(args, &store, &traffic))
}

/// The store at that address, with the operator's token.
pub(super) fn store(url: &str, timeout: Duration) -> Outcome<Store> {
    let client = Client::new(url, None)?;
    let host = client.base().trim_start_matches("http://").to_owned();
    let operator = std::env::var(OPERATOR_TOKEN).map_err(|_| {
        wrong_input(format!(
            "{OPERATOR_TOKEN} is not set, and a run makes products of its own; set it to the operator token, \
             which `mworld serve` printed at its start"
        ))
    })?;
    if operator.is_empty() || !operator.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong_input(format!(
            "{OPERATOR_TOKEN} is empty or has characters that no header may have; write visible ASCII"
        )));
    }
    Ok(Store { host, operator, timeout })
}

async fn drive_and_report(args: &Run, store: &Store, traffic: &Traffic) -> Outcome {
    let (live, stop) = (Arc::new(Live::default()), Arc::new(Stop::default()));
    let _interrupts = tokio::spawn(hear_interrupts(Arc::clone(&live), Arc::clone(&stop)));
    let watching = watch::begin(&live, traffic.scheduled());
    let finished = drive::run(store, traffic, args.verify, &live, &stop).await;
    watching.end();
    let mut finished = finished.map_err(|error| failed(error.to_string()))?;
    let unjudged = match finished.evidence {
        Some(Ok(evidence)) => {
            finished.report.verdict = Some(judge(&evidence));
            None
        }
        Some(Err(error)) => Some(error),
        None => None,
    };
    show(args, &finished.report)?;
    match unjudged {
        Some(error) => Err(failed(error.to_string())),
        None => verdict(&finished.report),
    }
}

/// The first Ctrl-C ends the schedule, and there is a report; before there is anything to report, and at the second
/// one, it ends the program.
pub(super) async fn hear_interrupts(live: Arc<Live>, stop: Arc<Stop>) {
    while tokio::signal::ctrl_c().await.is_ok() {
        if matches!(live.phase(), Phase::Before | Phase::SettingUp { .. }) {
            output::notice(
                "interrupted during set-up: nothing was measured, what was made stays in the store\n",
            );
            std::process::exit(INTERRUPTED);
        }
        if stop.is_wanted() {
            output::notice("interrupted again: ended without a report\n");
            std::process::exit(INTERRUPTED);
        }
        output::notice("interrupted: waiting for what is in flight, then the report; again to end at once\n");
        stop.now();
    }
}

/// The result first: whatever becomes of the page, what was measured is told.
fn show(args: &Run, report: &Report) -> Outcome {
    if args.json {
        output::json(report);
    } else {
        output::result(&summary::text(report));
    }
    match &args.html {
        Some(file) => {
            std::fs::write(file, html::render(report)).map_err(|error| cannot("write", file, &error))
        }
        None => Ok(()),
    }
}

/// Whether the page can be written is found out before the run, not after it. What lies there stays until then.
fn be_writable(file: &Path) -> Outcome {
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(file);
    opened.map(drop).map_err(|error| cannot("write", file, &error))
}

/// How the command ends.
fn verdict(report: &Report) -> Outcome {
    if report.verdict.as_ref().is_some_and(|verdict| !verdict.ok) {
        return Err(Failure::BadVerdict);
    }
    if report.completed == 0 && !report.conditions.ended_early {
        return Err(failed(format!(
            "none of {} operations was answered; see whether the store at {} is up and not overloaded",
            report.scheduled, report.conditions.url
        )));
    }
    Ok(())
}
