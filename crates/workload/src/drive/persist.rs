//! Asking until there is an answer: for set-up and for what is read after the end.

use std::time::{Duration, Instant};

use super::http::{Answer, Exchange, Pool, Request};
use super::retry::{lost_pause, told_pause};
use crate::record::Why;

/// Sends a request until the store answers and has time; at most for so long. A lost answer is asked for again, so the
/// request must be one that may be sent twice.
///
/// The error is what came last instead of an answer.
pub(super) async fn persist(
    pool: &Pool,
    request: &Request,
    patience: Duration,
) -> Result<(Answer, Exchange), String> {
    persist_anew(pool, || request.clone(), patience).await
}

/// The same for something that may not be sent twice: each attempt is a request of its own.
pub(super) async fn persist_anew(
    pool: &Pool,
    mut request: impl FnMut() -> Request,
    patience: Duration,
) -> Result<(Answer, Exchange), String> {
    let first = Instant::now();
    let mut attempt = 0;
    loop {
        let mut exchange = pool.send(&request()).await;
        let (pause, complaint) = match std::mem::replace(&mut exchange.outcome, Err(Why::Cut)) {
            Ok(answer) if answer.status == 429 || answer.status >= 500 => {
                (told_pause(answer.retry_after, attempt), complaint(&answer))
            }
            Ok(answer) => return Ok((answer, exchange)),
            Err(why) => (lost_pause(attempt), in_words(why).to_owned()),
        };
        if first.elapsed() + pause > patience {
            return Err(complaint);
        }
        tokio::time::sleep(pause).await;
        attempt += 1;
    }
}

/// What a refusal says: the problem's code and detail, or the bare status.
pub(super) fn complaint(answer: &Answer) -> String {
    let problem: Option<serde_json::Value> = serde_json::from_slice(&answer.body).ok();
    let text = |key: &str| problem.as_ref()?.get(key)?.as_str().map(str::to_owned);
    match (text("code"), text("detail")) {
        (Some(code), Some(detail)) => format!("{} {code}: {detail}", answer.status),
        _ => format!("status {}", answer.status),
    }
}

/// Why there is no answer, as a person reads it.
pub(super) const fn in_words(why: Why) -> &'static str {
    match why {
        Why::NotConnected => "no connection",
        Why::Cut => "the connection broke before the answer",
        Why::TimedOut => "no answer in time",
        Why::Busy => "the store is busy",
        Why::Failed(_) => "the store failed",
        Why::Garbled => "an answer that is no answer of a store",
    }
}
