//! Payments: taken note of once for each provider and reference, and never lost.

use mworld_shop::event::Happened;
use mworld_shop::order::{Order, OrderRef, OrderStatus, Payment};
use mworld_shop::{OrderId, Refusal, Result};
use uuid::Uuid;

use super::record::{self, Record};
use super::steps::take_step;
use crate::core::Core;
use crate::db::Db;
use crate::feed;

/// What became of a payment. A refund due is an answer that is written down, so it must not be an error inside
/// the transaction, which would undo it.
pub(super) enum Outcome {
    Paid(Order),
    RefundDue(Refusal),
}

impl Outcome {
    pub(super) fn into_result(self) -> Result<Order> {
        match self {
            Outcome::Paid(order) => Ok(order),
            Outcome::RefundDue(refusal) => Err(refusal.into()),
        }
    }
}

pub(super) fn pay(db: &Db<'_>, core: &Core, id: OrderId, payment: Payment) -> Result<Outcome> {
    let record = record::find(db, core, OrderRef { id, user: None })?.ok_or(Refusal::OrderNotFound(id))?;
    let (total, status) = (record.order.total, record.order.status);
    match seen(db, &payment)? {
        Some(seen) if seen.order != id => return Err(Refusal::ReferenceTaken(seen.order).into()),
        Some(seen) if seen.amount != payment.amount.amount() => {
            return Err(Refusal::WrongAmount { total, paid: payment.amount }.into());
        }
        Some(seen) if seen.refund_due => return Ok(Outcome::RefundDue(refusal(&record))),
        Some(_) => return Ok(Outcome::Paid(record.order)),
        None => {}
    }
    let refund_due = status != OrderStatus::Created;
    // Money for an order that takes none has come all the same, whatever the amount.
    if !refund_due && payment.amount != total {
        return Err(Refusal::WrongAmount { total, paid: payment.amount }.into());
    }
    note(db, core, id, &payment, refund_due)?;
    if refund_due {
        let refusal = refusal(&record);
        feed::append(db, core.clock.now(), &Happened::RefundDue { order_id: id, payment })?;
        return Ok(Outcome::RefundDue(refusal));
    }
    take_step(db, core, record, OrderStatus::Paid, Vec::new()).map(Outcome::Paid)
}

/// A payment that has been noted.
struct Seen {
    order: OrderId,
    amount: i64,
    refund_due: bool,
}

fn seen(db: &Db<'_>, payment: &Payment) -> Result<Option<Seen>> {
    db.one(
        "SELECT order_id, amount, refund_due FROM payments WHERE provider = ?1 AND reference = ?2",
        (&payment.provider, &payment.reference),
        |row| {
            let order = OrderId::from_uuid(Uuid::from_bytes(row.get(0)?));
            Ok(Seen { order, amount: row.get(1)?, refund_due: row.get(2)? })
        },
    )
}

fn refusal(record: &Record) -> Refusal {
    match record.order.status {
        OrderStatus::Cancelled => Refusal::OrderCancelled(record.order.id),
        _ => Refusal::AlreadyPaid(record.order.id),
    }
}

fn note(db: &Db<'_>, core: &Core, order: OrderId, payment: &Payment, refund_due: bool) -> Result<()> {
    db.run(
        "INSERT INTO payments (provider, reference, order_id, amount, currency, refund_due, at) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        (
            &payment.provider,
            &payment.reference,
            order.uuid().into_bytes(),
            payment.amount.amount(),
            payment.amount.currency().as_str(),
            refund_due,
            core.clock.now().micros(),
        ),
    )?;
    Ok(())
}
