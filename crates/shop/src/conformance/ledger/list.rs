//! Everybody's orders, for the operator.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::checkout::Request;
use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::conformance::pages::size;
use crate::ids::{OrderId, UserId};
use crate::order::{Order, OrderQuery, OrderRef, OrderStatus};
use crate::product::{Product, ProductDraft, ZoneStock};

chapter! { $ conformance_ledger_list in ledger::list:
    orders_are_listed_by_zone_status_and_period,
    pages_survive_new_orders,
    an_order_is_reached_by_its_id_alone,
}

async fn phone(shop: &Shop) -> Product {
    let stock = (0..2).map(|i| ZoneStock { zone: shop.zone(i), quantity: 1_000 }).collect();
    shop.listed(ProductDraft { stock: Some(stock), ..shop.draft(10_000) }).await
}

async fn order_in_zone(shop: &Shop, product: &Product, zone: usize) -> Order {
    let mut order = shop.order_of(UserId::generate(), &[(product, 1)]);
    order.request = Request { zone: shop.zone(zone), expect_total: None };
    shop.ledger().place(order).await.expect("it is in stock").order
}

/// Checks that a list holds exactly those of these orders that fit, newest first. Other shops' orders may be in
/// it, too.
async fn check(shop: &Arc<Shop>, made: &[Order], query: &OrderQuery, fits: impl Fn(&Order) -> bool) {
    let own: BTreeSet<OrderId> = made.iter().map(|order| order.id).collect();
    let found = shop.orders_all(None, query).await;
    assert!(
        found.is_sorted_by(|a, b| (a.created_at, a.id) > (b.created_at, b.id)),
        "newest first, each once"
    );
    let found: Vec<&Order> = found.iter().filter(|order| own.contains(&order.id)).collect();
    let mut wanted: Vec<&Order> = made.iter().filter(|order| fits(order)).collect();
    wanted.sort_by_key(|order| std::cmp::Reverse((order.created_at, order.id)));
    assert_eq!(found, wanted, "{query:?}");
}

async fn orders_are_listed_by_zone_status_and_period(world: &World) {
    let shop = world.shop().await;
    let product = phone(&shop).await;
    let start = shop.now();
    let mut made = Vec::new();
    for i in 0..12 {
        shop.clock.advance(Duration::from_secs(60));
        let mut order = order_in_zone(&shop, &product, i % 2).await;
        let found = OrderRef { id: order.id, user: None };
        if i % 3 == 1 {
            order = shop.ledger().advance(found, OrderStatus::Paid).await.expect("it is paid");
        }
        if i % 3 == 2 {
            order = shop.ledger().cancel(found).await.expect("it is cancelled");
        }
        made.push(order);
    }
    let (from, to) = (Some(made[3].created_at), Some(made[9].created_at));
    for limit in [size(100), size(2)] {
        let all = OrderQuery { from: Some(start), limit, ..OrderQuery::default() };
        check(&shop, &made, &all, |_| true).await;
        for status in OrderStatus::ALL {
            let query = OrderQuery { status: Some(status), ..all.clone() };
            check(&shop, &made, &query, |order| order.status == status).await;
            let zone = shop.zone(1);
            let query = OrderQuery { zone: Some(zone.clone()), ..query };
            check(&shop, &made, &query, |order| order.status == status && order.zone == zone).await;
        }
        let zone = shop.zone(0);
        let query = OrderQuery { zone: Some(zone.clone()), ..all.clone() };
        check(&shop, &made, &query, |order| order.zone == zone).await;
        let in_period = |order: &Order| Some(order.created_at) >= from && Some(order.created_at) < to;
        check(&shop, &made, &OrderQuery { from, to, limit, ..OrderQuery::default() }, in_period).await;
        let everything =
            OrderQuery { from, to, zone: Some(zone.clone()), status: Some(OrderStatus::Paid), ..all };
        check(&shop, &made, &everything, |order| {
            in_period(order) && order.zone == zone && order.status == OrderStatus::Paid
        })
        .await;
    }
}

async fn pages_survive_new_orders(world: &World) {
    let shop = world.shop().await;
    let product = phone(&shop).await;
    let mut query = OrderQuery { from: Some(shop.now()), limit: size(7), ..OrderQuery::default() };
    let mut old = BTreeSet::new();
    for _ in 0..10 {
        // Four orders of one moment, so that pages also end among equals.
        let placed = shop
            .at_once(4, |_, shop| {
                let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
                async move { shop.ledger().place(order).await.expect("it is in stock").order.id }
            })
            .await;
        old.extend(placed);
        shop.tick();
    }
    let mut seen = Vec::new();
    loop {
        let page = shop.orders_page(None, &query).await;
        seen.extend(page.items.iter().map(|order| order.id));
        shop.ordered(UserId::generate(), &[(&product, 1)]).await;
        query.after = page.next;
        if query.after.is_none() {
            break;
        }
    }
    let set: BTreeSet<OrderId> = seen.iter().copied().collect();
    assert_eq!(set.len(), seen.len(), "no order is seen twice");
    assert!(old.is_subset(&set), "no old order is missed");
}

async fn an_order_is_reached_by_its_id_alone(world: &World) {
    let shop = world.shop().await;
    let product = phone(&shop).await;
    for zone in [0, 1, 0] {
        let order = order_in_zone(&shop, &product, zone).await;
        for user in [None, Some(order.user_id)] {
            let found =
                shop.ledger().order(OrderRef { id: order.id, user }).await.expect("orders are readable");
            assert_eq!(
                found.as_ref(),
                Some(&order),
                "an order is reached by its id alone, and with its buyer"
            );
        }
    }
}
