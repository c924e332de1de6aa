//! The catalogue: product documents, their indexes, and the search over them.

mod document;
mod find;
mod listing;
mod search;
mod select;
mod upsert;

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use mworld_shop::ports::Catalog;
use mworld_shop::product::{Offer, ProductDraft, ProductRef, Shown, Upserted};
use mworld_shop::search::{Search, Sort};
use mworld_shop::{Operation, Page, ProductId, Result};

pub(crate) use self::document::Document;
pub(crate) use self::find::{KeptProduct, assemble, documents, listings, product, stock_of};
pub(crate) use self::listing::Listing;
use crate::engine::Engine;

/// Products of a first filling in one job. SQLite keeps what a job changed until its savepoint is released, in a list
/// that it walks again for every statement: jobs of 250 took twice as long for the same products.
const JOB: usize = 20;

/// Jobs of a first filling at once. They share a commit, so that pages which several of them change are written once;
/// more would hold up everybody else's writes for too long.
const JOBS: usize = 100;

/// Whether what fits may have to be looked for along a long list: then not on a thread that serves others.
fn may_be_long(search: &Search) -> bool {
    let priced = search.min_price.is_some() || search.max_price.is_some();
    search.q.is_some()
        || !search.attributes.is_empty()
        || search.subcategory.is_some()
        || (priced && search.sort == Sort::Newest)
}

#[async_trait]
impl Catalog for Engine {
    async fn search(&self, search: &Search) -> Result<Page<Arc<Shown>>> {
        if !may_be_long(search) {
            return self.read(Operation::CatalogSearch, |db, core| search::page(db, core, search));
        }
        let search = search.clone();
        self.read_long(Operation::CatalogSearch, move |db, core| search::page(db, core, &search)).await
    }

    async fn product(&self, wanted: &ProductRef) -> Result<Option<Arc<Shown>>> {
        self.read(Operation::CatalogProduct, |db, core| product(db, core, wanted))
    }

    async fn offer(&self, wanted: &ProductRef) -> Result<Option<Offer>> {
        self.read(Operation::CartPut, |db, core| find::offer(db, core, wanted))
    }

    async fn upsert(&self, id: ProductId, draft: ProductDraft) -> Result<Upserted> {
        self.write(Operation::CatalogUpsert, move |db, core| upsert::upsert(db, core, id, &draft)).await
    }

    async fn upsert_many(&self, drafts: Vec<(ProductId, ProductDraft)>) -> Result<()> {
        let mut drafts = drafts.into_iter().peekable();
        while drafts.peek().is_some() {
            let mut jobs = Vec::with_capacity(JOBS);
            while jobs.len() < JOBS && drafts.peek().is_some() {
                let job: Vec<_> = drafts.by_ref().take(JOB).collect();
                jobs.push(self.write(Operation::CatalogUpsert, move |db, core| {
                    job.iter().try_for_each(|(id, draft)| upsert::upsert(db, core, *id, draft).map(drop))
                }));
            }
            try_join_all(jobs).await?;
        }
        Ok(())
    }

    async fn withdraw(&self, id: ProductId) -> Result<bool> {
        self.write(Operation::CatalogUpsert, move |db, core| upsert::withdraw(db, core, id)).await
    }

    async fn is_empty(&self) -> Result<bool> {
        self.read(Operation::CatalogSearch, |db, _| {
            Ok(db.one("SELECT 1 FROM product_docs LIMIT 1", [], |_| Ok(()))?.is_none())
        })
    }
}
