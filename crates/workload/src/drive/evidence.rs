//! After the end, for the judge: checkouts of unknown outcome are asked again, then everything that is left is read.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mworld_shop::OrderId;

use super::api;
use super::error::Error;
use super::live::{Live, Phase};
use super::notes::OpenCheckout;
use super::persist::{in_words, persist};
use super::retry::{is_busy, told_pause};
use super::site::Site;
use super::step;
use crate::record::{Asked, Call, Caller, Evidence, Got};
use crate::stage::{ProductNo, UserNo, ZoneNo};

/// How long one reading is tried.
const PATIENCE: Duration = Duration::from_secs(60);

/// Readings under way at once.
const AT_ONCE: usize = 32;

/// Most histories are read in the largest pages there are, some in small ones, so that the seams are seen too.
const LARGE_PAGE: u32 = 100;
const SMALL_PAGE: u32 = 7;
const SMALL_PAGES_EVERY: u32 = 4;

/// Gathers the evidence. Nothing may be in flight.
pub(super) async fn gather(site: &Arc<Site>, live: &Live) -> Result<Evidence, Error> {
    let notes = site.notes.as_ref().expect("a run that is judged takes notes");
    live.enter(Phase::Settling);
    let open = std::mem::take(&mut notes.lock().open_checkouts);
    let settled: Vec<Vec<Call>> = each(open, |checkout| settle(site, checkout)).await?;
    let (mut calls, guests) = {
        let mut notes = notes.lock();
        (std::mem::take(&mut notes.calls), std::mem::take(&mut notes.guests))
    };
    calls.extend(settled.into_iter().flatten());
    calls.sort_by_key(|call| call.sent);

    let readings = Readings { site, live };
    let users: Vec<(UserNo, &str)> = users(site).collect();
    let mut questions = Vec::new();
    for product in 0..site.made.stage.products.len() {
        let number = ProductNo(u32::try_from(product).expect("a cast has far fewer products"));
        questions.push((Caller::Shop, None, Asked::Stock(number)));
    }
    questions.extend(users.iter().map(|(user, token)| (Caller::User(*user), Some(*token), Asked::Cart)));
    let guests = guests.iter().map(|(journey, token)| (Caller::Guest(*journey), Some(token.as_str())));
    questions.extend(guests.map(|(guest, token)| (guest, token, Asked::Cart)));
    live.enter(Phase::Reading { done: 0, total: (questions.len() + users.len()) as u64 });
    let mut made = each(questions, |(by, token, asked)| readings.read(by, token, asked)).await?;
    let histories = each(users, |(user, token)| readings.history(user, token)).await?;
    made.extend(histories.into_iter().flatten());
    let orders: Vec<_> = orders(&calls, &made).into_iter().collect();
    live.expect_more(orders.len() as u64);
    let orders = each(orders, |(order, user)| {
        let token = site.session(user).map(|token| &**token);
        readings.read(Caller::User(user), token, Asked::Order(order))
    });
    made.extend(orders.await?);
    Ok(Evidence { stage: site.made.stage.clone(), calls, readings: made })
}

/// The users that were made, with their tokens.
fn users(site: &Site) -> impl Iterator<Item = (UserNo, &str)> {
    (0_u32..).zip(&site.made.sessions).filter_map(|(number, token)| Some((UserNo(number), token.as_deref()?)))
}

/// Every order that somebody was shown, and whose it is.
fn orders(calls: &[Call], readings: &[Call]) -> BTreeMap<OrderId, UserNo> {
    let mut found = BTreeMap::new();
    for call in calls.iter().chain(readings) {
        let Caller::User(user) = call.by else { continue };
        match &call.got {
            Got::Order { order, .. } => {
                found.insert(order.id, user);
            }
            Got::Orders { items, .. } => found.extend(items.iter().map(|order| (order.id, user))),
            _ => {}
        }
    }
    found
}

/// Does the same for each, several at once, and keeps the order of the results.
async fn each<T, U, F: Future<Output = Result<U, Error>>>(
    items: Vec<T>,
    work: impl Fn(T) -> F,
) -> Result<Vec<U>, Error> {
    stream::iter(items).map(work).buffered(AT_ONCE).try_collect().await
}

