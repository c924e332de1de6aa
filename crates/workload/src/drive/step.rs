//! One operation, from its moment to its last word.

use std::sync::Arc;
use std::time::Instant;

use super::api::{self, Read};
use super::cart_view::{CartView, Look};
use super::http::Exchange;
use super::journey::{Learned, May};
use super::live::Live;
use super::notes::{OpenCheckout, is_open};
use super::outcome::outcome;
use super::retry::{self, Ended};
use super::site::{Site, Underway, Waited, caller};
use crate::plan::{Act, Buyer, Planned};
use crate::record::{Asked, Call, Caller, Got};

/// Takes a step that has been begun. If it has nothing to wait for, the first poll sends it.
pub(super) async fn take(
    site: Arc<Site>,
    underway: Arc<Underway>,
    live: Arc<Live>,
    step: Planned,
    due: Instant,
) {
    let (may, waited) = underway.ready(&step).await;
    let question = match &may {
        May::Go(_) => question(&site, &underway, &step),
        May::Wait | May::Never => None,
    };
    let (May::Go(token), Some(asked)) = (may, question) else {
        underway.skip(&step);
        site.tally.lock().nothing_to_do();
        return;
    };
    let token = match step.buyer {
        Buyer::Operator => Some(site.made.operator.as_str()),
        Buyer::Guest | Buyer::User(_) => token.as_deref(),
    };
    let taking = Taking { site: &site, underway: &underway, step: &step, asked: &asked, token };
    let (read, ended) = taking.ask(due, waited).await;
    let latency = ended.saturating_duration_since(due);
    let outcome = outcome(&read.got, latency >= site.made.pool.timeout());
    taking.remember(&read);
    underway.end(&step, learned(&step.act, read));
    site.tally.lock().add(step.act.operation(), step.at, latency, outcome);
    live.add(latency, outcome);
}

/// What the step asks, from what is known now; nothing if there is nothing to ask about.
fn question(site: &Site, underway: &Underway, step: &Planned) -> Option<Asked> {
    Some(match step.act {
        Act::Search(_) => Asked::Search,
        Act::Product(product) => Asked::Product(product),
        Act::Stock(product) => Asked::Stock(product),
        Act::Open => Asked::Open,
        Act::Login(user) => Asked::Login(user),
        Act::Cart => Asked::Cart,
        Act::Put { product, quantity } => Asked::Put { product, quantity },
        Act::Remove(product) => Asked::Remove(product),
        Act::Place => Asked::Place {
            key: format!("{}-{}", site.made.run, step.n),
            zone: step.zone,
            expect_total: cart_of(site, underway, step)?.lock().expected_total(),
        },
        Act::Pay => Asked::Pay(underway.order()?),
        Act::Cancel => Asked::Cancel(underway.order()?),
        Act::Status => match (underway.order(), step.buyer) {
            (Some(order), _) => Asked::Order(order),
            (None, Buyer::User(user)) => Asked::Order(*site.newest.lock().get(&user)?),
            (None, _) => return None,
        },
        Act::History { limit } => Asked::History { limit, cursor: None },
        Act::Reprice { product, per_mille } => {
            let first = site.made.stage.products.get(product.0 as usize)?.price;
            Asked::Reprice { product, price: (first * i64::from(per_mille) / 1_000).max(1) }
        }
        Act::Restock { product, units } => Asked::Restock { product, zone: step.zone, units },
    })
}

/// The cart that a step shows or changes. A login changes the user's.
fn cart_of<'a>(
    site: &'a Site,
    underway: &'a Underway,
    step: &Planned,
) -> Option<&'a parking_lot::Mutex<CartView>> {
    match (&step.act, &step.buyer) {
        (Act::Login(user), _) | (_, Buyer::User(user)) => site.carts.get(user.0 as usize),
        (_, Buyer::Guest) => Some(&underway.guest_cart),
        (_, Buyer::Operator) => None,
    }
}

/// A step that is being taken.
struct Taking<'a> {
    site: &'a Site,
    underway: &'a Underway,
    step: &'a Planned,
    asked: &'a Asked,
    token: Option<&'a str>,
}

