//! From an answer to the fact that it states. An answer that is not what the API promises states nothing.

use mworld_shop::cart::CappedWhy;
use mworld_shop::order::OrderStatus;
use mworld_shop::{OrderId, ProductId, UserId};
use serde::Deserialize;

use crate::drive::http::Answer;
use crate::record::{Asked, CartLine, CartSeen, Got, OrderLine, OrderSeen, Why};
use crate::stage::Stage;

/// An answer, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::drive) struct Read {
    /// What the judge is told.
    pub(in crate::drive) got: Got,
    /// The new session's token, for an open or a login that was done.
    pub(in crate::drive) token: Option<String>,
    /// The user who is logged in now.
    pub(in crate::drive) user: Option<UserId>,
}

/// Reads the answer to what was asked.
pub(in crate::drive) fn read(asked: &Asked, answer: &Answer, stage: &Stage) -> Read {
    let only = |got| Read { got, token: None, user: None };
    match answer.status {
        200 | 201 => done(asked, answer, stage).unwrap_or_else(|_| only(Got::Unknown(Why::Garbled))),
        400..=499 => only(refused(answer)),
        503 if answer.retry_after.is_some() => only(Got::Unknown(Why::Busy)),
        status @ 500..=599 => only(Got::Unknown(Why::Failed(status))),
        _ => only(Got::Unknown(Why::Garbled)),
    }
}

fn done(asked: &Asked, answer: &Answer, stage: &Stage) -> serde_json::Result<Read> {
    let body = answer.body.as_slice();
    let mut token = None;
    let mut user = None;
    let got = match asked {
        Asked::Search => Got::Done,
        Asked::Product(_) | Asked::Reprice { .. } | Asked::Restock { .. } => {
            let product: ProductJson<'_> = serde_json::from_slice(body)?;
            Got::Product { price: product.price.amount, stock: by_zone(&product.stock, stage) }
        }
        Asked::Stock(_) => {
            let stock: StockJson<'_> = serde_json::from_slice(body)?;
            Got::Stock(by_zone(&stock.stock, stage))
        }
        Asked::Open => {
            token = Some(serde_json::from_slice::<OpenedJson>(body)?.token);
            Got::Done
        }
        Asked::Login(_) => {
            let login: LoginJson = serde_json::from_slice(body)?;
            token = Some(login.token);
            user = Some(login.user_id);
            let full = login.capped.into_iter().filter(|capped| capped.why == CappedWhy::Lines);
            let left_out = full.map(|capped| capped.product_id).collect();
            Got::Cart(CartSeen { left_out, ..login.cart.seen() })
        }
        Asked::Cart | Asked::Put { .. } | Asked::Remove(_) => {
            Got::Cart(serde_json::from_slice::<CartJson>(body)?.seen())
        }
        Asked::Place { .. } | Asked::Pay(_) | Asked::Cancel(_) | Asked::Order(_) => Got::Order {
            order: serde_json::from_slice::<OrderJson>(body)?.seen(),
            created: answer.status == 201,
        },
        Asked::History { .. } => {
            let page: PageJson = serde_json::from_slice(body)?;
            Got::Orders { items: page.items.into_iter().map(OrderJson::seen).collect(), next: page.next }
        }
    };
    Ok(Read { got, token, user })
}

fn refused(answer: &Answer) -> Got {
    match serde_json::from_slice::<ProblemJson>(&answer.body) {
        Ok(problem) => Got::Refused {
            status: answer.status,
            code: problem.code,
            left: problem.items.iter().map(|item| (item.product_id, item.available)).collect(),
        },
        Err(_) => Got::Unknown(Why::Garbled),
    }
}

/// Units in the run's zones; a zone that is not named has none.
fn by_zone(stock: &[ZoneJson<'_>], stage: &Stage) -> Vec<u32> {
    let units =
        |zone: &String| stock.iter().find(|known| known.zone == zone).map_or(0, |known| known.quantity);
    stage.zones.iter().map(units).collect()
}

#[derive(Deserialize)]
struct MoneyJson {
    amount: i64,
}

#[derive(Deserialize)]
struct ZoneJson<'a> {
    zone: &'a str,
    quantity: u32,
}

#[derive(Deserialize)]
struct ProductJson<'a> {
    price: MoneyJson,
    #[serde(borrow)]
    stock: Vec<ZoneJson<'a>>,
}

#[derive(Deserialize)]
struct StockJson<'a> {
    #[serde(borrow)]
    stock: Vec<ZoneJson<'a>>,
}

#[derive(Deserialize)]
struct OpenedJson {
    token: String,
}

#[derive(Deserialize)]
struct LoginJson {
    user_id: UserId,
    token: String,
    cart: CartJson,
    #[serde(default)]
    capped: Vec<CappedJson>,
}

