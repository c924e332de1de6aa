//! What is left of an item after each change of its stock.
//!
//! A sale knows only the record that it took from, which may be one bucket of many. The feed sees every change of an item,
//! in an order in which no piece is sold before it came; so it is here that they add up. The last sum of each item stands
//! beside the events, in a record without a number.

use std::collections::{BTreeMap, BTreeSet};

use mworld_placement::{Constraint, Value};
use mworld_shop::event::StockChange;
use serde::{Deserialize, Serialize};

use super::record::Numbered;
use crate::ask::Ask;
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

/// The pieces of an item after its last event.
#[derive(Debug, Serialize, Deserialize)]
struct Total {
    #[serde(rename = "_id")]
    item: String,
    pieces: i64,
}

/// Apart from ids of orders, which begin with no word.
fn item(change: &StockChange) -> String {
    format!("left/{}/{}", change.product_id, change.zone)
}

/// Writes into the changes of these events what is left after each, in the transaction that numbers them.
pub(super) async fn add_up(db: &mut Db, events: &mut [Numbered]) -> Answer<()> {
    let items: BTreeSet<String> =
        events.iter_mut().flat_map(Numbered::changes).map(|change| item(change)).collect();
    if items.is_empty() {
        return Ok(());
    }
    let items = items.into_iter().map(Value::from).collect();
    let stored = Ask::of(Collection::Events).within("_id", Constraint::In(items));
    let before: Vec<Total> = db.all(&stored, Wanted::default()).await?;
    let mut left = before.into_iter().map(|total| (total.item, total.pieces)).collect();
    for change in events.iter_mut().flat_map(Numbered::changes) {
        go_on(&mut left, change);
    }
    let after: Vec<Total> = left.into_iter().map(|(item, pieces)| Total { item, pieces }).collect();
    db.delete_all(&stored).await?;
    db.insert_all(&Ask::of(Collection::Events), &after).await
}

/// Goes on from what was left before. A product begins with nothing, and its first stock is an event, too.
fn go_on(left: &mut BTreeMap<String, i64>, change: &mut StockChange) {
    let pieces = left.entry(item(change)).or_default();
    *pieces += change.delta;
    change.quantity = u32::try_from(*pieces).unwrap_or(0);
}

#[cfg(test)]
mod tests {
    use mworld_shop::{ProductId, Zone};

    use super::*;

    #[test]
    fn each_item_goes_on_from_its_own_sum() {
        let (product, other) = (ProductId::generate(), ProductId::generate());
        let zone = Zone::new("msk").unwrap();
        let mut left = BTreeMap::new();
        let mut after = |product_id, delta| {
            // What a bucket has left says nothing of the whole.
            let mut change = StockChange { product_id, zone: zone.clone(), delta, quantity: 999 };
            go_on(&mut left, &mut change);
            change.quantity
        };
        let quantities = [after(product, 40), after(other, 7), after(product, -2), after(product, 1)];
        assert_eq!(quantities, [40, 7, 38, 39]);
    }
}
