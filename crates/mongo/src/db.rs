//! One operation under way: the few ways in which it reads and writes, inside a transaction or outside.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::ClientSession;
use mongodb::bson::Document;
use mongodb::options::{ReadConcern, ReturnDocument, WriteConcern};
use mworld_placement::touched::{Kind, Touch};
use mworld_shop::Operation;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ask::Ask;
use crate::core::Core;
use crate::fault::{Answer, Fault};
use crate::maps::counted;
use crate::tries::Tries;

/// The longest that one command may take on the server: the longest election that we know of, and a little.
pub(crate) const COMMAND: Duration = Duration::from_secs(12);

/// One operation under way. What it touched is counted when it is dropped.
pub(crate) struct Db {
    pub(crate) core: Arc<Core>,
    operation: Operation,
    session: Option<ClientSession>,
    in_transaction: bool,
    touched: Vec<Touch>,
}

/// What a read asks for beyond its filter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    pub(crate) sort: Option<Document>,
    pub(crate) limit: Option<i64>,
    pub(crate) projection: Option<Document>,
}

impl Db {
    pub(crate) fn new(core: Arc<Core>, operation: Operation) -> Db {
        Db { core, operation, session: None, in_transaction: false, touched: Vec::new() }
    }

    /// Begins a transaction: what follows happens as one, or not at all.
    pub(crate) async fn begin(&mut self) -> Answer<()> {
        if self.session.is_none() {
            self.session = Some(self.core.client.start_session().await?);
        }
        let session = self.session.as_mut().expect("it was started just now");
        session
            .start_transaction()
            .read_concern(ReadConcern::snapshot())
            .write_concern(WriteConcern::majority())
            .max_commit_time(COMMAND)
            .await?;
        self.in_transaction = true;
        Ok(())
    }

    /// Ends the transaction: what has an answer is committed, what failed is undone. `None` means that the failure
    /// was transient, a pause has been made, and the whole transaction is to be tried again.
    pub(crate) async fn end<T>(&mut self, outcome: Answer<T>, tries: &mut Tries) -> Option<Answer<T>> {
        let failure = match outcome {
            Ok(answer) => match self.commit(tries).await {
                Ok(()) => return Some(Ok(answer)),
                Err(failure) => failure,
            },
            Err(failure) => {
                self.abort().await;
                failure
            }
        };
        if failure.is_transient() && tries.again().await {
            return None;
        }
        Some(Err(failure))
    }

    async fn commit(&mut self, tries: &mut Tries) -> Answer<()> {
        self.in_transaction = false;
        let session = self.session.as_mut().expect("a transaction has a session");
        loop {
            let failure = match session.commit_transaction().await {
                Ok(()) => return Ok(()),
                Err(error) => Fault::from(error),
            };
            if !(failure.is_unknown_commit() && tries.again().await) {
                return Err(failure);
            }
        }
    }

    /// An abort that does not arrive is made by the server itself, after a minute.
    async fn abort(&mut self) {
        self.in_transaction = false;
        if let Some(session) = &mut self.session {
            let _ = session.abort_transaction().await;
        }
    }

    fn touch(&mut self, ask: &Ask, kind: Kind) {
        let Some(area) = counted(ask.collection) else { return };
        let route = self.core.maps.now().route(ask);
        self.touched.extend(route.shards().map(|shard| Touch { area, shard, kind }));
    }

