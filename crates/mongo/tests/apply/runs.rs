//! Runs on an empty database: whole, twice, in pieces, at once.

use std::ops::ControlFlow;

use futures_util::future::join_all;
use mworld_mongo::admin::doc;
use mworld_mongo::apply::{Ended, Kind, Pace};
use mworld_placement::layout::shipped_names;

use crate::database::{Database, layout};

async fn applies_once(names: &[&str]) {
    for name in names {
        let layout = layout(name);
        let database = Database::empty(name).await;
        database.apply(&layout).await;
        database.lies_as(&layout).await;
        let again = database.prepare(&layout).await.expect("a plan");
        assert!(again.plan().is_empty(), "{}", again.plan());
        assert!(again.plan().to_string().starts_with("nothing to do"), "{}", again.plan());
        let mark = database.mark().await.expect("a mark");
        assert_eq!(mark.get_str("name").expect("a name"), *name);
    }
}

/// Two halves, so that one's reading overlaps the other's writing.
#[tokio::test]
async fn the_first_half_of_the_shipped_layouts_is_applied_and_then_has_nothing_to_do() {
    let names = shipped_names();
    applies_once(&names[..names.len() / 2]).await;
}

#[tokio::test]
async fn the_second_half_of_the_shipped_layouts_is_applied_and_then_has_nothing_to_do() {
    let names = shipped_names();
    applies_once(&names[names.len() / 2..]).await;
}

#[tokio::test]
async fn zones_of_the_layout_stay_and_those_of_the_work_go() {
    let database = Database::empty("zones").await;
    database.apply(&layout("geo-zoned")).await;
    let tags = database
        .find("config", doc! { "find": "tags", "filter": { "ns": format!("{}.products", database.name) } });
    let tags = tags.await;
    let zones: Vec<&str> = tags.iter().map(|tag| tag.get_str("tag").expect("a zone")).collect();
    assert_eq!(zones, ["ekb", "kln", "msk", "spb"]);
    let shards = database.find("config", doc! { "find": "shards" }).await;
    let ours = format!("mworld:{}:", database.name);
    let tags = shards.iter().flat_map(|shard| shard.get_array("tags").expect("zones"));
    assert!(tags.filter_map(|tag| tag.as_str()).all(|zone| !zone.starts_with(&ours)), "{shards:?}");
}

#[tokio::test]
async fn the_clusters_own_balancer_leaves_every_collection_alone() {
    let database = Database::empty("alone").await;
    database.apply(&layout("category-spread")).await;
    let ours = doc! { "_id": { "$regex": format!("^{}\\.", database.name) } };
    for collection in database.find("config", doc! { "find": "collections", "filter": ours }).await {
        assert!(collection.get_bool("noBalance").expect("a setting"), "{collection}");
        assert!(!collection.get_bool("enableAutoMerge").expect("a setting"), "{collection}");
    }
}

#[tokio::test]
async fn a_run_that_is_stopped_after_every_step_comes_to_the_same_end() {
    let (database, layout) = (Database::empty("pieces").await, layout("geo-zoned"));
    let mut runs = 0;
    loop {
        let apply = database.prepare(&layout).await.expect("a plan");
        let planned = apply.plan().steps.len();
        let one_step = |progress: mworld_mongo::apply::Progress<'_>| match progress.number {
            1 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        };
        runs += 1;
        match apply.execute(Pace::Hurried, &one_step).await.expect("a step") {
            Ended::Stopped { done } => assert_eq!(done, 1),
            Ended::Done => {
                assert_eq!(apply.plan().steps[0].kind, Kind::Sign, "{}", apply.plan());
                break;
            }
        }
        let left = database.prepare(&layout).await.expect("a plan").plan().steps.len();
        assert!(
            left < planned || planned < 3,
            "a step that was done is not planned again: {left} of {planned}"
        );
    }
    assert!(runs > 20, "{runs}");
    database.lies_as(&layout).await;
    assert!(database.prepare(&layout).await.expect("a plan").plan().is_empty());
}

#[tokio::test]
async fn a_run_that_is_killed_in_the_middle_of_a_step_is_taken_up_by_the_next() {
    let (database, layout) = (Database::empty("killed").await, layout("geo-zoned"));
    let apply = database.prepare(&layout).await.expect("a plan");
    let (begun, mut third) = tokio::sync::mpsc::unbounded_channel();
    let running = tokio::spawn(async move {
        let tell = move |progress: mworld_mongo::apply::Progress<'_>| {
            if progress.number == 4 {
                let _ = begun.send(());
            }
            ControlFlow::Continue(())
        };
        apply.execute(Pace::Hurried, &tell).await.map(drop)
    });
    third.recv().await.expect("the fourth step begins");
    running.abort();
    assert!(running.await.is_err_and(|error| error.is_cancelled()));
    assert!(database.mark().await.is_none(), "a database that is not complete has no mark");
    // The lease of the dead one runs out.
    database.apply(&layout).await;
    database.lies_as(&layout).await;
    assert!(database.prepare(&layout).await.expect("a plan").plan().is_empty());
}

#[tokio::test]
async fn stores_that_open_an_empty_database_at_once_all_succeed() {
    let (database, layout) = (Database::empty("at-once").await, layout("category-spread"));
    for opened in join_all((0..4).map(|_| database.open(&layout))).await {
        assert!(opened.is_ok(), "{:?}", opened.err().map(|error| error.to_string()));
    }
    database.lies_as(&layout).await;
    assert!(database.prepare(&layout).await.expect("a plan").plan().is_empty());
}
