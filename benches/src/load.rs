//! The load generator: closed loops for the most that can be done, open loops for how long it takes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinSet;

use crate::client::Connection;
use crate::disk::{histogram, micros};
use crate::plan::BUYERS_AT_ONCE;
use crate::traffic::Traffic;

/// What a loop has seen.
pub(crate) struct Measured {
    pub(crate) operations: u64,
    pub(crate) per_second: f64,
    pub(crate) latencies: Histogram<u64>,
}

/// Connections to one store, kept open between turns.
pub(crate) struct Generator {
    idle: Vec<Lane>,
}

/// A connection and the numbers of its operations: those of the first are 0, 64, 128 …, those of the second 1, 65 …
/// However long one operation takes, what runs beside it has numbers of other lanes.
struct Lane {
    connection: Connection,
    next: u64,
}

impl Lane {
    async fn operate(&mut self, traffic: &dyn Traffic, request: &mut String) -> Result<()> {
        let n = self.next;
        self.next += BUYERS_AT_ONCE as u64;
        operate(&mut self.connection, traffic, n, request).await
    }
}

impl Generator {
    pub(crate) async fn connect(address: SocketAddr) -> Result<Generator> {
        let mut idle = Vec::with_capacity(BUYERS_AT_ONCE);
        for next in 0..BUYERS_AT_ONCE as u64 {
            let connection =
                Connection::open(address).await.context("the store does not take connections")?;
            idle.push(Lane { connection, next });
        }
        Ok(Generator { idle })
    }

    /// Every connection sends its next operation when the last is answered.
    pub(crate) async fn closed(
        &mut self,
        traffic: &Arc<dyn Traffic>,
        duration: Duration,
    ) -> Result<Measured> {
        let begun = Instant::now();
        let mut loops = JoinSet::new();
        for mut lane in self.idle.drain(..) {
            let traffic = Arc::clone(traffic);
            loops.spawn(async move {
                let (mut latencies, mut request) = (histogram(), String::with_capacity(1024));
                while begun.elapsed() < duration {
                    let sent = Instant::now();
                    lane.operate(&*traffic, &mut request).await?;
                    latencies.saturating_record(micros(sent.elapsed()));
                }
                anyhow::Ok((lane, latencies))
            });
        }
        self.collect(loops, begun).await
    }

    /// Operations begin at fixed moments, whatever became of those before. Latency counts from the moment at which
    /// an operation should have begun: one that had to wait for a free connection is that much slower.
    pub(crate) async fn open(
        &mut self,
        traffic: &Arc<dyn Traffic>,
        per_second: f64,
        duration: Duration,
    ) -> Result<Measured> {
        let begun = Instant::now() + Duration::from_millis(5);
        let moments = start_clock(begun, per_second, duration);
        let moments = Arc::new(Mutex::new(moments));
        let mut loops = JoinSet::new();
        for mut lane in self.idle.drain(..) {
            let traffic = Arc::clone(traffic);
            let moments = Arc::clone(&moments);
            loops.spawn(async move {
                let (mut latencies, mut request) = (histogram(), String::with_capacity(1024));
                loop {
                    let Some(intended) = moments.lock().await.recv().await else {
                        return anyhow::Ok((lane, latencies));
                    };
                    lane.operate(&*traffic, &mut request).await?;
                    latencies.saturating_record(micros(intended.elapsed()));
                }
            });
        }
        self.collect(loops, begun).await
    }

    async fn collect(
        &mut self,
        mut loops: JoinSet<Result<(Lane, Histogram<u64>)>>,
        begun: Instant,
    ) -> Result<Measured> {
        let mut latencies = histogram();
        while let Some(done) = loops.join_next().await {
            let (lane, seen) = done.context("a loop was cut off")??;
            self.idle.push(lane);
            latencies.add(&seen).context("histograms of one shape add up")?;
        }
        let operations = latencies.len();
        #[allow(clippy::cast_precision_loss)] // far below 2^52
        let per_second = operations as f64 / begun.elapsed().as_secs_f64();
        Ok(Measured { operations, per_second, latencies })
    }
}

/// The moments at which operations should begin, told by a thread of its own: the runtime's timers are only good to a
/// millisecond, which is as long as a whole checkout.
fn start_clock(begun: Instant, per_second: f64, duration: Duration) -> mpsc::UnboundedReceiver<Instant> {
    let (tell, moments) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        let between = Duration::from_secs_f64(1.0 / per_second);
        let mut moment = begun;
        while moment < begun + duration {
            std::thread::sleep(moment.saturating_duration_since(Instant::now()));
            if tell.send(moment).is_err() {
                return;
            }
            moment += between;
        }
    });
    moments
}

async fn operate(
    connection: &mut Connection,
    traffic: &dyn Traffic,
    n: u64,
    request: &mut String,
) -> Result<()> {
    for step in 0.. {
        request.clear();
        let Some(expected) = traffic.request(n, step, request) else { break };
        let answer = connection.exchange(request.as_bytes()).await?;
        if answer.status != expected {
            let said = String::from_utf8_lossy(answer.body);
            anyhow::bail!(
                "operation {n} was answered {} instead of {expected}: {said}\n{request}",
                answer.status
            );
        }
    }
    Ok(())
}
