//! Lists of orders, newest first: a buyer's history, or everybody's for an operator.

use mworld_placement::{Entity, ShardId};
use mworld_shop::order::{Order, OrderQuery};
use mworld_shop::{OrderId, Page, Position, Result, UserId};
use rusqlite::types::Value;

use super::record::{COLUMNS, Raw, raw};
use crate::core::Core;
use crate::db::Db;

pub(super) fn page(
    db: &Db<'_>,
    core: &Core,
    user: Option<UserId>,
    query: &OrderQuery,
) -> Result<Page<Order>> {
    let size = query.page_size().get();
    let mut found: Vec<Raw> = Vec::new();
    for shard in core.router.list_orders(user, query).shards() {
        db.reads(Entity::Orders.into(), shard);
        let (statement, params) = select(shard, user, query, size + 1);
        found.extend(db.all(&statement, rusqlite::params_from_iter(params.iter()), raw)?);
    }
    found.sort_unstable_by_key(|order| std::cmp::Reverse(order.order_id));
    let more = found.len() > size;
    found.truncate(size);
    let items = found.into_iter().map(|raw| Ok(raw.read()?.order)).collect::<Result<Vec<Order>>>()?;
    let next = items
        .last()
        .filter(|_| more)
        .map(|order| Position { value: order.created_at.micros(), id: order.id.uuid() });
    Ok(Page { items, next })
}

/// What a list asks of one shard. An order's id begins with its creation time, so a period is a range of ids. A
/// history goes along the buyer's own lines; an operator's list with a filter goes along the index that has it.
fn select(shard: ShardId, user: Option<UserId>, query: &OrderQuery, wanted: usize) -> (String, Vec<Value>) {
    let id = |id: OrderId| Value::Blob(id.uuid().into_bytes().to_vec());
    let (from, ordered) = match user {
        Some(_) => (
            "buyers b CROSS JOIN orders o ON o.shard = b.shard AND o.order_id = b.ref \
             WHERE b.what = 'order' AND b.shard = ?1",
            "b.ref",
        ),
        None => ("orders o INDEXED BY orders_by_status WHERE o.shard = ?1", "o.order_id"),
    };
    let status = if user.is_some() { "b.status =" } else { "o.status =" };
    let mut statement = format!("SELECT {COLUMNS} FROM {from}");
    let mut params = vec![Value::Integer(shard.0.into())];
    let mut push = |condition: &str, value: Value| {
        params.push(value);
        statement.push_str(&format!(" AND {condition} ?{}", params.len()));
    };
    if let Some(user) = user {
        push("b.user_id =", Value::Blob(user.uuid().into_bytes().to_vec()));
    }
    if let Some(wanted) = query.status {
        push(status, Value::Text(wanted.name().to_owned()));
    }
    if let Some(zone) = &query.zone {
        push("o.zone =", Value::Text(zone.as_str().to_owned()));
    }
    if let Some(from) = query.from {
        push(&format!("{ordered} >="), id(OrderId::first_at(from)));
    }
    if let Some(to) = query.to {
        push(&format!("{ordered} <"), id(OrderId::first_at(to)));
    }
    if let Some(after) = query.after {
        push(&format!("{ordered} <"), Value::Blob(after.id.into_bytes().to_vec()));
    }
    statement.push_str(&format!(" ORDER BY {ordered} DESC LIMIT {wanted}"));
    (statement, params)
}

#[cfg(test)]
mod tests {
    use mworld_shop::Timestamp;
    use mworld_shop::order::OrderStatus;
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn no_list_sorts_or_reads_past_its_page() {
        let mut conn = Connection::open_in_memory().unwrap();
        let tx = conn.transaction().unwrap();
        crate::schema::upgrade(&tx, 0).unwrap();
        for user in [None, Some(UserId::generate())] {
            for status in [None, Some(OrderStatus::Paid)] {
                for from in [None, Some(Timestamp::MIN)] {
                    let query = OrderQuery { status, from, ..OrderQuery::default() };
                    let (statement, params) = select(ShardId(0), user, &query, 25);
                    let mut explain = tx.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
                    let params = rusqlite::params_from_iter(params.iter());
                    let lines = explain.query_map(params, |row| row.get::<_, String>(3)).unwrap();
                    let plan = lines.map(Result::unwrap).collect::<Vec<_>>().join("\n");
                    let along = match user {
                        Some(_) => "SEARCH b USING PRIMARY KEY (shard=? AND user_id=? AND what=?",
                        None => "SEARCH o USING INDEX orders_by_status (shard=?",
                    };
                    assert!(plan.starts_with(along), "{query:?}: {plan}");
                    assert!(!plan.contains("TEMP B-TREE"), "{query:?}: {plan}");
                }
            }
        }
    }
}
