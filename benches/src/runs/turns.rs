//! Turns: every kind of traffic for a short while, again and again, so that all see the same weather.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;

use crate::load::Generator;
use crate::process::Server;
use crate::stats::median;
use crate::traffic::Traffic;

/// What the turns of one kind of traffic showed.
#[derive(Debug, Default, Clone)]
pub(super) struct Series {
    /// Operations a second, by turn.
    pub(super) rates: Vec<f64>,
    /// Microseconds of the server's processor time for each operation, by turn.
    pub(super) cpu_micros: Vec<f64>,
}

impl Series {
    /// One more turn.
    pub(super) async fn turn(
        &mut self,
        server: &Server,
        generator: &mut Generator,
        traffic: &Arc<dyn Traffic>,
        duration: Duration,
    ) -> Result<()> {
        let before = server.cpu()?;
        let measured = generator.closed(traffic, duration).await?;
        let used = server.cpu()?.saturating_sub(before);
        self.rates.push(measured.per_second);
        #[allow(clippy::cast_precision_loss)] // far below 2^52
        self.cpu_micros.push(used.as_secs_f64() * 1e6 / measured.operations as f64);
        Ok(())
    }

    pub(super) fn rate(&self) -> f64 {
        median(&self.rates)
    }

    pub(super) fn cpu(&self) -> f64 {
        median(&self.cpu_micros)
    }

    /// The rate, and what an operation costs.
    pub(super) fn text(&self) -> String {
        format!("{}, {:.0} µs CPU", crate::report::rate(self.rate()), self.cpu())
    }
}
