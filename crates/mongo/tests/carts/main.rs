//! What the conformance suite cannot see of carts on a cluster: several store processes, look-ups that are kept in
//! memory, what the server deletes by itself, and on how many shards an operation works.

mod place;

use std::collections::BTreeSet;
use std::time::Duration;

use mworld_mongo::admin::Document;
use mworld_shop::Clock;
use mworld_shop::cart::CartStatus;
use mworld_shop::ports::Carts;

use self::place::{AT_ONCE, Place, active, by_status, guest, put, put_at_once, shipped, user};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn several_processes_begin_one_cart() {
    for layout in ["category-spread", "category-range"] {
        let place = Place::of("several", shipped(layout)).await;
        let stores = [place.open().await, place.open().await, place.open().await];
        for owner in [guest(), user(), user(), user()] {
            let ids = put_at_once(&stores, owner).await;
            assert_eq!(ids.len(), 1, "{layout}: one active cart per owner");
            let cart = active(&stores[0], owner).await.expect("there is one");
            assert_eq!(
                (cart.lines.len(), ids.contains(&cart.id)),
                (3 * AT_ONCE, true),
                "{layout}: with every line"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_kept_look_up_never_shows_or_edits_a_cart_of_the_past() {
    let place = Place::of("kept", shipped("category-range")).await;
    let (here, there) = (place.open().await, place.open().await);
    let owner = user();
    let first = put(&here, owner).await;
    assert_eq!(active(&here, owner).await, Some(first.clone()), "the way to it is kept here");
    there.mark(owner, first.id, CartStatus::Ordered).await.expect("it is sold there");
    assert_eq!(active(&here, owner).await, None, "what was sold there is gone here");
    let second = put(&there, owner).await;
    assert_eq!(active(&here, owner).await, Some(second.clone()), "what was begun there is seen here at once");
    there.mark(owner, second.id, CartStatus::Abandoned).await.expect("it is given up there");
    let third = put(&there, owner).await;
    let edited = put(&here, owner).await;
    assert_eq!((edited.id, edited.lines.len()), (third.id, 2), "a put here goes into the cart begun there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cart_that_the_server_deleted_is_followed_by_one_of_a_later_generation() {
    for layout in ["category-spread", "category-range"] {
        let place = Place::of("deleted", shipped(layout)).await;
        let stores = [place.open().await, place.open().await];
        for owner in [guest(), guest(), guest(), user()] {
            let first = put(&stores[0], owner).await;
            place.clock.advance(Duration::from_secs(1));
            place.delete_all("carts").await;
            assert_eq!(active(&stores[0], owner).await, None, "{layout}: it is gone");
            let ids = put_at_once(&stores, owner).await;
            assert_eq!(ids.len(), 1, "{layout}: one cart follows it");
            let next = active(&stores[1], owner).await.expect("there is one");
            assert!(next.generation > first.generation, "{layout}: of a later generation");
            assert_eq!(place.all("carts").await.len(), 1, "{layout}: and nothing is left beside it");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cart_that_a_checkout_holds_has_no_date_of_deletion() {
    for layout in ["category-spread", "category-range"] {
        let place = Place::of("held", shipped(layout)).await;
        let store = place.open().await;
        let owner = guest();
        put(&store, owner).await;
        let dated = async || place.all("carts").await[0].get_datetime("expires").is_ok();
        assert!(dated().await, "{layout}: a guest's cart goes by itself");
        let key = "one-checkout".parse().expect("a legal key");
        let claim = store.claim(owner, &key).await.expect("a free cart is claimed");
        assert!(!dated().await, "{layout}: but not while it is being sold");
        store.release(owner, claim.cart.id, claim.no).await.expect("it is given back");
        assert!(dated().await, "{layout}: and then again");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn look_ups_go_after_their_carts_and_not_before() {
    let place = Place::of("look-ups", shipped("category-range")).await;
    let store = place.open().await;
    let sweep = async || store.expire(10).await.expect("the sweep runs");
    let (gone, living) = (guest(), guest());
    let end = put(&store, gone).await.expires_at.expect("a guest's cart ends");
    place.delete_all("carts").await;
    put(&store, living).await;
    assert_eq!(
        (sweep().await, place.all("cart_owners").await.len()),
        (0, 2),
        "nobody looks before it is time"
    );
    let half = Duration::from_micros((end.micros() - place.clock.now().micros()).unsigned_abs() / 2);
    place.clock.advance(half);
    let cart = put(&store, living).await;
    place.clock.advance(half + Duration::from_secs(1));
    assert_eq!(sweep().await, 0, "no cart is over");
    let left: Vec<Document> = place.all("cart_owners").await;
    assert_eq!(left.len(), 1, "the look-up whose cart is gone is gone, too");
    assert_eq!(left[0].get_str("_id").ok(), Some(living.key().as_str()));
    assert_eq!(active(&store, living).await, Some(cart), "the living cart is there");
    place.clock.advance(half * 2);
    assert_eq!((sweep().await, place.all("cart_owners").await.len()), (1, 0), "at last both go together");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cart_moves_with_its_status_where_that_is_its_place() {
    let place = Place::of("moves", by_status()).await;
    let (here, there) = (place.open().await, place.open().await);
    let owner = user();
    let first = put(&here, owner).await;
    there.mark(owner, first.id, CartStatus::Ordered).await.expect("it is sold there");
    assert_eq!(active(&here, owner).await, None, "it is not where the kept look-up says");
    let statuses = async |collection: &str| {
        let records = place.all(collection).await;
        records
            .iter()
            .map(|record| record.get_str("status").unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(statuses("carts").await, ["ordered"], "one document, at its new place");
    assert_eq!(statuses("cart_owners").await, ["ordered"], "and the look-up with it");
    put(&here, owner).await;
    assert_eq!(statuses("carts").await, ["active"], "the next cart takes the last one's place");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_step_works_on_one_shard_of_each_area() {
    let layouts = ["category-spread", "category-range", "geo-zoned", "price-bands+by-geo-zone"].map(shipped);
    for layout in layouts.into_iter().chain([by_status()]) {
        let place = Place::of("shards", layout).await;
        let store = place.open().await;
        for owner in [guest(), user(), user()] {
            let cart = put(&store, owner).await;
            active(&store, owner).await;
            put(&store, owner).await;
            store.remove(owner, cart.lines[0].product_id).await.expect("a remove");
            let claim = store.claim(owner, &"a-key".parse().expect("a legal key")).await.expect("a claim");
            store.release(owner, cart.id, claim.no).await.expect("a release");
        }
        let notes = place.touched();
        assert!(notes.len() >= 18, "every operation is noted");
        for (operation, touches) in notes {
            for area in touches.iter().map(|touch| touch.area) {
                let of_area = touches.iter().filter(|touch| touch.area == area);
                let shards: BTreeSet<_> = of_area.map(|touch| touch.shard).collect();
                assert_eq!(shards.len(), 1, "{}: {operation} on {area}", place.layout.name);
            }
        }
    }
}
