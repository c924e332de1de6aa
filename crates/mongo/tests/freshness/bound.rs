//! One of two secondaries stands still for longer than the promise: reads go on, and none is too old.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mworld_mongo::admin::{Access, Direct, doc};
use mworld_playground::mongodb::Role;
use mworld_playground::testing::{TestCluster, private_cluster};
use mworld_shop::ProductId;
use mworld_shop::product::ProductRef;

use super::shop::{category, draft, open};

/// The layout's promise for the product page.
const PROMISE: Duration = Duration::from_secs(5);
/// How long the secondary stands still.
const HELD_BACK: Duration = Duration::from_secs(10);

/// When each price was acknowledged: a read that shows price *n* is as old as the acknowledgement of price *n + 1*.
type Acknowledged = Arc<parking_lot::Mutex<Vec<Instant>>>;

/// How old an answer was that was asked for at this moment.
fn age(asked: Instant, shown: i64, acknowledged: &Acknowledged) -> Duration {
    let next = usize::try_from(shown).expect("prices count up from zero") + 1;
    let newer = acknowledged.lock().get(next).copied();
    newer.map_or(Duration::ZERO, |newer| asked.saturating_duration_since(newer))
}

async fn secondary(cluster: &TestCluster) -> (Direct, String) {
    let members = cluster.members().await;
    let member =
        members.iter().find(|member| member.role == Role::Secondary).expect("there are two secondaries");
    let (host, port) = member.address.rsplit_once(':').expect("host:port");
    let port = port.parse().expect("a port");
    let direct = Direct::new(host, port, &Access::default(), Duration::from_secs(5)).expect("a client");
    (direct, member.name.clone())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_answer_is_never_older_than_the_layout_promises() {
    let cluster = private_cluster(1, 3).await;
    let engine = open(&cluster, "bound").await;
    let (id, acknowledged, over) =
        (ProductId::generate(), Acknowledged::default(), Arc::new(AtomicBool::new(false)));
    let catalog = engine.parts().catalog;
    catalog.upsert(id, draft(0)).await.expect("the product is new");
    acknowledged.lock().push(Instant::now());

    let writing = {
        let (catalog, acknowledged, over) =
            (Arc::clone(&catalog), Arc::clone(&acknowledged), Arc::clone(&over));
        tokio::spawn(async move {
            let mut price = 0;
            while !over.load(Ordering::SeqCst) {
                price += 1;
                catalog.upsert(id, draft(price)).await.expect("the price changes");
                acknowledged.lock().push(Instant::now());
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        })
    };

    let router = Direct::at(&cluster.uri(), Duration::from_secs(5)).await.expect("a client");
    let plain = doc! {
        "find": "products", "filter": { "_id": mworld_mongo::admin::id(id.uuid()) }, "limit": 1, "singleBatch": true,
        "maxTimeMS": 5_000, "$readPreference": { "mode": "secondary" },
    };
    // A secondary that has never been asked would have to learn where the ranges lie, and cannot while it stands still.
    for _ in 0..30 {
        router.run("bound", plain.clone()).await.expect("a plain read");
    }
    let (held_back, name) = secondary(&cluster).await;
    held_back.run("admin", doc! { "fsync": 1, "lock": true }).await.expect("the secondary is held back");
    let (started, mut reads, mut oldest, mut plain_oldest) =
        (Instant::now(), 0, Duration::ZERO, Duration::ZERO);
    let wanted = ProductRef { id, category: Some(category()), zone: None };
    while started.elapsed() < HELD_BACK {
        let asked = Instant::now();
        let shown = catalog.product(&wanted).await.expect("reads go on").expect("the product is there");
        oldest = oldest.max(age(asked, shown.price.amount(), &acknowledged));
        reads += 1;
        // What a plain read would have shown: it proves that there was something to be protected from.
        let asked = Instant::now();
        let answer = router.run("bound", plain.clone()).await.expect("a plain read");
        let batch =
            answer.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch")).expect("a batch");
        let price = batch[0].as_document().and_then(|found| found.get_i64("price").ok()).expect("a price");
        plain_oldest = plain_oldest.max(age(asked, price, &acknowledged));
    }
    held_back.run("admin", doc! { "fsyncUnlock": 1 }).await.expect("the secondary is let go");
    over.store(true, Ordering::SeqCst);
    writing.await.expect("the writer ends");
    println!(
        "{name} held back for {HELD_BACK:?}: {reads} reads, the oldest {oldest:?}; plain reads up to {plain_oldest:?}"
    );
    assert!(
        plain_oldest > PROMISE,
        "the secondary was not held back: plain reads were at most {plain_oldest:?} old"
    );
    assert!(oldest <= PROMISE, "a read was {oldest:?} old, and the layout promises {PROMISE:?}");
    assert!(reads > 20, "only {reads} reads in {HELD_BACK:?}");
}
