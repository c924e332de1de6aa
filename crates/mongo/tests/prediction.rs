//! Prediction meets reality: the shards that a route names are those that the cluster's router asks, and a key's hash is
//! the server's.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use mworld_mongo::admin::{AdminError, Bson, Direct, Document, bson, doc, id};
use mworld_mongo::{Address, Engine, Options, Question};
use mworld_placement::layout::model::Engine as Place;
use mworld_placement::layout::{load_shipped, shipped_names};
use mworld_placement::{Constraint, Domain, Knows, Placement, Touch, Value, Whose, calls, hashed};
use mworld_playground::testing::{TestCluster, cluster};
use mworld_shop::{Settings, SystemClock};
use rand::rngs::StdRng;
use rand::{Rng, RngExt, SeedableRng};
use uuid::Uuid;

/// How many keys each question is asked with.
const KEYS: usize = 200;
/// How many explanations are asked for at once.
const AT_ONCE: usize = 16;
/// How many values of each kind are hashed.
const VALUES: usize = 10_000;

async fn shared() -> Arc<TestCluster> {
    let start = || tokio::runtime::Handle::current().block_on(cluster(2, 1));
    tokio::task::spawn_blocking(start).await.expect("the cluster is started")
}

#[tokio::test]
async fn every_question_of_every_layout_asks_the_shards_that_are_predicted() {
    let cluster = shared().await;
    let mut random = StdRng::seed_from_u64(2026);
    let mut asked = HashSet::new();
    for name in shipped_names() {
        let database = format!("prediction-{}", name.replace('+', "-"));
        let uri = cluster.uri_of(&database);
        let router = Direct::at(&uri, Duration::from_secs(10)).await.expect("the router's address");
        let layout = load_shipped(name).expect("a shipped layout").layout;
        let (placement, _) = Placement::new(&layout.in_force_on(Place::MongoDb), 2, &Domain::default());
        let touches = calls(&placement).into_iter().flat_map(|call| call.touches);
        // Where another layout has the same ranges, its questions have been asked.
        let new = touches.filter(|touch| {
            let map = placement.map(touch.area);
            asked.insert(format!("{} {:?} {:?} {:?}", map.key(), map.ranges(), touch.knows, guest(touch)))
        });
        let new: Vec<Touch> = new.collect();
        if new.is_empty() {
            continue;
        }
        let options = Options {
            address: Address::new(uri),
            layout,
            settings: Arc::new(Settings::default()),
            clock: Arc::new(SystemClock::default()),
            observer: None,
            ages: None,
        };
        let engine = Engine::open(options).await.expect("a store opens on an empty database");
        let questions = new.iter().flat_map(|touch| {
            let area = placement.home(touch.area);
            let known: Vec<_> = (0..KEYS).map(|_| known(touch, &mut random)).collect();
            let engine = &engine;
            known.into_iter().map(move |known| engine.question(area, &known))
        });
        let questions: Vec<Question> = questions.collect();
        let answers = stream::iter(&questions).map(|question| explained(&router, &database, question));
        let answers: Vec<Vec<String>> =
            answers.buffered(AT_ONCE).try_collect().await.expect("every question can be explained");
        for (question, asked) in questions.iter().zip(answers) {
            assert_eq!(asked, question.shards, "{name}: {} {}", question.collection, question.filter);
        }
    }
}

fn guest(touch: &Touch) -> bool {
    touch.whose == Whose::Guest
}

/// The shards that the router asks, sorted.
async fn explained(router: &Direct, database: &str, question: &Question) -> Result<Vec<String>, AdminError> {
    let find = doc! { "find": question.collection, "filter": question.filter.clone() };
    let explained = router.run(database, doc! { "explain": find, "verbosity": "queryPlanner" }).await?;
    let plan = explained.get_document("queryPlanner").and_then(|planner| planner.get_document("winningPlan"));
    let shards = plan.and_then(|plan| plan.get_array("shards")).expect("a plan names its shards");
    let name = |shard: &Bson| Some(shard.as_document()?.get_str("shardName").ok()?.to_owned());
    let mut names: Vec<String> = shards.iter().filter_map(name).collect();
    names.sort();
    Ok(names)
}

