//! Lists of a long history: a page costs what a page holds, wherever in the list it is.

use std::time::Duration;

use mworld_mongo::Engine;
use mworld_mongo::admin::{Bson, Direct, Document, doc, id};
use mworld_playground::testing::TestCluster;
use mworld_shop::order::{Order, OrderQuery, OrderStatus};
use mworld_shop::ports::{History, Ledger};
use mworld_shop::{OrderId, PageSize, Settings, UserId};

use crate::store::{Database, order_of, product};

/// Orders altogether, of which every twentieth is like the one that is looked for: the others have another buyer, zone and
/// status. So a list that goes along the wrong index reads twenty times what it shows.
const ORDERS: usize = 2_000;
const LIKE_IT: usize = 20;
const PAGE: i64 = 10;

/// Copies of an order, one for each second before it.
fn copies(order: &Order, stored: &Document) -> Vec<Bson> {
    let copy = |age: usize| {
        let created_at = order.created_at.minus(Duration::from_secs(age as u64));
        let mut copy = stored.clone();
        for field in ["unfed", "unfed_at", "unpaid_until", "key", "cart_id", "request"] {
            copy.remove(field);
        }
        copy.insert("_id", id(OrderId::first_at(created_at).uuid()));
        copy.insert("created_at", created_at.micros());
        copy.insert("period", &created_at.to_string()[..7]);
        if !age.is_multiple_of(LIKE_IT) {
            copy.insert("user_id", id(UserId::generate().uuid()));
            copy.insert("geo_zone", Settings::default().zones[1].id.as_str());
            copy.insert("status", OrderStatus::Paid.name());
        }
        Bson::Document(copy)
    };
    (1..ORDERS).map(copy).collect()
}

/// Every list that buyers and operators ask for, from its beginning and from its middle.
async fn read_lists(engine: &Engine, order: &Order) {
    let limit = PageSize::new(u32::try_from(PAGE).expect("a small page"));
    let middle = order.created_at.minus(Duration::from_secs(ORDERS as u64 / 2));
    let whole = OrderQuery { limit, ..OrderQuery::default() };
    let queries = [
        whole.clone(),
        OrderQuery { to: Some(middle), ..whole.clone() },
        OrderQuery { zone: Some(order.zone.clone()), to: Some(middle), ..whole.clone() },
        OrderQuery { status: Some(OrderStatus::Created), ..whole },
    ];
    for query in queries {
        for user in [Some(order.user_id), None] {
            let mut query = query.clone();
            for _ in 0..3 {
                let page = match user {
                    Some(user) => engine.page(user, &query).await,
                    None => engine.list(&query).await,
                };
                let page = page.expect("a list is readable");
                assert_eq!(page.items.len(), PAGE as usize, "{query:?}");
                query.after = page.next;
            }
        }
    }
}

/// What the shards noted of the reads of orders.
async fn finds(shards: &[Direct], database: &str) -> Vec<Document> {
    let mut all = Vec::new();
    for shard in shards {
        let find = doc! { "find": "system.profile", "filter": { "op": "query", "command.find": "orders" }, "batchSize": 1_000 };
        let found = shard.run(database, find).await.expect("the shard says what it did");
        let batch = found.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
        all.extend(batch.expect("a page").iter().filter_map(Bson::as_document).cloned());
    }
    all
}

async fn shards(cluster: &TestCluster) -> Vec<Direct> {
    let members = cluster.members().await;
    let direct = |address: &str| {
        let (host, port) = address.split_once(':').expect("host:port");
        let port = port.parse().expect("a port");
        Direct::new(host, port, &cluster.access(), Duration::from_secs(10)).expect("an address")
    };
    let shards = members.iter().filter(|member| member.shard.is_some());
    shards.map(|member| direct(&member.address)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_page_from_the_middle_costs_what_a_first_page_does() {
    let cluster = mworld_playground::testing::private_cluster(2, 1).await;
    for layout in ["category-spread", "geo-zoned+orders-by-zone"] {
        let database = Database::on(&cluster, layout);
        let engine = database.open().await;
        let product = product(&engine, 1).await;
        let order = engine.place(order_of(&[&product])).await.expect("it is in stock").order;
        let stored = database.newest("orders").await;
        database.run(doc! { "insert": "orders", "documents": copies(&order, &stored) }).await;
        let shards = shards(&cluster).await;
        for shard in &shards {
            shard.run(database.name(), doc! { "profile": 2 }).await.expect("the shard notes what it does");
        }
        read_lists(&engine, &order).await;
        let finds = finds(&shards, database.name()).await;
        assert!(finds.len() >= 24, "{layout}: each list was noted, by {} reads", finds.len());
        for find in finds {
            let number = |field: &str| find.get(field).and_then(Bson::as_i32).unwrap_or(0);
            let cost = i64::from(number("keysExamined")).max(i64::from(number("docsExamined")));
            let sorted = find.get_bool("hasSortStage").unwrap_or(false);
            assert!(cost <= 4 * PAGE && !sorted, "{layout}: {cost} read, sorted: {sorted}: {find}");
        }
    }
}
