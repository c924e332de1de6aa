//! Every filter alone and with others, against the plainest possible search: look at each product and ask.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::conformance::pages::size;
use crate::ids::ProductId;
use crate::product::{Attribute, Product, ProductDraft, ZoneStock};
use crate::search::{Search, Sort, words};

chapter! { $ conformance_catalog_filters in catalog::filters:
    each_filter_alone_finds_exactly_what_it_says,
    filters_narrow_each_other,
    results_come_in_the_order_asked_for,
    in_stock_follows_stock_to_zero_and_back,
}

/// Sixteen products that differ in everything a filter looks at, some of them with equal prices.
async fn assortment(shop: &Shop) -> Vec<Product> {
    let mut products = Vec::new();
    for i in 0..16_usize {
        let subcategory = [None, Some("phone"), Some("tablet"), Some("phone")][i % 4].map(str::to_owned);
        let attribute = |key: &str, value: &str| Attribute { key: key.to_owned(), value: value.to_owned() };
        let colour = ["black", "white", "чёрный"][i % 3];
        let memory = ["128", "256"][i % 2];
        let draft = ProductDraft {
            name: format!("{} {} {}", shop.tag, ["Galaxy", "Редми", "Pixel"][i % 3], ["Pro", "Lite"][i % 2]),
            category: shop.category([0, 0, 1, 2][i % 4]),
            subcategory,
            price: shop.money([10_000, 20_000, 20_000, 50_000, 50_001][i % 5]),
            attributes: vec![attribute("color", colour), attribute("memory", memory)],
            stock: Some(vec![
                ZoneStock { zone: shop.zone(0), quantity: u32::from(i % 2 == 0) },
                ZoneStock { zone: shop.zone(1), quantity: u32::from(i % 3 == 0) * 7 },
            ]),
            ..shop.draft(1)
        };
        products.push(shop.listed(draft).await);
        shop.tick();
    }
    products
}

fn fits(search: &Search, product: &Product) -> bool {
    let name = words(&product.name);
    let wanted = search.q.as_deref().map(words).unwrap_or_default();
    let words_fit = wanted.split_last().is_none_or(|(last, whole)| {
        whole.iter().all(|word| name.contains(word)) && name.iter().any(|word| word.starts_with(last))
    });
    let in_stock = |zone| product.stock.iter().any(|stock| &stock.zone == zone && stock.quantity > 0);
    let has = |(key, value): &(String, String)| {
        product.attributes.iter().any(|attribute| &attribute.key == key && &attribute.value == value)
    };
    words_fit
        && search.category.as_ref().is_none_or(|category| category == &product.category)
        && search.subcategory.as_ref().is_none_or(|sub| Some(sub) == product.subcategory.as_ref())
        && search.zone.as_ref().is_none_or(in_stock)
        && search.min_price.is_none_or(|min| product.price.amount() >= min)
        && search.max_price.is_none_or(|max| product.price.amount() <= max)
        && search.attributes.iter().all(has)
}

async fn check(shop: &Arc<Shop>, products: &[Product], search: &Search) -> usize {
    let found: Vec<ProductId> = shop.search_all(search).await.iter().map(|product| product.id).collect();
    let set: BTreeSet<ProductId> = found.iter().copied().collect();
    assert_eq!(set.len(), found.len(), "a product came twice for {search:?}");
    let wanted: BTreeSet<ProductId> =
        products.iter().filter(|product| fits(search, product)).map(|product| product.id).collect();
    let missed: Vec<_> = wanted.difference(&set).collect();
    let wrong: Vec<_> = set.difference(&wanted).collect();
    assert!(
        missed.is_empty() && wrong.is_empty(),
        "{search:?} missed {missed:?} and wrongly found {wrong:?}"
    );
    found.len()
}

fn single_filters(shop: &Shop) -> Vec<Search> {
    let any = Search { limit: size(100), ..Search::default() };
    let attribute = |key: &str, value: &str| vec![(key.to_owned(), value.to_owned())];
    vec![
        Search { q: Some(shop.tag.clone()), ..any.clone() },
        Search { category: Some(shop.category(0)), ..any.clone() },
        Search { category: Some(shop.category(2)), ..any.clone() },
        Search { subcategory: Some("phone".to_owned()), ..any.clone() },
        Search { zone: Some(shop.zone(0)), ..any.clone() },
        Search { zone: Some(shop.zone(1)), ..any.clone() },
        Search { min_price: Some(50_000), ..any.clone() },
        Search { max_price: Some(20_000), ..any.clone() },
        Search { min_price: Some(20_000), max_price: Some(20_000), ..any.clone() },
        Search { attributes: attribute("color", "чёрный"), ..any.clone() },
        Search { attributes: attribute("memory", "256"), ..any },
    ]
}

