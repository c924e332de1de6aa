//! An honest proxy that is no pleasure to work with: late, forgetful, short of time. Whatever it forwards it forwards
//! whole and unchanged, and whatever it answers the store has said.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::StatusCode;
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use crate::backstage::{Ask, Backstage, Reply};
use crate::proxy::Cut;

/// The honest one.
#[derive(Clone)]
pub(crate) struct Awkward {
    dice: Arc<Mutex<StdRng>>,
}

/// What becomes of a request.
#[derive(Debug, Clone, Copy)]
enum Mood {
    Kind,
    /// It takes so long to pass it on.
    Late(Duration),
    /// The answer takes so long.
    LateAnswer(Duration),
    CutBefore,
    CutAfter,
    /// The client is cut off at once, and the request is passed on so much later.
    CutAndLater(Duration),
    /// There was no time for it.
    Busy,
}

impl Awkward {
    pub(crate) fn new(seed: u64) -> Awkward {
        Awkward { dice: Arc::new(Mutex::new(StdRng::seed_from_u64(seed))) }
    }

    fn mood(&self) -> Mood {
        let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
        let mut up_to = |millis| Duration::from_millis(dice.random_range(1..millis));
        let (short, long) = (up_to(400), up_to(3_000));
        match dice.random_range(0..100) {
            0..4 => Mood::Late(short),
            4..8 => Mood::LateAnswer(short),
            8..10 => Mood::CutBefore,
            10..13 => Mood::CutAfter,
            13..15 => Mood::CutAndLater(long),
            15..17 => Mood::Busy,
            _ => Mood::Kind,
        }
    }

    pub(crate) async fn answer(&self, backstage: &Backstage, ask: Ask) -> Result<Reply, Cut> {
        match self.mood() {
            Mood::Kind => backstage.forward(ask).await,
            Mood::Late(pause) => {
                tokio::time::sleep(pause).await;
                backstage.forward(ask).await
            }
            Mood::LateAnswer(pause) => {
                let reply = backstage.forward(ask).await;
                tokio::time::sleep(pause).await;
                reply
            }
            Mood::CutBefore => Err(Cut),
            Mood::CutAfter => {
                backstage.forward(ask).await?;
                Err(Cut)
            }
            Mood::CutAndLater(pause) => {
                let backstage = backstage.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(pause).await;
                    let _ = backstage.forward(ask).await;
                });
                Err(Cut)
            }
            Mood::Busy => {
                let problem =
                    json!({ "status": 503, "code": "overloaded", "title": "no time", "detail": "later" });
                let mut reply = Reply::invented(StatusCode::SERVICE_UNAVAILABLE, &problem);
                reply.head.headers.insert("retry-after", "1".parse().expect("a legal value"));
                Ok(reply)
            }
        }
    }
}