fn known(touch: &Touch, random: &mut StdRng) -> Vec<(&'static str, Constraint)> {
    let domain = Domain::default();
    let constraint = |(field, knows): &(&'static str, Knows)| {
        let constraint = match knows {
            Knows::Value => Constraint::Eq(value(field, guest(touch), random)),
            Knows::AnyZone => Constraint::In(domain.values_of(field).expect("zones are known")),
            Knows::Span => {
                let (a, b) = (value(field, false, random), value(field, false, random));
                let (min, max) = if a <= b { (a, b) } else { (b, a) };
                match random.random_range(0..3) {
                    0 => Constraint::Range { min: Some(min), max: None },
                    1 => Constraint::Range { min: None, max: Some(max) },
                    _ => Constraint::Range { min: Some(min), max: Some(max) },
                }
            }
        };
        (*field, constraint)
    };
    touch.knows.iter().map(constraint).collect()
}

fn value(field: &str, guest: bool, random: &mut StdRng) -> Value {
    let domain = Domain::default();
    let one_of = |values: &[String], random: &mut StdRng| match random.random_range(0..=values.len()) {
        // One that was taken out of the configuration, or is yet to come.
        at if at == values.len() => text(random),
        at => Value::from(values[at].as_str()),
    };
    match field {
        "geo_zone" => one_of(&domain.zones, random),
        "category" => one_of(&domain.categories, random),
        "user_id" if guest => Value::Null,
        "price" => Value::Int(random.random_range(0..15_000_000)),
        "created_at" => Value::Int(random.random_range(0..2_000_000_000_000_000)),
        "subcategory" | "status" | "period" | "email" => text(random),
        _ => Value::Uuid(Uuid::from_u128(random.random())),
    }
}

fn text(random: &mut StdRng) -> Value {
    let length = random.random_range(0..20);
    Value::from((0..length).map(|_| random.random::<char>()).collect::<String>())
}

#[tokio::test]
async fn every_kind_of_value_hashes_as_on_the_server() {
    let uri = shared().await.uri();
    let router = Direct::at(&uri, Duration::from_secs(10)).await.expect("the router's address");
    let mut random = StdRng::seed_from_u64(1);
    let kinds: [fn(&mut StdRng) -> Value; 7] = [
        |random| Value::Int(random.random()),
        |random| Value::Double(f64::from_bits(random.random())),
        |random| Value::Double(random.random_range(-1e6..1e6)),
        text,
        |random| Value::Uuid(Uuid::from_u128(random.random())),
        |random| {
            let mut bytes = [0; 12];
            random.fill_bytes(&mut bytes);
            Value::ObjectId(bytes)
        },
        |random| Value::Date(random.random()),
    ];
    let mut values: Vec<Value> =
        kinds.iter().flat_map(|kind| (0..VALUES).map(|_| kind(&mut random)).collect::<Vec<_>>()).collect();
    values.extend([Value::Null, Value::Bool(true), Value::Bool(false), Value::MinKey, Value::MaxKey]);
    for batch in values.chunks(VALUES) {
        let documents: Vec<Document> = batch.iter().map(|value| doc! { "x": as_bson(value) }).collect();
        let hash = doc! { "$project": { "hash": { "$toHashedIndexKey": "$x" } } };
        let command = doc! {
            "aggregate": 1,
            "pipeline": [{ "$documents": documents }, hash],
            "cursor": { "batchSize": i32::try_from(VALUES + 1).expect("a small number") },
        };
        let answer = router.run("admin", command).await.expect("the server hashes");
        let answer = answer.get_document("cursor").and_then(|cursor| cursor.get_array("firstBatch"));
        let answer = answer.expect("a batch");
        assert_eq!(answer.len(), batch.len());
        for (value, answer) in batch.iter().zip(answer) {
            let server = answer.as_document().and_then(|answer| answer.get_i64("hash").ok());
            assert_eq!(Some(hashed(value)), server, "{value}");
        }
    }
}

fn as_bson(value: &Value) -> Bson {
    match value {
        Value::MinKey => Bson::MinKey,
        Value::Null => Bson::Null,
        Value::Int(number) => Bson::Int64(*number),
        Value::Double(number) => Bson::Double(*number),
        // As a literal: a text with a dollar would be taken for the name of a field.
        Value::Str(text) => Bson::from(doc! { "$literal": text.clone() }),
        Value::Uuid(uuid) => id(*uuid),
        Value::ObjectId(bytes) => Bson::ObjectId(bson::oid::ObjectId::from_bytes(*bytes)),
        Value::Bool(truth) => Bson::Boolean(*truth),
        Value::Date(millis) => Bson::DateTime(bson::DateTime::from_millis(*millis)),
        Value::MaxKey => Bson::MaxKey,
    }
}
