//! What buyers were told, compared with what the store knows afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use serde_json::Value;
use uuid::Uuid;

use crate::goods::{self, Good};
use crate::http::{Answer, Connection};
use crate::people::{Buyer, all_pages};
use crate::process::{OPERATOR, Store};

/// What one buyer remembers.
#[derive(Debug, Default)]
pub(crate) struct Diary {
    /// Orders that were acknowledged, as they were shown then.
    pub(crate) acknowledged: Vec<Value>,
    /// The key of an order that was sent and never answered with yes or no.
    pub(crate) unanswered: Option<String>,
}

impl Diary {
    /// Buys one thing after another until the time is over, the store is gone or it says that it cannot. What ended
    /// it, if it was an answer, is returned. `acknowledged` is called the moment that an order is.
    pub(crate) async fn shop(
        &mut self,
        buyer: &Buyer,
        connection: &mut Connection,
        goods: &[Good],
        lasting: Duration,
        acknowledged: &dyn Fn(),
    ) -> Option<Answer> {
        let begun = Instant::now();
        while begun.elapsed() < lasting {
            let dice = Uuid::new_v4().as_u128();
            let good = &goods[usize::try_from(dice % goods.len() as u128).expect("fits")];
            let put = buyer.put(connection, good, 1 + u64::try_from(dice >> 64 & 1).expect("fits")).await;
            match put {
                Ok(answer) if answer.status == 200 => {}
                Ok(answer) => return Some(answer),
                Err(_) => return None,
            }
            let key = Uuid::new_v4().to_string();
            self.unanswered = Some(key.clone());
            match buyer.order(connection, &key).await {
                Ok(answer) if answer.status == 201 => {
                    acknowledged();
                    self.acknowledged.push(answer.json());
                    self.unanswered = None;
                }
                Ok(answer) => return Some(answer),
                Err(_) => return None,
            }
        }
        None
    }

    /// Sends the unanswered order again, twice, with its key. The cart was acknowledged before the order was
    /// sent, so it is either sold or still there: the answer must be an order, and the same one both times.
    pub(crate) async fn settle(&mut self, buyer: &Buyer, connection: &mut Connection) {
        let Some(key) = self.unanswered.take() else { return };
        let first = buyer.order(connection, &key).await.expect("the store answers");
        assert!(matches!(first.status, 200 | 201), "{} after a retry: {}", first.status, first.json());
        let second = buyer.order(connection, &key).await.expect("the store answers");
        assert_eq!(second.status, 200, "{}", second.json());
        assert_eq!(first.json(), second.json(), "one key, one order");
        self.acknowledged.push(first.json());
    }
}

/// How many orders were acknowledged to all of them.
pub(crate) fn acknowledged(people: &[(Buyer, Diary)]) -> usize {
    people.iter().map(|(_, diary)| diary.acknowledged.len()).sum()
}

/// Compares what everybody remembers with what the store knows. No diary may have an unsettled order.
pub(crate) async fn audit(store: &Store, goods: &[Good], people: &[(Buyer, Diary)]) {
    let mut connection = store.connect().await;
    let mut remembered = BTreeSet::new();
    for (buyer, diary) in people {
        assert!(diary.unanswered.is_none(), "settle before the audit");
        audit_one(&mut connection, buyer, diary, &mut remembered).await;
    }
    let ledger = all_pages(&mut connection, "/api/v1/admin/orders?limit=100", OPERATOR).await;
    let known: BTreeSet<String> = ledger.iter().map(id).collect();
    assert_eq!(known.len(), ledger.len(), "no order is listed twice");
    assert_eq!(known, remembered, "the ledger has the orders that buyers know of, and no others");
    let mut sold: BTreeMap<String, u64> = BTreeMap::new();
    for item in ledger.iter().flat_map(|order| order["items"].as_array().expect("items")) {
        let product = item["product_id"].as_str().expect("an id").to_owned();
        *sold.entry(product).or_default() += item["quantity"].as_u64().expect("a quantity");
    }
    for good in goods {
        let left = goods::left(&mut connection, good).await;
        let gone = sold.get(&good.id).copied().unwrap_or(0);
        assert_eq!(left + gone, good.pieces, "product {}: {left} left, {gone} sold", good.id);
    }
}

async fn audit_one(
    connection: &mut Connection,
    buyer: &Buyer,
    diary: &Diary,
    remembered: &mut BTreeSet<String>,
) {
    let history = buyer.history(connection).await;
    let in_history: BTreeSet<String> = history.iter().map(id).collect();
    assert_eq!(in_history.len(), history.len(), "no order is in the history twice");
    assert_eq!(history.len(), diary.acknowledged.len(), "the history is complete, and nothing else is in it");
    for order in &diary.acknowledged {
        let shown = buyer.shown(connection, &id(order)).await;
        assert_eq!((shown.status, &shown.json()), (200, order), "an acknowledged order stays as it was");
        assert!(in_history.contains(&id(order)), "{} is in the history", id(order));
        assert!(remembered.insert(id(order)), "{} belongs to one buyer", id(order));
    }
}

fn id(order: &Value) -> String {
    order["id"].as_str().unwrap_or_else(|| panic!("no id in {order}")).to_owned()
}
