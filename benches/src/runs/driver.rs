//! The load driver of `mworld load` itself: how late it is, and what a request costs it, against a server that does
//! nothing. A driver that is late reports its own lateness as the store's.

use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use mworld_placement::layout::Source;
use mworld_workload::drive::{self, Live, Stop, Store, Traffic};
use mworld_workload::scenario;

use super::Context;
use crate::disk::{histogram, micros};
use crate::process::{Server, cpu_of_children, cpu_of_self};
use crate::report::{Bound, Row};
use crate::stats::{median, median_ratio};

/// Operations a second.
const RATE: u32 = 5_000;

/// Product pages and nothing else, evenly.
const SCENARIO: &str = include_str!("driver.toml");

pub(super) async fn run(context: &mut Context<'_>) -> Result<()> {
    let server = Server::start_empty()?;
    let traffic = traffic(context.plan.turn)?;
    let (mut late, mut bare, mut cost, mut wrks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..context.plan.turns {
        bare.push(bare_lateness(context.plan.turn).await?);
        let turn = drive_turn(&server, &traffic).await?;
        late.push(turn.lateness_ms);
        cost.push(turn.cpu_micros);
        wrks.push(wrk(&server, context.plan.turn)?);
    }
    server.stop()?;
    context.report.push(Row {
        what: format!("p99 lateness of the load driver at {RATE}/s, of a bare timer loop's"),
        measured: format!("{:.0} µs", median(&late) * 1e3),
        limit: format!("{:.0} µs", median(&bare) * 1e3),
        ratio: median_ratio(&late, &bare),
        bound: Bound::AtMost(2.0),
    });
    context.report.push(Row {
        what: format!(
            "processor time of a request in the load driver at {RATE}/s, of one in wrk at full speed"
        ),
        measured: format!("{:.0} µs CPU", median(&cost)),
        limit: format!("{:.0} µs CPU", median(&wrks)),
        ratio: median_ratio(&cost, &wrks),
        bound: Bound::None,
    });
    Ok(())
}

fn traffic(duration: Duration) -> Result<Traffic> {
    let source = Source::new("driver.toml", SCENARIO);
    let scenario = scenario::read(&source).map_err(|faults| {
        let titles: Vec<String> = faults.into_iter().map(|fault| fault.title).collect();
        anyhow::anyhow!("the bench's own scenario is faulty: {}", titles.join("; "))
    })?;
    Ok(Traffic { scenario, seed: 1, rate: f64::from(RATE), duration, in_flight: 4_096 })
}

struct Turn {
    lateness_ms: f64,
    cpu_micros: f64,
}

async fn drive_turn(server: &Server, traffic: &Traffic) -> Result<Turn> {
    let store = Store {
        host: server.address.to_string(),
        operator: "nobody".to_owned(),
        timeout: Duration::from_secs(10),
    };
    let (live, stop) = (Arc::new(Live::default()), Arc::new(Stop::default()));
    let before = cpu_of_self()?;
    let report = drive::run(&store, traffic, false, &live, &stop).await?.report;
    let used = cpu_of_self()?.saturating_sub(before);
    let wanted = traffic.scheduled();
    anyhow::ensure!(report.completed == wanted, "{} of {wanted} operations were answered", report.completed);
    #[allow(clippy::cast_precision_loss)] // far below 2^52
    let cpu_micros = used.as_secs_f64() * 1e6 / wanted as f64;
    Ok(Turn { lateness_ms: report.conditions.lateness_p99_ms, cpu_micros })
}

/// How late a thread is that does nothing but sleep from moment to moment, in milliseconds at p99.
async fn bare_lateness(duration: Duration) -> Result<f64> {
    let between = Duration::from_secs(1) / RATE;
    let looping = tokio::task::spawn_blocking(move || {
        let mut late = histogram();
        let begun = Instant::now();
        let mut moment = begun;
        while moment < begun + duration {
            std::thread::sleep(moment.saturating_duration_since(Instant::now()));
            late.saturating_record(micros(moment.elapsed()));
            moment += between;
        }
        late.value_at_quantile(0.99)
    });
    Ok(f64::from(u32::try_from(looping.await?)?) / 1e3)
}

/// Microseconds of processor time that a request costs `wrk`, which sends as fast as it can.
fn wrk(server: &Server, duration: Duration) -> Result<f64> {
    let before = cpu_of_children()?;
    let seconds = duration.as_secs().max(1);
    let said = Command::new("wrk")
        .args(["--threads", "1", "--connections", "64", "--duration", &format!("{seconds}s")])
        .arg(format!("http://{}/api/v1/products/1", server.address))
        .output()
        .context("wrk cannot be run; as root, run: apt-get install wrk")?;
    let text = String::from_utf8_lossy(&said.stdout).into_owned();
    let requests = requests(&text).with_context(|| format!("wrk does not say how many it sent: {text}"))?;
    let used = cpu_of_children()?.saturating_sub(before);
    Ok(used.as_secs_f64() * 1e6 / requests)
}

/// From the line "  123456 requests in 2.00s, 20.00MB read".
fn requests(text: &str) -> Option<f64> {
    let line = text.lines().find(|line| line.contains(" requests in "))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_wrk_says_is_understood() {
        let said =
            "Running 2s test\n  Thread Stats\n  123456 requests in 2.00s, 20.00MB read\nRequests/sec: 1";
        assert_eq!(requests(said), Some(123_456.0));
        assert_eq!(requests("unable to connect"), None);
    }

    #[test]
    fn the_scenario_is_read() {
        assert_eq!(traffic(Duration::from_secs(2)).unwrap().scheduled(), 10_000);
    }
}
