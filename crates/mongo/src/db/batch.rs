//! Many records of one collection in one command, for work that goes through them in batches.

use std::sync::Arc;

use mongodb::bson::Document;
use mworld_placement::touched::Kind;
use serde::Serialize;

use super::Db;
use crate::ask::Ask;
use crate::fault::Answer;

impl Db {
    /// Writes many new records, wherever they lie.
    pub(crate) async fn insert_all<T: Serialize + Send + Sync>(
        &mut self,
        place: &Ask,
        records: &[T],
    ) -> Answer<()> {
        self.touch(place, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<T>(place.collection);
        let insert = collection.insert_many(records);
        if self.in_transaction {
            insert.session(self.session.as_mut().expect("a transaction has a session")).await?;
        } else {
            insert.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?;
        }
        Ok(())
    }

    /// Changes every record that is asked for, in the same way.
    pub(crate) async fn update_all(&mut self, ask: &Ask, change: Document) -> Answer<()> {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<Document>(ask.collection);
        let update = collection.update_many(ask.filter(core.shape), change);
        if self.in_transaction {
            update.session(self.session.as_mut().expect("a transaction has a session")).await?;
        } else {
            update.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?;
        }
        Ok(())
    }

    /// Deletes every record that is asked for.
    pub(crate) async fn delete_all(&mut self, ask: &Ask) -> Answer<()> {
        self.touch(ask, Kind::Write);
        let core = Arc::clone(&self.core);
        let collection = core.collection::<Document>(ask.collection);
        let delete = collection.delete_many(ask.filter(core.shape));
        if self.in_transaction {
            delete.session(self.session.as_mut().expect("a transaction has a session")).await?;
        } else {
            delete.write_concern(core.policies.of_operation(self.operation).write_concern.clone()).await?;
        }
        Ok(())
    }
}
