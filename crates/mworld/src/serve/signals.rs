//! SIGTERM and Ctrl-C.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::failure::{Outcome, failed};

/// The wish that the store be closed.
pub(crate) struct Stop {
    terminate: Signal,
    interrupt: Signal,
}

impl Stop {
    /// From now on, signals are heard rather than deadly.
    pub(crate) fn listen() -> Outcome<Stop> {
        let heard = |kind| signal(kind).map_err(|error| failed(format!("signals cannot be heard: {error}")));
        Ok(Stop { terminate: heard(SignalKind::terminate())?, interrupt: heard(SignalKind::interrupt())? })
    }

    /// Waits for the first; a second one ends the process where it stands, which the store's files survive.
    pub(crate) async fn wait(mut self) {
        self.next().await;
        tokio::spawn(async move {
            self.next().await;
            std::process::exit(1);
        });
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
