//! Writing products: each change is seen at once, everywhere it matters.

use crate::conformance::World;
use crate::conformance::fixture::refused;
use crate::error::Refusal;
use crate::ids::{ProductId, UserId};
use crate::product::{Attribute, Offer, ProductDraft, ProductRef, ZoneStock};
use crate::search::Search;

chapter! { $ conformance_catalog_writes in catalog::writes:
    a_product_reads_as_it_was_written,
    a_changed_category_and_price_are_found_and_the_old_ones_are_not,
    version_and_write_time_grow_with_every_write,
    stock_changes_leave_version_and_write_time,
    wrong_hints_only_cost,
    an_offer_tells_what_the_product_tells,
    an_unknown_product_is_none,
    stock_in_an_upsert_sets_and_without_it_keeps,
    a_withdrawn_product_is_not_searched_and_a_new_upsert_brings_it_back,
    upserts_of_one_id_at_once_make_one_product,
    many_products_are_written_as_one_by_one,
}

async fn a_product_reads_as_it_was_written(world: &World) {
    let shop = world.shop().await;
    let attribute = |key: &str, value: &str| Attribute { key: key.to_owned(), value: value.to_owned() };
    let draft = ProductDraft {
        name: format!("{} Телефон «Ё» 'x' \"y\" %_", shop.tag),
        description: "Строка\nи ещё одна, 😀".to_owned(),
        subcategory: Some("phone".to_owned()),
        attributes: vec![attribute("z", "last"), attribute("a", "first"), attribute("m", "")],
        stock: Some(vec![ZoneStock { zone: shop.zone(1), quantity: 3 }]),
        ..shop.draft(12_345)
    };
    let id = ProductId::generate();
    let written = shop.catalog().upsert(id, draft.clone()).await.expect("a legal draft is written");
    assert!(written.created, "the first upsert of an id makes the product");
    let found = shop.catalog().product(&ProductRef::by_id(id)).await.expect("products are readable");
    let found = found.expect("a product that was written is found");
    assert_eq!(**found, written.product, "what upsert answers is what is stored");
    assert_eq!((&found.name, &found.description), (&draft.name, &draft.description));
    assert_eq!((&found.category, &found.subcategory), (&draft.category, &draft.subcategory));
    assert_eq!(found.attributes, draft.attributes, "attributes keep their order");
    assert_eq!((found.price, found.withdrawn), (draft.price, false));
    let zones: Vec<_> = found.stock.iter().map(|stock| (stock.zone.clone(), stock.quantity)).collect();
    let wanted: Vec<_> =
        (0..shop.settings.zones.len()).map(|i| (shop.zone(i), if i == 1 { 3 } else { 0 })).collect();
    assert_eq!(zones, wanted, "every zone of the store, in the store's order");
    assert!(!shop.catalog().is_empty().await.expect("emptiness is readable"), "there is a product now");
}

async fn a_changed_category_and_price_are_found_and_the_old_ones_are_not(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let draft = ProductDraft { category: shop.category(1), ..shop.draft(90_000) };
    let changed = shop.catalog().upsert(product.id, draft).await.expect("category and price may change");
    assert!(!changed.created, "it is the same product");
    assert_eq!(changed.product.category, shop.category(1));
    let own = Search { q: Some(shop.tag.clone()), ..Search::default() };
    let count = async |search: Search| shop.search_all(&search).await.len();
    assert_eq!(
        count(Search { category: Some(shop.category(1)), ..own.clone() }).await,
        1,
        "in the new category"
    );
    assert_eq!(
        count(Search { category: Some(shop.category(0)), ..own.clone() }).await,
        0,
        "not in the old one"
    );
    assert_eq!(count(Search { min_price: Some(90_000), ..own.clone() }).await, 1, "under the new price");
    assert_eq!(count(Search { max_price: Some(10_000), ..own.clone() }).await, 0, "not under the old price");
    assert_eq!(count(Search { zone: Some(shop.zone(0)), ..own.clone() }).await, 1, "with its stock");
    assert_eq!(count(own).await, 1, "once");
    assert_eq!(shop.pieces(product.id).await, 5, "the stock moved along");
}

