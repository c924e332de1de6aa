//! Payments: taken note of once for each provider and reference, and never lost.

use mongodb::bson::Uuid;
use mworld_shop::event::Happened;
use mworld_shop::order::{Order, OrderRef, OrderStatus, Payment};
use mworld_shop::{OrderId, Refusal};
use serde::{Deserialize, Serialize};

use super::record;
use super::steps::{self, order_event};
use crate::ask::Ask;
use crate::bson::{typed, uuid};
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

/// What became of a payment. A refund due is an answer that is written down, so it must not be an error inside
/// the transaction, which would undo it.
pub(super) enum Outcome {
    Paid(Order),
    RefundDue(Order, Refusal),
}

/// A payment that has been noted.
#[derive(Debug, Serialize, Deserialize)]
struct Noted {
    #[serde(rename = "_id")]
    id: String,
    provider: String,
    reference: String,
    order_id: Uuid,
    amount: i64,
    currency: String,
    refund_due: bool,
    at: i64,
}

/// One payment's id. The length keeps providers and references with a stroke in them apart.
fn id_of(payment: &Payment) -> String {
    format!("{}/{}/{}", payment.provider.len(), payment.provider, payment.reference)
}

pub(super) async fn pay(db: &mut Db, id: OrderId, payment: &Payment) -> Answer<Outcome> {
    let found = steps::find(db, OrderRef { id, user: None }).await?;
    let (total, status) = (found.order.total, found.order.status);
    let ask = Ask::own(Collection::Payments, id_of(payment));
    let seen: Option<Noted> = db.one(&ask, Wanted::default()).await?;
    if let Some(seen) = seen {
        let paid = OrderId::from_uuid(uuid(seen.order_id));
        if paid != id {
            return Err(Refusal::ReferenceTaken(paid).into());
        }
        let same =
            seen.amount == payment.amount.amount() && seen.currency == payment.amount.currency().as_str();
        if !same {
            return Err(Refusal::WrongAmount { total, paid: payment.amount }.into());
        }
        return Ok(match seen.refund_due {
            true => refund_due(found.order),
            false => Outcome::Paid(found.order),
        });
    }
    let refused = status != OrderStatus::Created;
    // Money for an order that takes none has come all the same, whatever the amount.
    if !refused && payment.amount != total {
        return Err(Refusal::WrongAmount { total, paid: payment.amount }.into());
    }
    db.insert(&ask, &noted(db, id, payment, refused)).await?;
    if refused {
        record::note(db, &found, Happened::RefundDue { order_id: id, payment: payment.clone() }).await?;
        return Ok(refund_due(found.order));
    }
    let paid = record::set_status(db, found, OrderStatus::Paid, |order| order_event(order, Vec::new()));
    paid.await.map(Outcome::Paid)
}

fn noted(db: &Db, order: OrderId, payment: &Payment, refund_due: bool) -> Noted {
    Noted {
        id: id_of(payment),
        provider: payment.provider.clone(),
        reference: payment.reference.clone(),
        order_id: typed(order.uuid()),
        amount: payment.amount.amount(),
        currency: payment.amount.currency().to_string(),
        refund_due,
        at: db.core.clock.now().micros(),
    }
}

fn refund_due(order: Order) -> Outcome {
    let refusal = match order.status {
        OrderStatus::Cancelled => Refusal::OrderCancelled(order.id),
        _ => Refusal::AlreadyPaid(order.id),
    };
    Outcome::RefundDue(order, refusal)
}
