//! Everybody wants the last pieces.

use std::time::Duration;

use uuid::Uuid;

use crate::goods::{self, Good};
use crate::http::Answer;
use crate::people::Buyer;
use crate::process::{Start, Store};
use crate::{Run, alone, within};

const PIECES: u64 = 50;
const BUYERS: usize = 24;

/// Fails when stock is read first and written later, or when the guarded update loses its guard.
#[test]
fn four_hundred_tries_at_fifty_pieces_sell_exactly_fifty() {
    let _machine = alone();
    within(Duration::from_secs(120), async {
        for _ in 0..Run::wanted().choose(1, 10) {
            let dir = tempfile::tempdir().unwrap();
            let store = Start::in_dir(&dir.path().join("data")).open().await;
            rush(&store, 400).await;
        }
    });
}

async fn rush(store: &Store, tries: usize) {
    let good = goods::list(store, 1, PIECES).await.remove(0);
    let buyers = Buyer::crowd(store, BUYERS).await;
    let shares = (0..BUYERS).map(|n| tries / BUYERS + usize::from(n < tries % BUYERS));
    let rush = buyers.iter().zip(shares).map(|(buyer, share)| try_to_buy(store, buyer, &good, share));
    let answers: Vec<Answer> = futures_util::future::join_all(rush).await.into_iter().flatten().collect();
    assert_eq!(answers.len(), tries);

    let sold = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(sold as u64, PIECES, "as many orders as there were pieces");
    for refused in answers.iter().filter(|answer| answer.status != 201) {
        let problem = refused.json();
        assert_eq!((refused.status, refused.code().as_str()), (409, "insufficient_stock"), "{problem}");
        let item = &problem["items"][0];
        assert_eq!(
            (item["product_id"].as_str(), item["requested"].as_u64(), item["available"].as_u64()),
            (Some(good.id.as_str()), Some(1), Some(0)),
            "a refusal names what is left: {problem}"
        );
    }
    let mut connection = store.connect().await;
    assert_eq!(goods::left(&mut connection, &good).await, 0);
    let mut in_histories = 0;
    for buyer in &buyers {
        in_histories += buyer.history(&mut connection).await.len();
    }
    assert_eq!(in_histories as u64, PIECES, "every order is in one history");
}

async fn try_to_buy(store: &Store, buyer: &Buyer, good: &Good, tries: usize) -> Vec<Answer> {
    let mut connection = store.connect().await;
    let mut answers = Vec::new();
    for _ in 0..tries {
        let put = buyer.put(&mut connection, good, 1).await.expect("the store answers");
        assert_eq!(put.status, 200, "{}", put.json());
        let key = Uuid::new_v4().to_string();
        answers.push(buyer.order(&mut connection, &key).await.expect("the store answers"));
    }
    answers
}