async fn version_and_write_time_grow_with_every_write(world: &World) {
    let shop = world.shop().await;
    let mut last = shop.stocked(10_000, 5).await;
    // The clock stands still: the write time must grow all the same.
    for i in 0..5 {
        let draft = ProductDraft { category: shop.category(i % 2), ..shop.draft(10_000) };
        let next =
            shop.catalog().upsert(last.id, draft).await.expect("a product may be written again").product;
        assert_eq!(next.version, last.version + 1, "the version counts writes");
        assert!(next.updated_at > last.updated_at, "the write time grows");
        last = next;
    }
}

async fn stock_changes_leave_version_and_write_time(world: &World) {
    let shop = world.shop().await;
    let before = shop.stocked(10_000, 5).await;
    shop.tick();
    let after = shop.ledger().adjust(before.id, &shop.zone(0), 3).await.expect("pieces are added");
    assert_eq!((after.version, after.updated_at), (before.version, before.updated_at), "stock is no edit");
    assert_eq!(after.stock[0].quantity, 8, "the answer holds the new stock");
}

async fn wrong_hints_only_cost(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    for category in [None, Some(shop.category(0)), Some(shop.category(1))] {
        for zone in [None, Some(shop.zone(0)), Some(shop.zone(3))] {
            let hinted = ProductRef { id: product.id, category: category.clone(), zone };
            let found = shop.catalog().product(&hinted).await.expect("products are readable");
            assert_eq!(
                found.as_deref().map(|found| &**found),
                Some(&product),
                "found whatever the hints: {hinted:?}"
            );
            let stock = shop.ledger().stock(&hinted).await.expect("stock is readable");
            assert_eq!(
                stock.as_ref(),
                Some(&product.stock),
                "stock in every zone, whatever the hints: {hinted:?}"
            );
        }
    }
}

async fn an_offer_tells_what_the_product_tells(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let check = async |withdrawn: bool, when: &str| {
        let found =
            shop.catalog().product(&ProductRef::by_id(product.id)).await.expect("products are readable");
        let found = found.expect("it is there");
        let wanted = Offer {
            name: found.name.clone(),
            category: found.category.clone(),
            price: found.price,
            withdrawn,
        };
        for category in [None, Some(shop.category(0)), Some(shop.category(1))] {
            for zone in [None, Some(shop.zone(0)), Some(shop.zone(3))] {
                let hinted = ProductRef { id: product.id, category: category.clone(), zone };
                let offer = shop.catalog().offer(&hinted).await.expect("offers are readable");
                assert_eq!(offer.as_ref(), Some(&wanted), "{when}, whatever the hints: {hinted:?}");
            }
        }
    };
    check(false, "when it is new").await;
    let name = format!("{} renamed", shop.tag);
    let draft = ProductDraft { name, category: shop.category(1), ..shop.draft(77) };
    shop.catalog().upsert(product.id, draft).await.expect("everything may change");
    check(false, "after a change").await;
    shop.catalog().withdraw(product.id).await.expect("it is withdrawn");
    check(true, "when it is withdrawn").await;
}

async fn an_unknown_product_is_none(world: &World) {
    let shop = world.shop().await;
    let id = ProductId::generate();
    for category in [None, Some(shop.category(0))] {
        let nobody = ProductRef { id, category, zone: None };
        assert!(shop.catalog().product(&nobody).await.expect("products are readable").is_none());
        assert_eq!(shop.catalog().offer(&nobody).await.expect("offers are readable"), None);
        assert_eq!(shop.ledger().stock(&nobody).await.expect("stock is readable"), None);
    }
    assert!(
        !shop.catalog().withdraw(id).await.expect("withdrawing nothing is no failure"),
        "it was not there"
    );
}

