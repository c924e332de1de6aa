//! A database of one test, and a look at it past the store.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use mworld_mongo::admin::{Bson, Direct, Document, doc};
use mworld_mongo::apply::{Apply, Ended, Pace};
use mworld_mongo::{Address, Engine, OpenError, Options};
use mworld_placement::layout::load_shipped;
use mworld_placement::layout::model::Engine as Place;
use mworld_placement::{Area, Domain, Layout, Placement};
use mworld_playground::testing::{TestCluster, cluster};
use mworld_shop::{Settings, SystemClock};
use uuid::Uuid;

pub(crate) struct Database {
    pub(crate) name: String,
    pub(crate) uri: String,
    pub(crate) router: Direct,
}

pub(crate) fn layout(name: &str) -> Layout {
    load_shipped(name).expect("a shipped layout").layout
}

/// The cluster of all tests. It is started on a thread of its own: the runtime of whichever test comes first ends with it.
async fn shared() -> Arc<TestCluster> {
    let start = || tokio::runtime::Handle::current().block_on(cluster(2, 1));
    tokio::task::spawn_blocking(start).await.expect("the cluster is started")
}

impl Database {
    /// An empty database of that name.
    pub(crate) async fn empty(test: &str) -> Database {
        let name = format!("apply-{}", test.replace('+', "-"));
        let uri = shared().await.uri_of(&name);
        let router = Direct::at(&uri, Duration::from_secs(10)).await.expect("the router's address");
        router.run(&name, doc! { "dropDatabase": 1 }).await.expect("a test's database can be dropped");
        Database { name, uri, router }
    }

    pub(crate) async fn prepare(&self, layout: &Layout) -> Result<Apply, OpenError> {
        Apply::prepare(&Address::new(self.uri.clone()), layout, &Domain::default()).await
    }

    /// Applies to the end.
    pub(crate) async fn apply(&self, layout: &Layout) {
        let apply = self.prepare(layout).await.expect("a plan");
        let ended = apply.execute(Pace::Hurried, &|_| ControlFlow::Continue(())).await;
        assert_eq!(ended.expect("the plan can be done"), Ended::Done);
    }

    /// Opens a store.
    pub(crate) async fn open(&self, layout: &Layout) -> Result<Engine, OpenError> {
        let options = Options {
            address: Address::new(self.uri.clone()),
            layout: layout.clone(),
            settings: Arc::new(Settings::default()),
            clock: Arc::new(SystemClock::default()),
            observer: None,
            ages: None,
        };
        Engine::open(options).await
    }

    pub(crate) async fn admin(&self, command: Document) {
        let shown = command.to_string();
        self.router.run("admin", command).await.unwrap_or_else(|error| panic!("{shown}: {error}"));
    }

    /// The first batch of a find, which holds all that these tests ask for.
    pub(crate) async fn find(&self, database: &str, mut command: Document) -> Vec<Document> {
        command.insert("batchSize", 100_000);
        let found = self.router.run(database, command).await.expect("a find");
        let batch = found.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
        batch.expect("a batch").iter().filter_map(|record| record.as_document().cloned()).collect()
    }

    /// Writes products past the store, with what any key may hold.
    pub(crate) async fn fill(&self, ids: impl Iterator<Item = Uuid>) {
        let categories = Domain::default().categories;
        let product = |(n, id): (usize, Uuid)| {
            let category = categories[n % categories.len()].as_str();
            doc! { "_id": mworld_mongo::admin::id(id), "category": category, "price": 100_i64, "name": "x".repeat(100) }
        };
        let products: Vec<Document> = ids.enumerate().map(product).collect();
        let written = self.router.run(&self.name, doc! { "insert": "products", "documents": products }).await;
        let written = written.expect("an insert");
        assert!(!written.contains_key("writeErrors"), "{written}");
    }

    /// The ids of all products.
    pub(crate) async fn products(&self) -> BTreeSet<String> {
        let found = self.find(&self.name, doc! { "find": "products", "projection": { "_id": 1 } }).await;
        found.iter().filter_map(|product| product.get("_id").map(Bson::to_string)).collect()
    }

    /// Every range of a collection as the cluster has it: the values at its beginning, and its shard.
    pub(crate) async fn ranges(&self, collection: &str) -> Vec<(Vec<String>, String)> {
        let name = format!("{}.{collection}", self.name);
        let entry = self.find("config", doc! { "find": "collections", "filter": { "_id": &name } }).await;
        let uuid = entry.first().and_then(|entry| entry.get("uuid")).unwrap_or_else(|| panic!("no {name}"));
        let chunks = doc! { "find": "chunks", "filter": { "uuid": uuid.clone() }, "sort": { "min": 1 } };
        let range = |chunk: &Document| {
            let min = chunk.get_document("min").expect("a chunk begins somewhere");
            let shard = chunk.get_str("shard").expect("a chunk lies somewhere").to_owned();
            (min.values().map(shown).collect(), shard)
        };
        self.find("config", chunks).await.iter().map(range).collect()
    }

    /// Every collection that the layout places lies as the layout's own map says.
    pub(crate) async fn lies_as(&self, layout: &Layout) {
        let shards = self.find("config", doc! { "find": "shards", "sort": { "_id": 1 } }).await;
        let shards: Vec<&str> = shards.iter().map(|shard| shard.get_str("_id").expect("a name")).collect();
        let count = u32::try_from(shards.len()).expect("a few shards");
        let (placement, _) = Placement::new(&layout.in_force_on(Place::MongoDb), count, &Domain::default());
        for (area, map) in placement.maps() {
            let wanted: Vec<(Vec<String>, String)> = map
                .ranges()
                .iter()
                .map(|range| {
                    let min = range.min.iter().map(ToString::to_string).collect();
                    (min, shards[range.shard.0 as usize].to_owned())
                })
                .collect();
            assert_eq!(self.ranges(Area::name(area)).await, wanted, "{area} of {}", layout.name);
        }
    }

    /// The layout's mark.
    pub(crate) async fn mark(&self) -> Option<Document> {
        let mark = doc! { "find": "mworld_meta", "filter": { "_id": "layout" } };
        self.find(&self.name, mark).await.into_iter().next()
    }
}

/// A bound's value as the layout's code shows it.
fn shown(value: &Bson) -> String {
    use mworld_placement::Value;
    let value = match value {
        Bson::MinKey => Value::MinKey,
        Bson::Int64(number) => Value::Int(*number),
        Bson::String(text) => Value::Str(text.clone()),
        other => panic!("no bound of a shipped layout: {other}"),
    };
    value.to_string()
}