    /// The one record that is asked for, if it is there.
    pub(crate) async fn one<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Option<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        self.touch(ask, Kind::Read);
        let core = Arc::clone(&self.core);
        let filter = ask.filter(core.shape);
        let collection = core.collection::<T>(ask.collection);
        let mut find = collection.find_one(filter).max_time(COMMAND);
        if let Some(sort) = wanted.sort {
            find = find.sort(sort);
        }
        if let Some(projection) = wanted.projection {
            find = find.projection(projection);
        }
        Ok(if self.in_transaction {
            find.session(self.session.as_mut().expect("a transaction has a session")).await?
        } else {
            let policy = core.policies.of_operation(self.operation);
            find.selection_criteria(policy.selection()).read_concern(policy.read_concern.clone()).await?
        })
    }

    /// Every record that is asked for, in order, up to a limit.
    pub(crate) async fn all<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Vec<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        self.touch(ask, Kind::Read);
        let core = Arc::clone(&self.core);
        let filter = ask.filter(core.shape);
        let collection = core.collection::<T>(ask.collection);
        let mut find = collection.find(filter).max_time(COMMAND);
        if let Some(sort) = wanted.sort {
            find = find.sort(sort);
        }
        if let Some(limit) = wanted.limit {
            // One batch holds all of it: no second trip, and no cursor left behind.
            find = find.limit(limit).batch_size(u32::try_from(limit.saturating_add(1)).unwrap_or(u32::MAX));
        }
        if let Some(projection) = wanted.projection {
            find = find.projection(projection);
        }
        if self.in_transaction {
            let session = self.session.as_mut().expect("a transaction has a session");
            let mut cursor = find.session(&mut *session).await?;
            Ok(cursor.stream(session).try_collect().await?)
        } else {
            let policy = core.policies.of_operation(self.operation);
            let find = find.selection_criteria(policy.selection()).read_concern(policy.read_concern.clone());
            Ok(find.await?.try_collect().await?)
        }
    }

    /// Writes a new record; see [`Fault::is_duplicate`]. The question says where it lies: its key fields are known.
    pub(crate) async fn insert<T: Serialize + Send + Sync>(&mut self, place: &Ask, record: &T) -> Answer<()> {
        self.touch(place, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<T>(place.collection);
        let insert = collection.insert_one(record);
        if self.in_transaction {
            insert.session(self.session.as_mut().expect("a transaction has a session")).await?;
        } else {
            insert.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?;
        }
        Ok(())
    }

    /// Changes one record; whether it was there.
    pub(crate) async fn update(&mut self, ask: &Ask, change: Document) -> Answer<bool> {
        self.change(ask, change, false).await
    }

    /// Changes one record, or makes it: the question must name its whole key.
    pub(crate) async fn upsert(&mut self, ask: &Ask, change: Document) -> Answer<()> {
        self.change(ask, change, true).await.map(drop)
    }

    async fn change(&mut self, ask: &Ask, change: Document, make: bool) -> Answer<bool> {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<Document>(ask.collection);
        let update = collection.update_one(ask.filter(core.shape), change).upsert(make);
        let done = if self.in_transaction {
            update.session(self.session.as_mut().expect("a transaction has a session")).await?
        } else {
            update.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?
        };
        Ok(done.matched_count > 0)
    }

    /// Changes one record and reads it in the same step: as it is afterwards. `None` if there is no such record.
    pub(crate) async fn changed<T>(
        &mut self,
        ask: &Ask,
        change: Document,
        projection: Option<Document>,
    ) -> Answer<Option<T>>
    where
        T: DeserializeOwned + Send + Sync,
    {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<T>(ask.collection);
        let mut update = collection
            .find_one_and_update(ask.filter(core.shape), change)
            .return_document(ReturnDocument::After)
            .max_time(COMMAND);
        if let Some(projection) = projection {
            update = update.projection(projection);
        }
        Ok(if self.in_transaction {
            update.session(self.session.as_mut().expect("a transaction has a session")).await?
        } else {
            update.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?
        })
    }

    /// Puts a record in another's place, whose key fields are the same; whether that was there.
    pub(crate) async fn replace<T: Serialize + Send + Sync>(
        &mut self,
        ask: &Ask,
        record: &T,
    ) -> Answer<bool> {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<T>(ask.collection);
        let replace = collection.replace_one(ask.filter(core.shape), record);
        let done = if self.in_transaction {
            replace.session(self.session.as_mut().expect("a transaction has a session")).await?
        } else {
            replace.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?
        };
        Ok(done.matched_count > 0)
    }

    /// Deletes one record; whether it was there.
    pub(crate) async fn delete(&mut self, ask: &Ask) -> Answer<bool> {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<Document>(ask.collection);
        let delete = collection.delete_one(ask.filter(core.shape));
        let done = if self.in_transaction {
            delete.session(self.session.as_mut().expect("a transaction has a session")).await?
        } else {
            delete.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?
        };
        Ok(done.deleted_count > 0)
    }
}

impl Drop for Db {
    fn drop(&mut self) {
        self.core.counters.record(self.operation, &self.touched);
    }
}
