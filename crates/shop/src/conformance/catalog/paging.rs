//! Pages of a search stay in place while products come and go around them.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::conformance::pages::size;
use crate::ids::ProductId;
use crate::product::{Product, ProductDraft};
use crate::search::{Search, Sort};

chapter! { $ conformance_catalog_paging in catalog::paging:
    pages_by_price_up_survive_inserts,
    pages_by_price_down_survive_inserts,
    pages_by_newest_survive_inserts,
    the_last_full_page_has_no_next,
}

/// 150 products over all categories, whose prices repeat often.
async fn many(shop: &Shop) -> BTreeSet<ProductId> {
    let mut drafts = Vec::new();
    for i in 0..150_usize {
        let category = shop.category(i % shop.settings.categories.len());
        let price = 10_000 + 1_000 * (i % 7) as i64;
        drafts.push((ProductId::generate(), ProductDraft { category, ..shop.draft(price) }));
    }
    let ids = drafts.iter().map(|(id, _)| *id).collect();
    for part in drafts.chunks(25) {
        shop.catalog().upsert_many(part.to_vec()).await.expect("many products are written");
        shop.tick();
    }
    ids
}

/// Pages through everything while products are listed between the pages, some in front of the cursor, some behind.
async fn page_under_inserts(world: &World, sort: Sort, in_order: fn(&[Product]) -> bool) {
    let shop = world.shop().await;
    let old = many(&shop).await;
    let search = Search { q: Some(shop.tag.clone()), sort, limit: size(11), ..Search::default() };
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = shop.search_page(&search, after).await;
        seen.extend(page.items);
        for price in [9_000, 13_000, 13_500, 20_000] {
            shop.listed(shop.draft(price)).await;
        }
        shop.tick();
        after = page.next;
        // A list that is fed faster than it is read need not end; every old product has been passed by then.
        if after.is_none() || seen.len() > 400 {
            break;
        }
    }
    assert!(in_order(&seen), "the pages together are in the order of {sort:?}");
    check_seen(&shop, &old, &seen);
}

fn check_seen(shop: &Arc<Shop>, old: &BTreeSet<ProductId>, seen: &[Product]) {
    let ids: BTreeSet<ProductId> = seen.iter().map(|product| product.id).collect();
    assert_eq!(ids.len(), seen.len(), "no product is seen twice");
    let missed: Vec<_> = old.difference(&ids).collect();
    assert!(missed.is_empty(), "old products were missed: {missed:?}");
    assert!(seen.iter().all(|product| product.name.contains(&shop.tag)), "only what was asked for");
}

async fn pages_by_price_up_survive_inserts(world: &World) {
    page_under_inserts(world, Sort::PriceUp, |seen| seen.is_sorted_by_key(|found| found.price.amount()))
        .await;
}

async fn pages_by_price_down_survive_inserts(world: &World) {
    page_under_inserts(world, Sort::PriceDown, |seen| seen.is_sorted_by_key(|found| -found.price.amount()))
        .await;
}

async fn pages_by_newest_survive_inserts(world: &World) {
    page_under_inserts(world, Sort::Newest, |seen| {
        seen.is_sorted_by_key(|found| std::cmp::Reverse(found.updated_at))
    })
    .await;
}

async fn the_last_full_page_has_no_next(world: &World) {
    let shop = world.shop().await;
    for price in [1_000, 2_000, 2_000, 3_000] {
        shop.listed(shop.draft(price)).await;
    }
    for sort in [Sort::PriceUp, Sort::PriceDown, Sort::Newest] {
        let search = Search { q: Some(shop.tag.clone()), sort, limit: size(2), ..Search::default() };
        let first = shop.search_page(&search, None).await;
        assert!(first.next.is_some(), "two of four products, by {sort:?}: there is more");
        let second = shop.search_page(&search, first.next).await;
        assert_eq!(
            (second.items.len(), second.next),
            (2, None),
            "the last two, by {sort:?}: nothing comes after"
        );
    }
}
