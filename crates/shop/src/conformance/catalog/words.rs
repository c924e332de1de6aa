//! Finding products by words of their names.

use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::product::ProductDraft;
use crate::search::Search;

chapter! { $ conformance_catalog_words in catalog::words:
    words_are_found_in_any_case_and_order,
    only_the_last_word_may_be_a_beginning,
    yo_and_ye_are_one_letter,
    signs_in_a_query_are_only_signs,
    a_new_name_is_found_and_the_old_one_is_not,
}

async fn named(shop: &Shop, name: &str) -> crate::product::Product {
    shop.listed(ProductDraft { name: format!("{} {name}", shop.tag), ..shop.draft(1_000) }).await
}

/// How many of this shop's products a query finds. The shop's own word comes first, so it is never the last.
async fn count(shop: &Shop, query: &str) -> usize {
    let q = Some(format!("{} {query}", shop.tag));
    shop.search_all(&Search { q, ..Search::default() }).await.len()
}

async fn words_are_found_in_any_case_and_order(world: &World) {
    let shop = world.shop().await;
    named(&shop, "Смартфон Samsung Galaxy S24, чёрный").await;
    named(&shop, "Чехол для Samsung Galaxy").await;
    for (query, wanted) in [
        ("смартфон", 1),
        ("СМАРТФОН", 1),
        ("samsung", 2),
        ("SAMSUNG galaxy", 2),
        ("galaxy Samsung", 2),
        ("s24", 1),
        ("чехол samsung", 1),
        ("чехол смартфон", 0),
        ("nokia", 0),
        ("alaxy", 0),
    ] {
        assert_eq!(count(&shop, query).await, wanted, "products found for {query:?}");
    }
}

async fn only_the_last_word_may_be_a_beginning(world: &World) {
    let shop = world.shop().await;
    named(&shop, "Наушники Sony WH-1000XM5").await;
    for (query, wanted) in [
        ("науш", 1),
        ("sony 10", 1),
        ("so", 1),
        ("so наушники", 0),
        ("наушники so", 1),
        ("науш sony", 0),
        ("wh 1000xm5", 1),
    ] {
        assert_eq!(count(&shop, query).await, wanted, "products found for {query:?}");
    }
}

async fn yo_and_ye_are_one_letter(world: &World) {
    let shop = world.shop().await;
    named(&shop, "Зелёный чайник").await;
    named(&shop, "Зеленый утюг").await;
    for query in ["зелёный", "зеленый", "ЗЕЛЁНЫЙ", "зелё", "зеле"] {
        assert_eq!(count(&shop, query).await, 2, "products found for {query:?}");
    }
}

async fn signs_in_a_query_are_only_signs(world: &World) {
    let shop = world.shop().await;
    named(&shop, "Кабель USB-C 2.0 (1 м) \"Pro\"").await;
    for query in
        ["usb-c", "usb c", "(1 м)", "\"pro\"", "2.0", "usb* ", "кабель: usb", "pro'", "%pro%", "-usb"]
    {
        assert_eq!(count(&shop, query).await, 1, "products found for {query:?}");
    }
    for query in ["usb OR nokia", "nokia*", "NOT usb nokia", "^nokia", "u_b", "_"] {
        let found = count(&shop, query).await;
        let expected = usize::from(query == "_");
        assert_eq!(found, expected, "a query is no language: products found for {query:?}");
    }
}

async fn a_new_name_is_found_and_the_old_one_is_not(world: &World) {
    let shop = world.shop().await;
    let product = named(&shop, "старое имя").await;
    let draft = ProductDraft { name: format!("{} новое имя", shop.tag), ..shop.draft(1_000) };
    shop.catalog().upsert(product.id, draft).await.expect("a product may be renamed");
    assert_eq!(count(&shop, "новое").await, 1, "found under its new name");
    assert_eq!(count(&shop, "старое").await, 0, "gone from under its old name");
}
