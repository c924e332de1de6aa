//! Changing stock: never below zero, never lost.

use crate::conformance::World;
use crate::conformance::fixture::refused;
use crate::error::Refusal;
use crate::ids::ProductId;
use crate::product::MAX_STOCK;

chapter! { $ conformance_ledger_stock in ledger::stock:
    stock_never_goes_below_zero,
    stock_never_exceeds_its_limit,
    changes_at_once_sum_up,
    takers_at_once_stop_at_zero,
    stock_of_an_unknown_product_is_refused,
}

async fn stock_never_goes_below_zero(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    let zone = shop.zone(0);
    for delta in [-4, i64::from(i32::MIN), i64::MIN] {
        let refusal = refused(shop.ledger().adjust(product.id, &zone, delta).await, "more than there is");
        let wanted =
            Refusal::StockBelowZero { product_id: product.id, zone: zone.clone(), delta, available: 3 };
        assert_eq!(refusal, wanted);
    }
    let empty = refused(shop.ledger().adjust(product.id, &shop.zone(1), -1).await, "a zone without any");
    assert!(matches!(empty, Refusal::StockBelowZero { available: 0, .. }), "{empty:?}");
    let product = shop.ledger().adjust(product.id, &zone, -3).await.expect("all three may go");
    assert_eq!(product.stock[0].quantity, 0);
}

async fn stock_never_exceeds_its_limit(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 3).await;
    for delta in [i64::from(MAX_STOCK), i64::MAX] {
        let refusal = refused(shop.ledger().adjust(product.id, &shop.zone(0), delta).await, "too much");
        assert!(matches!(refusal, Refusal::InvalidStock { max: MAX_STOCK, .. }), "{refusal:?}");
    }
    assert_eq!(shop.pieces(product.id).await, 3, "nothing changed");
    let full = shop.ledger().adjust(product.id, &shop.zone(0), i64::from(MAX_STOCK) - 3).await;
    assert_eq!(full.expect("exactly the limit is legal").stock[0].quantity, MAX_STOCK);
}

async fn changes_at_once_sum_up(world: &World) {
    let shop = world.shop().await;
    let id = shop.stocked(10_000, 100).await.id;
    shop.at_once(20, |i, shop| async move {
        let delta = if i % 2 == 0 { 7 } else { -4 };
        shop.ledger().adjust(id, &shop.zone(i % 4 / 2), delta).await.map(|_| ())
    })
    .await
    .into_iter()
    .filter_map(Result::err)
    .for_each(|error| {
        // Only the second zone may run empty, when a taker comes before the givers.
        assert!(matches!(error.refusal(), Some(Refusal::StockBelowZero { .. })), "{error}");
    });
    assert_eq!(
        shop.pieces(id).await,
        100 + 5 * 7 - 5 * 4,
        "the first zone never refused, so all its changes count"
    );
}

async fn takers_at_once_stop_at_zero(world: &World) {
    let shop = world.shop().await;
    let id = shop.stocked(10_000, 10).await.id;
    let answers =
        shop.at_once(16, |_, shop| async move { shop.ledger().adjust(id, &shop.zone(0), -1).await }).await;
    assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), 10, "ten pieces, ten takers");
    assert_eq!(shop.pieces(id).await, 0);
}

async fn stock_of_an_unknown_product_is_refused(world: &World) {
    let shop = world.shop().await;
    let id = ProductId::generate();
    let refusal = refused(shop.ledger().adjust(id, &shop.zone(0), 1).await, "stock of nothing");
    assert_eq!(refusal, Refusal::ProductNotFound(id));
}
