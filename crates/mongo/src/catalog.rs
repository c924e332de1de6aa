//! The catalogue: product documents in the layout's form, and the search over them.

mod fill;
mod filter;
pub(crate) mod find;
pub(crate) mod home;
pub(crate) mod record;
mod search;
mod whole;
mod write;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use mongodb::bson::{Document, doc};
use mworld_placement::Entity;
use mworld_shop::ports::Catalog;
use mworld_shop::product::{Offer, ProductDraft, ProductRef, Shown, Upserted};
use mworld_shop::search::Search;
use mworld_shop::{Operation, Page, ProductId, Result};

use crate::ask::Ask;
use crate::db::Wanted;
use crate::engine::Engine;

/// Batches of a first filling at once: so many keep a small cluster busy.
const AT_ONCE: usize = 4;

#[async_trait]
impl Catalog for Engine {
    async fn search(&self, search: &Search) -> Result<Page<Arc<Shown>>> {
        let search = search.clone();
        self.run(Operation::CatalogSearch, |mut db| async move { search::page(&mut db, &search).await }).await
    }

    async fn product(&self, wanted: &ProductRef) -> Result<Option<Arc<Shown>>> {
        let wanted = wanted.clone();
        let found = self
            .run(Operation::CatalogProduct, |mut db| async move { find::product(&mut db, &wanted).await });
        Ok(found.await?.map(|product| Arc::new(Shown::new(product))))
    }

    async fn offer(&self, wanted: &ProductRef) -> Result<Option<Offer>> {
        let wanted = wanted.clone();
        self.run(Operation::CartPut, |mut db| async move { find::offer(&mut db, &wanted).await }).await
    }

    async fn upsert(&self, id: ProductId, draft: ProductDraft) -> Result<Upserted> {
        self.run(
            Operation::CatalogUpsert,
            move |mut db| async move { write::upsert(&mut db, id, &draft).await },
        )
        .await
    }

    async fn upsert_many(&self, drafts: Vec<(ProductId, ProductDraft)>) -> Result<()> {
        let (batches, again) = fill::batches(drafts);
        let fill = |batch: Vec<fill::Draft>| {
            self.run(Operation::CatalogUpsert, |mut db| async move { fill::fill(&mut db, &batch).await })
        };
        stream::iter(batches.into_iter().map(fill)).buffer_unordered(AT_ONCE).try_collect::<()>().await?;
        for (id, draft) in again {
            self.upsert(id, draft).await?;
        }
        Ok(())
    }

    async fn withdraw(&self, id: ProductId) -> Result<bool> {
        self.run(Operation::CatalogUpsert, move |mut db| async move { write::withdraw(&mut db, id).await })
            .await
    }

    async fn is_empty(&self) -> Result<bool> {
        self.run(Operation::CatalogSearch, |mut db| async move {
            let wanted = Wanted { projection: Some(doc! { "_id": 1 }), ..Wanted::default() };
            // A secondary that lags would have the store filled once more.
            let found: Option<Document> = db.one_from_primary(&Ask::of(Entity::Products), wanted).await?;
            Ok(found.is_none())
        })
        .await
    }
}
