//! Which directories open, and which are refused with words.

use std::sync::Arc;

use mworld_embedded::{Engine, FILE_NAME, OpenError, Options, holder};
use mworld_placement::layout::load_shipped;
use mworld_shop::product::{ProductDraft, ProductRef, ZoneStock};
use mworld_shop::search::Search;
use mworld_shop::{Category, Currency, Money, ProductId, Settings, UserId, Zone};
use rusqlite::Connection;

use crate::till::{Till, options};

#[tokio::test]
async fn a_newer_schema_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    drop(Till::furnish(dir.path(), 1).await);
    let file = dir.path().join(FILE_NAME);
    Connection::open(&file).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = std::fs::read(&file).unwrap();
    let refused = Engine::open(options(dir.path())).err().expect("a newer schema is refused");
    assert!(matches!(refused, OpenError::NewerSchema { found: 99, .. }), "{refused}");
    assert!(refused.to_string().contains("99"), "{refused}");
    assert_eq!(std::fs::read(&file).unwrap(), before, "nothing was changed");
}

#[tokio::test]
async fn a_missing_directory_is_made() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("not").join("there").join("yet");
    let till = Till::furnish(&deep, 1).await;
    till.balance().await;
    assert!(deep.join(FILE_NAME).exists());
}

#[test]
fn a_file_in_the_place_of_the_directory_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("data");
    std::fs::write(&path, "a shopping list").unwrap();
    let refused = Engine::open(options(&path)).err().expect("a file is no directory");
    assert!(matches!(refused, OpenError::Io { .. }), "{refused}");
    assert!(refused.to_string().contains(path.to_str().unwrap()), "{refused}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a shopping list");
}

#[test]
fn a_directory_in_the_place_of_the_file_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join(FILE_NAME)).unwrap();
    let refused = Engine::open(options(dir.path())).err().expect("a directory is no store");
    assert!(matches!(refused, OpenError::Io { .. } | OpenError::Damaged { .. }), "{refused}");
}

#[test]
fn a_store_opens_once_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let first = Engine::open(options(dir.path())).unwrap();
    let refused = Engine::open(options(dir.path())).err().expect("it is in use");
    assert!(matches!(refused, OpenError::InUse { .. }), "{refused}");
    let words = refused.to_string();
    assert!(words.contains(&std::process::id().to_string()), "it names the process: {words}");
    assert_eq!(holder(dir.path()), Some(std::process::id()));
    drop(first);
    assert_eq!(holder(dir.path()), None);
    Engine::open(options(dir.path())).expect("free again");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_sold_is_there_after_every_reopening() {
    let dir = tempfile::tempdir().unwrap();
    let mut till = Till::furnish(dir.path(), 8).await;
    let mut sold = Vec::new();
    for round in 0..5 {
        for n in 0..20 {
            sold.push(till.sell(UserId::generate(), round + n).await.unwrap());
        }
        let products = till.products.clone();
        drop(till);
        till = Till::open(dir.path(), products).expect("an orderly closed store opens");
        let mut found = till.orders().await.unwrap();
        found.sort_by_key(|order| order.id);
        sold.sort_by_key(|order| order.id);
        assert_eq!(found, sold);
        till.balance().await;
    }
}

#[tokio::test]
async fn a_log_without_its_file_is_no_new_store() {
    let dir = tempfile::tempdir().unwrap();
    drop(Till::furnish(dir.path(), 1).await);
    std::fs::remove_file(dir.path().join(FILE_NAME)).unwrap();
    std::fs::write(dir.path().join(format!("{FILE_NAME}-wal")), "what a crash left").unwrap();
    let refused = Engine::open(options(dir.path())).err().expect("the log belongs to a store that is gone");
    assert!(matches!(refused, OpenError::Damaged { .. }), "{refused}");
}

#[tokio::test]
async fn an_emptied_file_is_no_new_store() {
    let dir = tempfile::tempdir().unwrap();
    drop(Till::furnish(dir.path(), 1).await);
    std::fs::write(dir.path().join(FILE_NAME), "").unwrap();
    let refused = Engine::open(options(dir.path())).err().expect("it has lost its contents");
    assert!(matches!(refused, OpenError::Damaged { .. }), "{refused}");
}

/// A zone that is configured away and back again has kept its stock, and its products can be written at every step.
#[tokio::test]
async fn a_zone_that_goes_and_comes_back_has_kept_its_stock() {
    for layout in ["category-spread", "geo-zoned", "category-spread+stock-apart"] {
        let dir = tempfile::tempdir().unwrap();
        let (id, kln) = (ProductId::generate(), Zone::new("kln").unwrap());
        let open = |without: Option<&Zone>| {
            let mut settings = Settings::default();
            settings.zones.retain(|zone| Some(&zone.id) != without);
            let layout = load_shipped(layout).expect("it is shipped").layout;
            let options = Options { layout, settings: Arc::new(settings), ..options(dir.path()) };
            Engine::open(options).expect("the store opens").parts()
        };
        let draft = |stock: Option<Vec<ZoneStock>>| ProductDraft {
            name: "Phone".to_owned(),
            description: String::new(),
            category: Category::new("audio").unwrap(),
            subcategory: None,
            price: Money::new(100, Currency::RUB).unwrap(),
            attributes: Vec::new(),
            stock,
        };
        let five = vec![ZoneStock { zone: kln.clone(), quantity: 5 }];
        open(None).catalog.upsert(id, draft(Some(five))).await.unwrap();
        open(Some(&kln)).catalog.upsert(id, draft(None)).await.unwrap();
        let parts = open(None);
        parts.catalog.upsert(id, draft(None)).await.unwrap();
        let stock = parts.ledger.stock(&ProductRef::by_id(id)).await.unwrap().unwrap();
        assert_eq!(stock.iter().find(|stock| stock.zone == kln).unwrap().quantity, 5, "{layout}");
        let search = Search { zone: Some(kln.clone()), ..Search::default() };
        assert_eq!(
            parts.catalog.search(&search).await.unwrap().items.len(),
            1,
            "{layout}: found where it is"
        );
    }
}
