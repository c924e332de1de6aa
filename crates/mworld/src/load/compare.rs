//! `mworld load compare`: which differences between two runs are more than chance.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use mworld_workload::compare::{Comparison, compare};
use mworld_workload::drive::{self, Live, Stop, Traffic};
use mworld_workload::report::{Report, read};

use super::args::{Compare, ComparedTraffic};
use super::run::{hear_interrupts, store};
use super::{scenario, watch};
use crate::failure::{Failure, Outcome, failed, wrong_input};
use crate::note::text_of;
use crate::output;
use crate::serve::open_files;

/// Long enough for some hundred calls, short enough that whatever disturbs the machine meets both stores.
const TURN: Duration = Duration::from_secs(1);

/// As many as may be in flight, and as long as an answer may take, where a run is not told otherwise.
const IN_FLIGHT: u64 = 4_096;
const TIMEOUT: Duration = Duration::from_secs(10);

const AT_DIFFERENT_TIMES: &str = "the runs were made at different times, and what differs may be the machine: name the URLs \
     of both stores instead to drive them by turns in one run";

/// Compares two reports, or two running stores.
pub(crate) fn run(args: &Compare) -> Outcome {
    let [a, b] = match (is_url(&args.a), is_url(&args.b)) {
        (true, true) => driven(args)?,
        (false, false) => recorded(args)?,
        _ => {
            return Err(wrong_input(format!(
                "{} and {} cannot be compared: name two reports, or the URLs of two running stores",
                args.a, args.b
            )));
        }
    };
    let mut comparison = compare(&a, &b, args.max_regression);
    if !is_url(&args.a) && comparison.differs() {
        comparison.notices.push(AT_DIFFERENT_TIMES.to_owned());
    }
    show(&comparison, args.json)
}

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

/// Reads both reports.
fn recorded(args: &Compare) -> Outcome<[Report; 2]> {
    let ComparedTraffic { scenario, seed, rate, duration } = &args.traffic;
    if scenario.is_some() || seed.is_some() || rate.is_some() || duration.is_some() {
        return Err(wrong_input(
            "--scenario, --seed, --rate and --duration are for two running stores, and these are files; leave them \
             out, or name two URLs",
        ));
    }
    Ok([report(Path::new(&args.a))?, report(Path::new(&args.b))?])
}

/// A report of a whole day is far below it.
const LONGEST: u64 = 256 << 20;

/// A report that cannot be read is a wrong input, whatever the reason.
fn report(file: &Path) -> Outcome<Report> {
    let text = text_of(file, LONGEST).map_err(|error| {
        wrong_input(format!(
            "cannot read {}: {error}; name a report that `mworld load --json` or `--html` wrote",
            file.display()
        ))
    })?;
    read(&text).map_err(|error| wrong_input(format!("{}: {error}", file.display())))
}

/// Drives both stores by turns.
fn driven(args: &Compare) -> Outcome<[Report; 2]> {
    let wanted = &args.traffic;
    let scenario = scenario::find(wanted.scenario.as_deref().unwrap_or("black-friday"))?;
    let traffic = Traffic {
        rate: wanted.rate.unwrap_or(scenario.rate),
        duration: wanted.duration.unwrap_or(scenario.duration),
        scenario,
        seed: wanted.seed.unwrap_or(1),
        in_flight: IN_FLIGHT,
    };
    let stores = [store(&args.a, TIMEOUT)?, store(&args.b, TIMEOUT)?];
    open_files::raise();
    crate::wait_for(async {
        let (live, stop) = (Arc::new(Live::default()), Arc::new(Stop::default()));
        let _interrupts = tokio::spawn(hear_interrupts(Arc::clone(&live), Arc::clone(&stop)));
        let watching = watch::begin(&live, 2 * traffic.scheduled());
        let reports = drive::alternate([&stores[0], &stores[1]], &traffic, TURN, &live, &stop).await;
        watching.end();
        let reports = reports.map_err(|error| failed(error.to_string()))?;
        match reports.iter().find(|report| report.completed == 0) {
            Some(silent) => Err(failed(format!(
                "none of {} operations was answered by {}; see whether the store is up and not overloaded",
                silent.scheduled, silent.conditions.url
            ))),
            None => Ok(reports),
        }
    })
}

fn show(comparison: &Comparison, json: bool) -> Outcome {
    if json {
        output::json(comparison);
    } else {
        for notice in &comparison.notices {
            output::notice(&format!("notice: {notice}\n"));
        }
        output::result(&comparison.to_string());
    }
    if comparison.regression { Err(Failure::BadVerdict) } else { Ok(()) }
}
