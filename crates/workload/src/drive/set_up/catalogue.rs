//! The products of the run.

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use serde_json::json;

use super::Work;
use crate::drive::api::Words;
use crate::drive::error::Error;
use crate::drive::live::Live;
use crate::drive::persist::complaint;
use crate::stage::{Stage, StagedProduct};

/// Requests under way at once: the store commits what it finds waiting in one go.
const AT_ONCE: usize = 16;

/// Makes every product. Writing one twice changes nothing, so a lost answer is asked for again.
pub(super) async fn make_products(work: &Work<'_>, stage: &Stage, live: &Live) -> Result<(), Error> {
    let products = stage.products.iter().zip(&work.cast.products);
    let made = stream::iter(products)
        .map(|(product, cast)| make(work, stage, product, &cast.subcategory, live))
        .buffer_unordered(AT_ONCE);
    made.try_collect().await
}

async fn make(
    work: &Work<'_>,
    stage: &Stage,
    product: &StagedProduct,
    subcategory: &str,
    live: &Live,
) -> Result<(), Error> {
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
    let request = words.send("PUT", &format!("/admin/products/{}", product.id), None, Some(body));
    let what = format!("make the product {:?}", product.name);
    let answer = work.ask(&request, &what).await?;
    match answer.status {
        200 | 201 => {
            live.one_more();
            Ok(())
        }
        401 | 403 => Err(Error::TokenRefused { url: work.store.url(), complaint: complaint(&answer) }),
        _ => Err(work.failed(&what, complaint(&answer))),
    }
}
