//! Lists of orders, newest first: a buyer's history, or everybody's for an operator.

use mongodb::bson::doc;
use mworld_placement::{Constraint, Entity, Value};
use mworld_shop::order::{Order, OrderQuery};
use mworld_shop::{OrderId, Page, Position, UserId};
use uuid::Uuid;

use super::record::{Record, any_zone, placed_by};
use crate::ask::Ask;
use crate::core::Core;
use crate::db::{Db, Wanted};
use crate::fault::Answer;

pub(super) async fn page(db: &mut Db, user: Option<UserId>, query: &OrderQuery) -> Answer<Page<Order>> {
    let size = query.page_size().get();
    let wanted = Wanted {
        sort: Some(doc! { "_id": -1 }),
        limit: i64::try_from(size + 1).ok(),
        projection: Some(doc! { "unfed": 0 }),
    };
    let mut found: Vec<Record> = db.all(&ask(&db.core, user, query), wanted).await?;
    let more = found.len() > size;
    found.truncate(size);
    let items = found
        .into_iter()
        .map(|record| record.read().map(|found| found.order))
        .collect::<Answer<Vec<Order>>>()?;
    let next = items
        .last()
        .filter(|_| more)
        .map(|order| Position { value: order.created_at.micros(), id: order.id.uuid() });
    Ok(Page { items, next })
}

/// What a list asks. An order's id begins with its creation time, so a period is a range of ids, and the index that
/// begins with the buyer, the zone or the status goes on with the id. Zone and time are named beside it only where the
/// layout places by them.
fn ask(core: &Core, user: Option<UserId>, query: &OrderQuery) -> Ask {
    let mut ask = Ask::of(Entity::Orders).within("order_id", ids(query));
    if let Some(user) = user {
        ask = ask.known("user_id", user.uuid());
    }
    if let Some(status) = query.status {
        ask = ask.known("status", status.name());
    }
    ask = match &query.zone {
        Some(zone) => ask.known("geo_zone", zone.as_str()),
        None if placed_by(core, "geo_zone") => ask.within("geo_zone", any_zone(core)),
        None => ask,
    };
    match moments(query) {
        Some(moments) if placed_by(core, "created_at") => ask.within("created_at", moments),
        _ => ask,
    }
}

/// The ids of a list. Both ends are always there: whatever is no UUID is no order, and lies outside.
fn ids(query: &OrderQuery) -> Constraint {
    let before = |id: Uuid| Uuid::from_u128(id.as_u128().saturating_sub(1));
    let from = query.from.map_or(Uuid::nil(), |from| OrderId::first_at(from).uuid());
    let to = query.to.map_or(Uuid::max(), |to| before(OrderId::first_at(to).uuid()));
    let to = query.after.map_or(to, |after| to.min(before(after.id)));
    Constraint::Range { min: Some(Value::Uuid(from)), max: Some(Value::Uuid(to)) }
}

/// The creation times of a list, if anything limits them.
fn moments(query: &OrderQuery) -> Option<Constraint> {
    let until = query.to.map(|to| to.micros() - 1);
    let until = until.into_iter().chain(query.after.map(|after| after.value)).min();
    let from = query.from.map(|from| Value::Int(from.micros()));
    (from.is_some() || until.is_some()).then(|| Constraint::Range { min: from, max: until.map(Value::Int) })
}

#[cfg(test)]
mod tests {
    use mworld_shop::Timestamp;

    use super::*;

    fn bounds(constraint: Constraint) -> (Uuid, Uuid) {
        match constraint {
            Constraint::Range { min: Some(Value::Uuid(min)), max: Some(Value::Uuid(max)) } => (min, max),
            other => panic!("a range of ids, not {other:?}"),
        }
    }

    #[test]
    fn a_period_is_a_range_of_ids_that_begins_with_it_and_ends_before_its_end() {
        let (from, to) = (Timestamp::from_micros(1_000_000), Timestamp::from_micros(2_000_000));
        let query = OrderQuery { from: Some(from), to: Some(to), ..OrderQuery::default() };
        let (min, max) = bounds(ids(&query));
        assert!(OrderId::first_at(from).uuid() >= min && OrderId::first_at(to).uuid() > max);
        let last = Timestamp::from_micros(1_999_999);
        assert!(OrderId::last_at(last).uuid() <= max, "the last moment of the period is in it");
    }

    #[test]
    fn the_next_page_begins_after_the_last_order_seen() {
        let seen = OrderId::at(Timestamp::from_micros(1_500_000), [7; 8]);
        let after = Some(Position { value: seen.created_at().micros(), id: seen.uuid() });
        let to = Some(Timestamp::from_micros(2_000_000));
        let query = OrderQuery { after, to, ..OrderQuery::default() };
        let (_, max) = bounds(ids(&query));
        assert_eq!(max.as_u128() + 1, seen.uuid().as_u128());
        let Some(Constraint::Range { max, .. }) = moments(&query) else { panic!("it is limited") };
        assert_eq!(max, Some(Value::Int(1_500_000)), "another order of the same moment may follow");
    }
}
