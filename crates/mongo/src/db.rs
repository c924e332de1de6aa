//! One operation under way: the few ways in which it reads and writes, inside a transaction or outside.

mod batch;
mod stamp;

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::ClientSession;
use mongodb::action::Find;
use mongodb::bson::{Document, Timestamp};
use mongodb::options::{ReadConcern, ReadPreference, ReturnDocument, WriteConcern};
use mworld_placement::touched::{Kind, Touch};
use mworld_shop::Operation;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::ask::Ask;
use crate::core::Core;
use crate::fault::{Answer, Fault};
use crate::hot::{Item, Place};
use crate::maps::counted;
use crate::replica;
use crate::tries::Tries;

/// The longest that one command may take on the server: the longest election that we know of, and a little.
pub(crate) const COMMAND: Duration = Duration::from_secs(12);

/// One operation under way. What it touched is counted when it is dropped.
pub(crate) struct Db {
    pub(crate) core: Arc<Core>,
    operation: Operation,
    session: Option<ClientSession>,
    in_transaction: bool,
    /// What the buyer has written, which no read of theirs may miss.
    must_see: Option<Timestamp>,
    touched: Vec<Touch>,
    /// Places at contended items, kept until the transaction has ended.
    places: Vec<(Item, Place)>,
    is_counted: bool,
}

/// What a read asks for beyond its filter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    pub(crate) sort: Option<Document>,
    pub(crate) limit: Option<i64>,
    pub(crate) projection: Option<Document>,
}

impl Wanted {
    /// Asks for just this.
    pub(crate) fn apply<'a, T: Send + Sync>(&self, mut find: Find<'a, T>) -> Find<'a, T> {
        if let Some(sort) = &self.sort {
            find = find.sort(sort.clone());
        }
        if let Some(limit) = self.limit {
            // One batch holds all of it: no second trip, and no cursor left behind.
            find = find.limit(limit).batch_size(u32::try_from(limit.saturating_add(1)).unwrap_or(u32::MAX));
        }
        if let Some(projection) = &self.projection {
            find = find.projection(projection.clone());
        }
        find
    }
}

impl Db {
    pub(crate) fn new(core: Arc<Core>, operation: Operation) -> Db {
        Db {
            core,
            operation,
            session: None,
            in_transaction: false,
            must_see: None,
            touched: Vec::new(),
            places: Vec::new(),
            is_counted: true,
        }
    }

    /// One that the store does by itself: nobody asked for it, so it is counted as nobody's.
    pub(crate) fn by_itself(core: Arc<Core>, operation: Operation) -> Db {
        let mut db = Db::new(core, operation);
        db.is_counted = false;
        db
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
        let ended = match outcome {
            Ok(answer) => self.commit(tries).await.map(|()| answer),
            Err(failure) => {
                self.abort().await;
                Err(failure)
            }
        };
        self.places.clear();
        let failure = match ended {
            Ok(answer) => return Some(Ok(answer)),
            Err(failure) => failure,
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

    /// Keeps a place at a contended item until the next transaction has ended.
    pub(crate) fn hold(&mut self, item: Item, place: Place) {
        self.places.push((item, place));
    }

    /// The bucket at which this operation has a place.
    pub(crate) fn bucket_of(&self, item: &Item) -> Option<u32> {
        self.places.iter().find(|(held, _)| held == item).and_then(|(_, place)| place.bucket())
    }

    fn touch(&mut self, ask: &Ask, kind: Kind) {
        let Some(area) = counted(ask.collection) else { return };
        let route = self.core.maps.now().route(ask);
        self.touched.extend(route.shards().map(|shard| Touch { area, shard, kind }));
    }

    /// Whether this operation's policy lets a member answer that may lag.
    pub(crate) fn policy_may_lag(&self) -> bool {
        self.core.policies.of_operation(self.operation).may_lag()
    }

    /// From here on, reads of this operation see everything up to that time.
    pub(crate) fn must_see(&mut self, time: Option<Timestamp>) {
        self.must_see = time;
    }

    /// The cluster's time of the last commit of this operation.
    pub(crate) fn committed_at(&self) -> Option<Timestamp> {
        self.session.as_ref().and_then(ClientSession::operation_time)
    }

    /// The one record that is asked for, if it is there. That a secondary does not have it proves nothing: the primary
    /// has the last word.
    pub(crate) async fn one<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Option<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        let wanted = Wanted { limit: Some(1), ..wanted };
        if let Some(mut found) = self.ask_secondary(ask, &wanted).await
            && let Some(record) = found.pop()
        {
            return Ok(Some(record));
        }
        self.one_from_primary(ask, wanted).await
    }

    /// The one record that is asked for, as the primary has it.
    pub(crate) async fn one_from_primary<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Option<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        let wanted = Wanted { limit: Some(1), ..wanted };
        Ok(self.all_from_primary(ask, wanted).await?.pop())
    }

    /// Every record that is asked for, in order, up to a limit.
    pub(crate) async fn all<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Vec<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        match self.ask_secondary(ask, &wanted).await {
            Some(found) => Ok(found),
            None => self.all_from_primary(ask, wanted).await,
        }
    }

    /// What a secondary has, if this operation may ask one and it answers in time.
    async fn ask_secondary<T>(&mut self, ask: &Ask, wanted: &Wanted) -> Option<Vec<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        let core = Arc::clone(&self.core);
        let policy = core.policies.of_operation(self.operation);
        if self.in_transaction || !policy.may_lag() {
            return None;
        }
        let replied = replica::read(&core, ask, wanted, policy, self.must_see).await?;
        self.touch(ask, Kind::Read);
        core.ages.note(self.operation, replied.age);
        Some(replied.records)
    }

    async fn all_from_primary<T>(&mut self, ask: &Ask, wanted: Wanted) -> Answer<Vec<T>>
    where
        T: DeserializeOwned + Send + Sync + Unpin,
    {
        self.touch(ask, Kind::Read);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<T>(ask.collection);
        let find = wanted.apply(collection.find(ask.filter(core.shape))).max_time(COMMAND);
        if self.in_transaction {
            let session = self.session.as_mut().expect("a transaction has a session");
            let mut cursor = find.session(&mut *session).await?;
            Ok(cursor.stream(session).try_collect().await?)
        } else {
            let concern = core.policies.of_operation(self.operation).read_concern.clone();
            let find = find.selection_criteria(ReadPreference::Primary.into()).read_concern(concern);
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
        if self.is_counted {
            self.core.counters.record(self.operation, &self.touched);
        }
    }
}
