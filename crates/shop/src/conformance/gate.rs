//! A starting line: tasks wait at it until the last one has come, so that they truly meet.

use std::future::poll_fn;
use std::sync::{Mutex, PoisonError};
use std::task::{Poll, Waker};

pub(super) struct Gate {
    state: Mutex<State>,
}

struct State {
    missing: usize,
    waiting: Vec<Waker>,
}

impl Gate {
    pub(super) fn of(tasks: usize) -> Gate {
        Gate { state: Mutex::new(State { missing: tasks, waiting: Vec::new() }) }
    }

    /// Ends when as many tasks as the gate was made for have called it.
    pub(super) async fn pass(&self) {
        let mut counted = false;
        poll_fn(|context| {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if !counted {
                counted = true;
                state.missing = state.missing.saturating_sub(1);
            }
            if state.missing == 0 {
                state.waiting.drain(..).for_each(Waker::wake);
                return Poll::Ready(());
            }
            state.waiting.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}
