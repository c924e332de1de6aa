//! The promises of [`crate::ports::History`].

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::World;
use super::fixture::Shop;
use super::pages::size;
use crate::ids::{OrderId, UserId};
use crate::order::{Order, OrderQuery, OrderRef, OrderStatus};
use crate::product::Product;

chapter! { $ conformance_history in history:
    the_newest_own_order_is_there_at_once,
    only_own_orders_are_in_it,
    a_long_history_pages_newest_first,
    pages_survive_new_orders,
    period_and_status_narrow_it,
    a_step_is_seen_at_once,
}

async fn stocked(shop: &Shop) -> Product {
    shop.stocked(10_000, 10_000).await
}

async fn ids(shop: &Shop, user: UserId, query: &OrderQuery) -> Vec<OrderId> {
    shop.orders_all(Some(user), query).await.iter().map(|order| order.id).collect()
}

/// `count` orders of one user, several of each moment, newest first.
async fn long_history(shop: &Arc<Shop>, user: UserId, count: usize) -> Vec<OrderId> {
    let product = stocked(shop).await;
    let mut made = Vec::new();
    while made.len() < count {
        let placed = shop
            .at_once(30.min(count - made.len()), |_, shop| {
                let order = shop.order_of(user, &[(&product, 1)]);
                async move { shop.ledger().place(order).await.expect("it is in stock").order.id }
            })
            .await;
        made.extend(placed);
        // Days apart, so that the history spans any period that an engine may cut it into.
        shop.clock.advance(Duration::from_secs(9 * 86_400));
    }
    made.sort_by_key(|id| std::cmp::Reverse(*id));
    made
}

async fn the_newest_own_order_is_there_at_once(world: &World) {
    let shop = world.shop().await;
    let (product, user) = (stocked(&shop).await, UserId::generate());
    assert_eq!(shop.orders_all(Some(user), &OrderQuery::default()).await, [], "a new user has no history");
    for _ in 0..5 {
        let order = shop.ordered(user, &[(&product, 1)]).await;
        let page = shop.orders_page(Some(user), &OrderQuery::default()).await;
        assert_eq!(page.items.first(), Some(&order), "the order that was just placed comes first");
        shop.tick();
    }
}

async fn only_own_orders_are_in_it(world: &World) {
    let shop = world.shop().await;
    let (product, user) = (stocked(&shop).await, UserId::generate());
    let own = shop.ordered(user, &[(&product, 1)]).await;
    shop.ordered(UserId::generate(), &[(&product, 1)]).await;
    assert_eq!(shop.orders_all(Some(user), &OrderQuery::default()).await, [own]);
}

async fn a_long_history_pages_newest_first(world: &World) {
    let shop = world.shop().await;
    let user = UserId::generate();
    let made = long_history(&shop, user, 300).await;
    for limit in [size(100), size(24), size(7)] {
        let query = OrderQuery { limit, ..OrderQuery::default() };
        assert_eq!(
            ids(&shop, user, &query).await,
            made,
            "every order once, newest first, in pages of {limit:?}"
        );
    }
    let mut query = OrderQuery { limit: size(100), ..OrderQuery::default() };
    for more in [true, true, false] {
        let page = shop.orders_page(Some(user), &query).await;
        assert_eq!(
            (page.items.len(), page.next.is_some()),
            (100, more),
            "nothing comes after the last full page"
        );
        query.after = page.next;
    }
}

async fn pages_survive_new_orders(world: &World) {
    let shop = world.shop().await;
    let (product, user) = (stocked(&shop).await, UserId::generate());
    let old: BTreeSet<OrderId> = long_history(&shop, user, 40).await.into_iter().collect();
    let mut query = OrderQuery { limit: size(6), ..OrderQuery::default() };
    let mut seen = Vec::new();
    loop {
        let page = shop.orders_page(Some(user), &query).await;
        seen.extend(page.items.iter().map(|order| order.id));
        shop.ordered(user, &[(&product, 1)]).await;
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    let set: BTreeSet<OrderId> = seen.iter().copied().collect();
    assert_eq!(set.len(), seen.len(), "no order is seen twice");
    assert_eq!(set, old, "the pages after the first hold what was there when it was read");
}

async fn period_and_status_narrow_it(world: &World) {
    let shop = world.shop().await;
    let (product, user) = (stocked(&shop).await, UserId::generate());
    let mut made: Vec<Order> = Vec::new();
    for i in 0..10 {
        let order = shop.ordered(user, &[(&product, 1)]).await;
        let found = OrderRef { id: order.id, user: Some(user) };
        made.push(match i % 3 {
            0 => order,
            1 => shop.ledger().advance(found, OrderStatus::Paid).await.expect("it is paid"),
            _ => shop.ledger().cancel(found).await.expect("it is cancelled"),
        });
        shop.clock.advance(Duration::from_secs(20 * 86_400));
    }
    let (from, to) = (made[2].created_at, made[8].created_at);
    for limit in [size(100), size(1), size(3)] {
        for status in
            [None, Some(OrderStatus::Created), Some(OrderStatus::Cancelled), Some(OrderStatus::Shipped)]
        {
            for (from, to) in [(None, None), (Some(from), None), (None, Some(to)), (Some(from), Some(to))] {
                let query = OrderQuery { from, to, status, limit, ..OrderQuery::default() };
                let fits = |order: &&Order| {
                    from.is_none_or(|from| order.created_at >= from)
                        && to.is_none_or(|to| order.created_at < to)
                        && status.is_none_or(|status| order.status == status)
                };
                let wanted: Vec<Order> = made.iter().rev().filter(fits).cloned().collect();
                assert_eq!(shop.orders_all(Some(user), &query).await, wanted, "{query:?}");
            }
        }
    }
}

async fn a_step_is_seen_at_once(world: &World) {
    let shop = world.shop().await;
    let (product, user) = (stocked(&shop).await, UserId::generate());
    let order = shop.ordered(user, &[(&product, 1)]).await;
    let paid = shop.ledger().pay(order.id, shop.payment_of(&order)).await.expect("it is paid");
    assert_eq!(shop.orders_all(Some(user), &OrderQuery::default()).await, [paid]);
}