async fn stock_in_an_upsert_sets_and_without_it_keeps(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let write = async |stock: Option<Vec<ZoneStock>>| {
        let draft = ProductDraft { stock, ..shop.draft(10_000) };
        let product =
            shop.catalog().upsert(product.id, draft).await.expect("a legal draft is written").product;
        product.stock.iter().map(|stock| stock.quantity).collect::<Vec<_>>()
    };
    assert_eq!(write(None).await, [5, 0, 0, 0], "without stock it keeps");
    let second = vec![ZoneStock { zone: shop.zone(1), quantity: 9 }];
    assert_eq!(write(Some(second)).await, [5, 9, 0, 0], "zones that are not named keep theirs");
    let first = vec![ZoneStock { zone: shop.zone(0), quantity: 0 }];
    assert_eq!(write(Some(first)).await, [0, 9, 0, 0], "a quantity is set, not added");
    assert_eq!(write(Some(Vec::new())).await, [0, 9, 0, 0], "an empty list names no zone");
    assert_eq!(shop.pieces_in(product.id, 1).await, 9, "the ledger sees the same stock");
}

async fn a_withdrawn_product_is_not_searched_and_a_new_upsert_brings_it_back(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let own = Search { q: Some(shop.tag.clone()), ..Search::default() };
    assert!(shop.catalog().withdraw(product.id).await.expect("a product is withdrawn"), "it was there");
    assert_eq!(shop.search_all(&own).await.len(), 0, "withdrawn products are not searched");
    let found = shop.catalog().product(&ProductRef::by_id(product.id)).await.expect("products are readable");
    assert!(found.expect("it is still there for old orders").withdrawn, "and says that it is withdrawn");
    let order = shop.order_of(UserId::generate(), &[(&product, 1)]);
    let refusal = refused(shop.ledger().place(order.clone()).await, "an order of a withdrawn product");
    assert_eq!(refusal, Refusal::NotForSale(product.id));
    let again = shop.catalog().upsert(product.id, shop.draft(10_000)).await.expect("it may be listed again");
    assert!(!again.product.withdrawn, "an upsert sells it again");
    assert!(again.product.version > product.version, "its version goes on");
    assert_eq!(shop.search_all(&own).await.len(), 1, "it is searched again");
    assert_eq!(shop.pieces(product.id).await, 5, "its stock was kept");
    shop.ledger().place(order).await.expect("it is sold again");
}

async fn upserts_of_one_id_at_once_make_one_product(world: &World) {
    let shop = world.shop().await;
    let id = ProductId::generate();
    let written = shop
        .at_once(8, |i, shop| async move {
            let draft = ProductDraft { category: shop.category(i % 4), ..shop.draft(1_000 * (i as i64 + 1)) };
            shop.catalog().upsert(id, draft).await.expect("a legal draft is written")
        })
        .await;
    assert_eq!(written.iter().filter(|upserted| upserted.created).count(), 1, "one of them made it");
    let mut versions: Vec<u64> = written.iter().map(|upserted| upserted.product.version).collect();
    versions.sort_unstable();
    assert!(versions.windows(2).all(|pair| pair[0] + 1 == pair[1]), "each write counts once: {versions:?}");
    let found = shop.search_all(&Search { q: Some(shop.tag.clone()), ..Search::default() }).await;
    let last = written.iter().map(|upserted| &upserted.product).max_by_key(|product| product.version);
    assert_eq!(
        found.iter().collect::<Vec<_>>(),
        last.into_iter().collect::<Vec<_>>(),
        "the last write stands, once"
    );
}

async fn many_products_are_written_as_one_by_one(world: &World) {
    let shop = world.shop().await;
    let known = shop.stocked(10_000, 5).await;
    let stock = Some(vec![ZoneStock { zone: shop.zone(1), quantity: 2 }]);
    let new = ProductId::generate();
    let drafts = vec![
        (known.id, shop.draft(70_000)),
        (new, ProductDraft { stock: stock.clone(), ..shop.draft(80_000) }),
    ];
    shop.catalog().upsert_many(drafts).await.expect("many products are written");
    let found = shop.search_all(&Search { q: Some(shop.tag.clone()), ..Search::default() }).await;
    let mut prices: Vec<i64> = found.iter().map(|product| product.price.amount()).collect();
    prices.sort_unstable();
    assert_eq!(prices, [70_000, 80_000], "the known one changed, the new one came");
    assert_eq!(
        (shop.pieces(known.id).await, shop.pieces_in(new, 1).await),
        (5, 2),
        "stock kept and stock set"
    );
}
