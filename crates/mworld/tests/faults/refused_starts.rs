//! Starts that must not happen, and the words that say why.

use std::time::Duration;

use crate::goods;
use crate::process::{Start, Store};
use crate::{alone, within};

#[test]
fn a_second_store_on_the_same_directory_is_refused_and_harms_nothing() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let store = Start::in_dir(&data).open().await;
        let goods = goods::list(&store, 1, 9).await;
        let words = refused(&Start::in_dir(&data).log_to(&dir.path().join("second.log"))).await;
        assert!(words.contains(data.to_str().unwrap()), "it names the directory: {words}");
        let holder = store.pid().as_raw_nonzero().to_string();
        assert!(words.contains(&holder), "it names process {holder}: {words}");
        assert_eq!(goods::left(&mut store.connect().await, &goods[0]).await, 9, "the first one goes on");
    });
}

#[test]
fn another_layout_or_number_of_shards_is_refused_with_the_way_out() {
    let _machine = alone();
    within(Duration::from_secs(60), async {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        let start = Start::in_dir(&data);
        let log = |name: &str| start.clone().log_to(&dir.path().join(name));
        close(start.open().await).await;
        let words = refused(&log("shards").flag("--shards", "5")).await;
        assert!(words.contains("has 4 shards, not 5") && words.contains("--shards 4"), "{words}");
        let words = refused(&log("layout").flag("--layout", "geo-zoned")).await;
        assert!(words.contains("geo-zoned") && words.contains("--layout category-spread"), "{words}");
        // A refusal changes nothing: what was there still opens as it was.
        close(start.clone().flag("--shards", "4").flag("--layout", "category-spread").open().await).await;
    });
}

async fn close(mut store: Store) {
    store.terminate();
    assert_eq!(store.ended(Duration::from_secs(15)).await.code(), Some(0));
}

/// What a start says that ends by itself with exit code 1.
async fn refused(start: &Start) -> String {
    let mut store = start.launch();
    let status = store.ended(Duration::from_secs(10)).await;
    let words = store.log();
    assert_eq!(status.code(), Some(1), "{words}");
    words
}