#[derive(Deserialize)]
struct CappedJson {
    product_id: ProductId,
    why: CappedWhy,
}

#[derive(Deserialize)]
struct LineJson {
    product_id: ProductId,
    quantity: u32,
    price: MoneyJson,
}

#[derive(Deserialize)]
struct CartJson {
    items: Vec<LineJson>,
    total: MoneyJson,
}

impl CartJson {
    fn seen(self) -> CartSeen {
        let line = |line: LineJson| CartLine {
            product: line.product_id,
            quantity: line.quantity,
            price: line.price.amount,
        };
        let lines = self.items.into_iter().map(line).collect();
        CartSeen { lines, total: self.total.amount, left_out: Vec::new() }
    }
}

#[derive(Deserialize)]
struct OrderJson {
    id: OrderId,
    status: OrderStatus,
    zone: String,
    items: Vec<LineJson>,
    total: MoneyJson,
    created_at: String,
}

impl OrderJson {
    fn seen(self) -> OrderSeen {
        let line = |line: LineJson| OrderLine {
            product: line.product_id,
            quantity: line.quantity,
            price: line.price.amount,
        };
        OrderSeen {
            id: self.id,
            status: self.status,
            zone: self.zone,
            items: self.items.into_iter().map(line).collect(),
            total: self.total.amount,
            created_at: self.created_at,
        }
    }
}

#[derive(Deserialize)]
struct PageJson {
    items: Vec<OrderJson>,
    next: Option<String>,
}

#[derive(Deserialize)]
struct ProblemJson {
    code: String,
    #[serde(default)]
    items: Vec<ShortJson>,
}

#[derive(Deserialize)]
struct ShortJson {
    product_id: ProductId,
    available: u32,
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use mworld_shop::ProductId;

    use super::*;
    use crate::stage::ProductNo;

    fn stage() -> Stage {
        let zones = vec!["msk".to_owned(), "spb".to_owned()];
        Stage { products: Vec::new(), users: Vec::new(), zones, currency: "RUB".to_owned() }
    }

    fn got(asked: &Asked, status: u16, retry_after: Option<u64>, body: &str) -> Got {
        let retry_after = retry_after.map(Duration::from_secs);
        read(asked, &Answer { status, retry_after, body: body.into() }, &stage()).got
    }

    #[test]
    fn stock_is_told_by_the_runs_zones() {
        let body = r#"{"product_id":"x","stock":[{"zone":"kln","quantity":9},{"zone":"spb","quantity":4}]}"#;
        assert_eq!(got(&Asked::Stock(ProductNo(0)), 200, None, body), Got::Stock(vec![0, 4]));
    }

    #[test]
    fn a_shortage_says_what_is_left() {
        let id = "0190b7a5-0000-7000-8000-000000000001";
        let body = format!(
            r#"{{"code":"insufficient_stock","items":[{{"product_id":"{id}","requested":2,"available":1}}]}}"#
        );
        let product: ProductId = id.parse().unwrap();
        let code = "insufficient_stock".to_owned();
        let expected = Got::Refused { status: 409, code, left: vec![(product, 1)] };
        assert_eq!(got(&Asked::Cart, 409, None, &body), expected);
    }

    #[test]
    fn a_login_says_what_found_no_line_in_the_cart() {
        let id = |last: u32| format!("0190b7a5-0000-7000-8000-00000000000{last}");
        let capped =
            |last, why| format!(r#"{{"product_id":"{}","wanted":2,"kept":0,"why":"{why}"}}"#, id(last));
        let body = format!(
            r#"{{"user_id":"{}","token":"t","cart":{{"items":[],"total":{{"amount":0}}}},"capped":[{},{}]}}"#,
            id(9),
            capped(1, "lines"),
            capped(2, "quantity")
        );
        let left_out = vec![id(1).parse().unwrap()];
        let expected = Got::Cart(CartSeen { left_out, ..CartSeen::default() });
        assert_eq!(got(&Asked::Login(crate::stage::UserNo(0)), 200, None, &body), expected);
    }

    #[test]
    fn every_way_not_to_know_has_its_name() {
        let unknown = |status, retry_after, body: &str| match got(&Asked::Cart, status, retry_after, body) {
            Got::Unknown(why) => why,
            other => panic!("{other:?}"),
        };
        assert_eq!(unknown(503, Some(1), "{}"), Why::Busy);
        assert_eq!(unknown(503, None, "{}"), Why::Failed(503));
        assert_eq!(unknown(500, Some(1), "{}"), Why::Failed(500));
        for (status, body) in [(200, "{}"), (200, "<html>"), (302, ""), (404, "not found")] {
            assert_eq!(unknown(status, None, body), Why::Garbled, "{status} {body}");
        }
    }
}