/// Asks for an order with its old key until the store says what became of it.
async fn settle(site: &Site, checkout: OpenCheckout) -> Result<Vec<Call>, Error> {
    let OpenCheckout { n, by, asked, token, mut attempts } = checkout;
    let request = api::request(&asked, &site.words(Some(&token), ZoneNo(0)));
    let first = Instant::now();
    let mut calls = Vec::new();
    loop {
        let exchange = site.made.pool.send(&request).await;
        let retry_after = exchange.outcome.as_ref().ok().and_then(|answer| answer.retry_after);
        let got = step::read(site, &asked, &exchange).got;
        let (sent, ended) = (site.micros(exchange.sent), site.micros(exchange.ended));
        let again = match &got {
            Got::Unknown(why) => Some(in_words(*why)),
            busy if is_busy(busy) => Some("the store is busy"),
            _ => None,
        };
        calls.push(Call { n: Some(n), attempt: attempts, by, sent, ended, asked: asked.clone(), got });
        let Some(complaint) = again else { return Ok(calls) };
        let pause = told_pause(retry_after, attempts);
        if first.elapsed() + pause > PATIENCE {
            return Err(not_judged(format!("the checkout of operation {n}"), complaint.to_owned()));
        }
        tokio::time::sleep(pause).await;
        attempts += 1;
    }
}

fn not_judged(what: String, complaint: String) -> Error {
    Error::NotJudged { what, seconds: PATIENCE.as_secs(), complaint }
}

/// Whether an answer tells what there is. That an order or a product is not there is a finding; that somebody may not ask
/// is none, and everybody has a cart and a history.
const fn is_reading(asked: &Asked, got: &Got) -> bool {
    match got {
        Got::Unknown(_) => false,
        Got::Refused { status, .. } => *status == 404 && matches!(asked, Asked::Order(_) | Asked::Stock(_)),
        _ => true,
    }
}

/// Readings under way.
struct Readings<'a> {
    site: &'a Site,
    live: &'a Live,
}

impl Readings<'_> {
    async fn read(&self, by: Caller, token: Option<&str>, asked: Asked) -> Result<Call, Error> {
        let request = api::request(&asked, &self.site.words(token, ZoneNo(0)));
        let (answer, exchange) = persist(&self.site.made.pool, &request, PATIENCE)
            .await
            .map_err(|last| not_judged(format!("{} by {by:?}", asked.operation()), last))?;
        let got = api::read(&asked, &answer, &self.site.made.stage).got;
        if !is_reading(&asked, &got) {
            let what = format!("{} by {by:?}", asked.operation());
            return Err(not_judged(what, super::persist::complaint(&answer)));
        }
        self.live.one_more();
        let (sent, ended) = (self.site.micros(exchange.sent), self.site.micros(exchange.ended));
        Ok(Call { n: None, attempt: 0, by, sent, ended, asked, got })
    }

    /// A user's whole history, page by page.
    async fn history(&self, user: UserNo, token: &str) -> Result<Vec<Call>, Error> {
        let limit = if user.0.is_multiple_of(SMALL_PAGES_EVERY) { SMALL_PAGE } else { LARGE_PAGE };
        let (mut pages, mut cursor) = (Vec::new(), None);
        loop {
            let page = self.read(Caller::User(user), Some(token), Asked::History { limit, cursor }).await?;
            let next = if let Got::Orders { next, .. } = &page.got { next.clone() } else { None };
            pages.push(page);
            if next.is_none() {
                return Ok(pages);
            }
            self.live.expect_more(1);
            cursor = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use mworld_shop::OrderId;

    use super::*;

    #[test]
    fn what_is_not_there_is_a_reading_only_where_it_is_judged() {
        let refused = |status| Got::Refused { status, code: "no".to_owned(), left: Vec::new() };
        let order = Asked::Order(OrderId::from_uuid(uuid::Uuid::nil()));
        let history = Asked::History { limit: 7, cursor: None };
        for (asked, readable) in
            [(order, true), (Asked::Stock(ProductNo(0)), true), (Asked::Cart, false), (history, false)]
        {
            assert_eq!(is_reading(&asked, &refused(404)), readable, "{asked:?}");
            assert!(!is_reading(&asked, &refused(403)), "{asked:?}");
            assert!(is_reading(&asked, &Got::Done), "{asked:?}");
        }
    }
}
