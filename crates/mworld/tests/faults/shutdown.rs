//! Somebody wants the store closed while it sells.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::bookkeeping::{Diary, acknowledged, audit};
use crate::goods::{self, Good};
use crate::http::{Call, Connection};
use crate::people::Buyer;
use crate::process::{Start, Store};
use crate::{Run, alone, within};

const BUYERS: usize = 24;

/// Fails when connections are cut at the signal, or when the engine is dropped with work in its queue.
#[test]
fn closing_answers_what_was_accepted_and_loses_nothing() {
    let _machine = alone();
    within(Duration::from_secs(900), async {
        let dir = tempfile::tempdir().unwrap();
        // The audit reads every order of a buyer with one token, faster than one person may.
        let start =
            Start::in_dir(&dir.path().join("data")).setting("MWORLD_LIMITS_PER_TOKEN_PER_SECOND", "0");
        let mut store = start.open().await;
        let goods = goods::list(&store, 10, 100_000).await;
        let buyers = Buyer::crowd(&store, BUYERS + 1).await;
        let mut people: Vec<(Buyer, Diary)> = buyers.into_iter().map(|b| (b, Diary::default())).collect();
        for round in 0..Run::wanted().choose(2, 20) {
            let before = acknowledged(&people);
            let (slow, fast) = people.split_first_mut().expect("there are buyers");
            let mut half_sent = half_a_put(&store, &slow.0, &goods[0]).await;
            close_while_selling(&store, &goods, fast).await;
            finish(&mut half_sent).await;
            let told = Instant::now();
            let status = store.ended(Duration::from_secs(15)).await;
            assert_eq!(status.code(), Some(0), "{}", store.log());
            let sold = acknowledged(&people) - before;
            println!("round {round}: {sold} orders, ended {:?} after the last answer", told.elapsed());
            assert!(sold > 0, "it sold before it was closed");

            store = start.open().await;
            nothing_was_done_in_silence(&store, &people).await;
            let mut connection = store.connect().await;
            let cart = Call::get("/api/v1/cart").token(&people[0].0.token);
            let cart = connection.send(&cart).await.expect("the store answers").json();
            assert_eq!(cart["items"][0]["quantity"], 7, "the late put counts: {cart}");
            for (buyer, diary) in &mut people {
                diary.settle(buyer, &mut connection).await;
            }
            audit(&store, &goods, &people).await;
        }
    });
}

/// A request whose body is still on its way.
struct HalfSent {
    connection: Connection,
    rest: Vec<u8>,
}

/// Sends the head of a put and half of its body, so that it is accepted and cannot be finished yet.
async fn half_a_put(store: &Store, buyer: &Buyer, good: &Good) -> HalfSent {
    let mut connection = store.connect().await;
    let path = format!("/api/v1/cart/items/{}", good.id);
    let call = Call::new("PUT", path).token(&buyer.token).body(json!({ "quantity": 7 }));
    let (head, body) = call.bytes();
    let (first, rest) = body.split_at(body.len() / 2);
    connection.write(&[&head, first].concat()).await.expect("the store reads");
    HalfSent { connection, rest: rest.to_vec() }
}

/// Sends the rest, long after the store was told to close; the answer must still come.
async fn finish(half_sent: &mut HalfSent) {
    tokio::time::sleep(Duration::from_millis(300)).await;
    half_sent.connection.write(&half_sent.rest).await.expect("the store still reads");
    let answer = half_sent.connection.answer().await.expect("what was accepted is answered");
    assert_eq!(answer.status, 200, "{}", answer.json());
}

/// Lets everybody buy, and tells the store to close after a while. It ends when every connection is closed.
async fn close_while_selling(store: &Store, goods: &[Good], people: &mut [(Buyer, Diary)]) {
    let mut connections = Vec::new();
    for _ in 0..people.len() {
        connections.push(store.connect().await);
    }
    let shopping = people.iter_mut().zip(connections).map(|((buyer, diary), mut connection)| async move {
        let refused = diary.shop(buyer, &mut connection, goods, Duration::from_secs(60), &|| {}).await;
        assert!(refused.is_none(), "nobody is refused: {}", refused.expect("it is one").json());
    });
    let closing = async {
        tokio::time::sleep(Duration::from_millis(600)).await;
        store.terminate();
    };
    tokio::join!(futures_util::future::join_all(shopping), closing);
    let late = Connection::open(store.address).await;
    assert!(late.is_err(), "nobody new is let in");
}

/// A request that was carried out was also answered: an order that got no answer was not accepted either.
async fn nothing_was_done_in_silence(store: &Store, people: &[(Buyer, Diary)]) {
    let mut connection = store.connect().await;
    for (buyer, diary) in people {
        let history = buyer.history(&mut connection).await;
        assert_eq!(history.len(), diary.acknowledged.len(), "every order that was placed was answered");
    }
}
