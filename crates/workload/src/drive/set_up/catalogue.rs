//! The products of the run.

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use mworld_shop::ProductId;
use serde_json::json;
use uuid::Uuid;

use super::{PATIENCE, Work};
use crate::drive::api::Words;
use crate::drive::error::Error;
use crate::drive::live::Live;
use crate::drive::persist::{complaint, persist_anew};
use crate::stage::{Stage, StagedProduct};

/// Requests under way at once: the store commits what it finds waiting in one go.
const AT_ONCE: usize = 16;

/// Makes every product and says which ids they got.
pub(super) async fn make_products(
    work: &Work<'_>,
    stage: &Stage,
    live: &Live,
) -> Result<Vec<ProductId>, Error> {
    let products = stage.products.iter().zip(&work.cast.products);
    let made = stream::iter(products)
        .map(|(product, cast)| make(work, stage, product, &cast.subcategory, live))
        .buffered(AT_ONCE);
    made.try_collect().await
}

/// Makes one product. A request whose answer got lost may be carried out much later and would put the stock and the
/// price back to those of the beginning; so every attempt makes a product of its own, and only the one that was
/// answered is played with.
async fn make(
    work: &Work<'_>,
    stage: &Stage,
    product: &StagedProduct,
    subcategory: &str,
    live: &Live,
) -> Result<ProductId, Error> {
    let stock = stage.zones.iter().zip(&product.stock);
    let stock: Vec<_> = stock.map(|(zone, units)| json!({"zone": zone, "quantity": units})).collect();
    let body = json!({
        "name": product.name,
        "category": product.category,
        "subcategory": subcategory,
        "price": {"amount": product.price, "currency": stage.currency},
        "stock": stock,
    });
    let words = Words { token: Some(&work.store.operator), ..work.nobody() };
    let mut id = product.id;
    let request = || {
        id = ProductId::from_uuid(Uuid::now_v7());
        words.send("PUT", &format!("/admin/products/{id}"), None, Some(body.clone()))
    };
    let what = format!("make the product {:?}", product.name);
    let (answer, _) =
        persist_anew(&work.pool, request, PATIENCE).await.map_err(|last| work.failed(&what, last))?;
    match answer.status {
        200 | 201 => {
            live.one_more();
            Ok(id)
        }
        401 | 403 => Err(Error::TokenRefused { url: work.store.url(), complaint: complaint(&answer) }),
        _ => Err(work.failed(&what, complaint(&answer))),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;
    use crate::drive::http::Pool;
    use crate::drive::store::Store;
    use crate::scenario::{Cast, CastProduct};

    /// Cuts the first request off and answers the second; says which were asked.
    async fn forgetful(listener: TcpListener) -> [String; 2] {
        let mut asked = [String::new(), String::new()];
        for (attempt, line) in asked.iter_mut().enumerate() {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut bytes = [0; 4096];
            let length = stream.read(&mut bytes).await.unwrap();
            *line = String::from_utf8_lossy(&bytes[..length]).lines().next().unwrap().to_owned();
            if attempt == 1 {
                stream.write_all(b"HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\n{}").await.unwrap();
            }
        }
        asked
    }

    #[tokio::test]
    async fn a_product_whose_answer_got_lost_is_not_played_with() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (host, operator, timeout) = (address.to_string(), String::new(), Duration::from_secs(20));
        let store = Store { host, operator, timeout };
        let product = CastProduct {
            category: "audio".to_owned(),
            subcategory: "speakers".to_owned(),
            name: "thing".to_owned(),
            price: 100,
            stock: vec![1],
        };
        let cast = Cast { products: vec![product], users: 0, zones: vec!["msk".to_owned()] };
        let pool = Pool::new(vec![address], timeout);
        let work = Work { pool, store: &store, cast, run: "run".to_owned(), password: String::new() };
        let stage = work.stage("RUB".to_owned());
        let live = Live::default();
        let (asked, made) = tokio::join!(forgetful(listener), make_products(&work, &stage, &live));
        let made = made.unwrap()[0].to_string();
        assert!(asked[1].contains(&made), "{made} is not of {asked:?}");
        assert!(!asked[0].contains(&made), "a late {:?} would stock {made} again", asked[0]);
    }
}