async fn each_filter_alone_finds_exactly_what_it_says(world: &World) {
    let shop = world.shop().await;
    let products = assortment(&shop).await;
    check(&shop, &products, &Search::default()).await;
    for search in single_filters(&shop) {
        assert!(check(&shop, &products, &search).await > 0, "{search:?} is meant to find something");
    }
    let empty = Search { zone: Some(shop.zone(2)), q: Some(shop.tag.clone()), ..Search::default() };
    assert_eq!(check(&shop, &products, &empty).await, 0, "no product has stock in the third zone");
    let other_key = vec![("memory".to_owned(), "black".to_owned())];
    let mixed = Search { attributes: other_key, q: Some(shop.tag.clone()), ..Search::default() };
    assert_eq!(check(&shop, &products, &mixed).await, 0, "key and value must stand in one attribute");
}

async fn filters_narrow_each_other(world: &World) {
    let shop = world.shop().await;
    let products = assortment(&shop).await;
    let singles = single_filters(&shop);
    let combine = |a: &Search, b: &Search| Search {
        q: a.q.clone().or_else(|| b.q.clone()),
        category: a.category.clone().or_else(|| b.category.clone()),
        subcategory: a.subcategory.clone().or_else(|| b.subcategory.clone()),
        zone: a.zone.clone().or_else(|| b.zone.clone()),
        min_price: a.min_price.or(b.min_price),
        max_price: a.max_price.or(b.max_price),
        attributes: a.attributes.iter().chain(&b.attributes).cloned().collect(),
        ..a.clone()
    };
    let sorts = [Sort::PriceUp, Sort::PriceDown, Sort::Newest];
    for (i, a) in singles.iter().enumerate() {
        for (j, b) in singles.iter().enumerate().skip(i + 1) {
            let search = Search { sort: sorts[(i + j) % 3], limit: size(3 + j as u32), ..combine(a, b) };
            check(&shop, &products, &search).await;
        }
    }
    let everything = singles.iter().fold(Search::default(), |all, one| combine(&all, one));
    check(&shop, &products, &everything).await;
}

async fn results_come_in_the_order_asked_for(world: &World) {
    let shop = world.shop().await;
    let listed = assortment(&shop).await;
    for page_size in [100, 5, 1] {
        let search =
            |sort| Search { q: Some(shop.tag.clone()), sort, limit: size(page_size), ..Search::default() };
        let up: Vec<i64> =
            shop.search_all(&search(Sort::PriceUp)).await.iter().map(|found| found.price.amount()).collect();
        assert!(up.is_sorted(), "cheapest first: {up:?}");
        assert_eq!(up.len(), listed.len(), "equal prices hide nothing with pages of {page_size}");
        let down = shop.search_all(&search(Sort::PriceDown)).await;
        let down: Vec<i64> = down.iter().map(|found| found.price.amount()).rev().collect();
        assert!(down.is_sorted(), "dearest first: {down:?}, reversed");
        assert_eq!(down.len(), listed.len(), "equal prices hide nothing with pages of {page_size}");
        let newest = shop.search_all(&search(Sort::Newest)).await;
        let newest: Vec<ProductId> = newest.iter().map(|found| found.id).collect();
        let wanted: Vec<ProductId> = listed.iter().rev().map(|product| product.id).collect();
        assert_eq!(newest, wanted, "the last listed comes first, in pages of {page_size}");
    }
}

async fn in_stock_follows_stock_to_zero_and_back(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 2).await;
    let here = Search { zone: Some(shop.zone(0)), q: Some(shop.tag.clone()), ..Search::default() };
    let there = Search { zone: Some(shop.zone(1)), ..here.clone() };
    let count = async |search: &Search| shop.search_all(search).await.len();
    assert_eq!((count(&here).await, count(&there).await), (1, 0), "in stock in the first zone only");
    let adjust = async |delta| shop.ledger().adjust(product.id, &shop.zone(0), delta).await;
    adjust(-2).await.expect("two of two pieces are taken");
    assert_eq!(count(&here).await, 0, "with the last piece gone it is not in stock");
    // Whether a change by nothing is refused or done: it brings no piece.
    let _ = adjust(0).await;
    assert_eq!(count(&here).await, 0, "no piece came, so it is still not in stock");
    adjust(1).await.expect("one piece comes back");
    assert_eq!(count(&here).await, 1, "with one piece it is in stock again");
    shop.ordered(crate::UserId::generate(), &[(&product, 1)]).await;
    assert_eq!(count(&here).await, 0, "a sale takes it out of stock as well");
    shop.ledger().adjust(product.id, &shop.zone(1), 1).await.expect("a piece comes to the second zone");
    assert_eq!(
        (count(&here).await, count(&there).await),
        (0, 1),
        "now it is in stock in the second zone only"
    );
}
