//! What is shown on standard error while a run goes on: one moving line at a terminal, a line now and then elsewhere.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use mworld_workload::drive::{Live, Look, Phase};
use mworld_workload::report::number::{count, latency};
use tokio::task::JoinHandle;

use crate::output;

/// Work that is over before this is not spoken of.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a terminal is redrawn.
const REDRAW: Duration = Duration::from_secs(1);

/// How often a log hears of it.
const LINE: Duration = Duration::from_secs(5);

/// Somebody who looks on.
pub(super) struct Watching {
    task: JoinHandle<()>,
    bar: Option<ProgressBar>,
}

/// Begins to look on. Needs a runtime.
pub(super) fn begin(live: &Arc<Live>, scheduled: u64) -> Watching {
    let bar = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
    let task = tokio::spawn(look_on(Arc::clone(live), scheduled, bar.clone()));
    Watching { task, bar }
}

impl Watching {
    /// Takes the line away.
    pub(super) fn end(self) {
        self.task.abort();
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

async fn look_on(live: Arc<Live>, scheduled: u64, bar: Option<ProgressBar>) {
    let started = Instant::now();
    loop {
        tokio::time::sleep(if bar.is_some() { REDRAW } else { LINE }).await;
        let look = live.look();
        let is_long = started.elapsed() >= PATIENCE;
        let Some(line) = line(&look, scheduled).filter(|_| is_long) else { continue };
        match &bar {
            Some(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            None => output::notice(&format!("{line}\n")),
        }
    }
}

/// One look in words.
fn line(look: &Look, scheduled: u64) -> Option<String> {
    let errors = count(look.failed);
    Some(match look.phase {
        Phase::Before => return None,
        Phase::SettingUp { done, total } => {
            format!("setting up: {} of {} products and accounts", count(done), count(total))
        }
        Phase::Driving => format!(
            "{} of {} operations, {:.0}/s, p50 {}, p99 {}, {errors} errors, {} in flight",
            count(look.answered + look.failed),
            count(scheduled),
            look.rate,
            latency(look.p50_ms),
            latency(look.p99_ms),
            count(look.in_flight),
        ),
        Phase::Settling => {
            format!("the schedule is over; waiting for {} in flight, {errors} errors", count(look.in_flight))
        }
        Phase::Reading { done, total } => {
            format!("reading what is left for the judge: {} of {}", count(done), count(total))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(phase: Phase) -> Look {
        let (p50_ms, p99_ms) = (1.5, 12.25);
        Look { phase, answered: 1_200, failed: 3, in_flight: 17, rate: 499.6, p50_ms, p99_ms }
    }

    #[test]
    fn a_look_says_rate_latency_errors_and_flight() {
        let line = line(&look(Phase::Driving), 30_000).unwrap();
        for part in ["1,203 of 30,000", "500/s", "p50 1.5", "p99 12.", "3 errors", "17 in flight"] {
            assert!(line.contains(part), "{part} is not in {line}");
        }
    }

    #[test]
    fn every_phase_has_its_words() {
        assert_eq!(line(&look(Phase::Before), 1), None);
        let reading = line(&look(Phase::Reading { done: 5, total: 9 }), 1).unwrap();
        assert!(reading.contains("5 of 9"), "{reading}");
    }
}