impl Taking<'_> {
    /// Asks, and asks again where that is due, until there is a last word.
    async fn ask(&self, due: Instant, waited: Waited) -> (Read, Instant) {
        let Taking { site, step, asked, .. } = *self;
        let mut words = site.words(self.token, step.zone);
        if let Act::Search(search) = &step.act {
            words.search = Some(search);
        }
        let request = api::request(asked, &words);
        let mut answers = Vec::new();
        let first = Instant::now();
        loop {
            let attempt = answers.len() as u32;
            let look = self.look();
            let exchange = match (attempt, waited) {
                (0, Waited::No) => site.made.pool.send_from_clock(&request).await,
                _ => site.made.pool.send(&request).await,
            };
            if attempt == 0 && waited == Waited::No && !exchange.connected {
                site.tally.lock().late(exchange.sent.saturating_duration_since(due));
            }
            let retry_after = exchange.outcome.as_ref().ok().and_then(|answer| answer.retry_after);
            let read = read(site, asked, &exchange);
            self.saw(look, &read.got);
            self.note(attempt, &exchange, &read.got);
            if retry::is_busy(&read.got) {
                site.tally.lock().busy(step.act.operation());
            }
            let since_first = exchange.ended.saturating_duration_since(first);
            let timeout = site.made.pool.timeout();
            let got = &read.got;
            let pause = retry::pause(&Ended { asked, got, retry_after, attempt, since_first, timeout });
            let Some(pause) = pause else {
                answers.push(read.got.clone());
                self.settle(&answers);
                return (read, exchange.ended);
            };
            answers.push(read.got);
            tokio::time::sleep(pause).await;
        }
    }

    /// A call that shows or changes a cart is about to be sent.
    fn look(&self) -> Option<Look> {
        let cart = cart_of(self.site, self.underway, self.step)?;
        match self.asked {
            Asked::Cart => Some(cart.lock().look()),
            Asked::Put { .. } | Asked::Remove(_) | Asked::Place { .. } | Asked::Login(_) => {
                Some(cart.lock().change())
            }
            _ => None,
        }
    }

    fn saw(&self, look: Option<Look>, got: &Got) {
        let (Some(look), Some(cart)) = (look, cart_of(self.site, self.underway, self.step)) else { return };
        let mut cart = cart.lock();
        match got {
            Got::Cart(seen) => cart.show(look, seen.total),
            Got::Order { .. } => cart.bought(),
            Got::Refused { code, .. } if code == "price_changed" => cart.prices_changed(),
            _ => {}
        }
        if *self.asked != Asked::Cart {
            cart.changed();
        }
    }

    fn note(&self, attempt: u32, exchange: &Exchange, got: &Got) {
        let Some(notes) = &self.site.notes else { return };
        let call = Call {
            n: Some(self.step.n),
            attempt,
            by: caller(self.step),
            sent: self.site.micros(exchange.sent),
            ended: self.site.micros(exchange.ended),
            asked: self.asked.clone(),
            got: got.clone(),
        };
        let mut notes = notes.lock();
        if matches!(self.asked, Asked::Login(_)) {
            notes.guest_left(self.step.journey);
        }
        notes.calls.push(call);
    }

    /// A checkout that may or may not have made an order is kept for later.
    fn settle(&self, answers: &[Got]) {
        let (Some(notes), Some(token)) = (&self.site.notes, self.token) else { return };
        if matches!(self.asked, Asked::Place { .. }) && is_open(answers) {
            let checkout = OpenCheckout {
                n: self.step.n,
                by: caller(self.step),
                asked: self.asked.clone(),
                token: token.to_owned(),
                attempts: answers.len() as u32,
            };
            notes.lock().open_checkouts.push(checkout);
        }
    }

    /// Keeps what other journeys, or the readings after the end, will want to know.
    fn remember(&self, read: &Read) {
        match (&read.got, caller(self.step)) {
            (Got::Order { order, .. }, Caller::User(user)) if matches!(self.asked, Asked::Place { .. }) => {
                self.site.newest.lock().insert(user, order.id);
            }
            (Got::Done, Caller::Guest(journey)) => {
                if let (Some(notes), Some(token)) = (&self.site.notes, &read.token) {
                    notes.lock().guest_came(journey, token);
                }
            }
            _ => {}
        }
    }
}

/// What an exchange says about what was asked.
pub(super) fn read(site: &Site, asked: &Asked, exchange: &Exchange) -> Read {
    match &exchange.outcome {
        Ok(answer) => api::read(asked, answer, &site.made.stage),
        Err(why) => Read { got: Got::Unknown(*why), token: None, user: None },
    }
}

fn learned(act: &Act, read: Read) -> Learned {
    match (act, read.got, read.token) {
        (Act::Open | Act::Login(_), _, Some(token)) => Learned::Token(token),
        // Whoever did not get in is not the user whom the later steps speak for.
        (Act::Login(_), _, None) => Learned::TokenLost,
        (Act::Place, Got::Order { order, .. }, _) => Learned::Order(order.id),
        _ => Learned::Nothing,
    }
}
