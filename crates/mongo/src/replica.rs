//! Reads from secondaries under a promise of freshness. The driver's own bound cannot go below ninety seconds, and the
//! cluster's router chooses the member; so the server itself is made to keep the promise: it answers only when it has seen
//! everything up to a time, and if that takes too long the primary is asked instead.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::Timestamp;
use serde::de::DeserializeOwned;

use crate::ask::Ask;
use crate::core::Core;
use crate::db::Wanted;
use crate::policy::Policy;

/// How long a secondary may take to catch up. Longer than a healthy one needs, shorter than a buyer notices.
const PATIENCE: Duration = Duration::from_millis(250);

/// What a secondary answered.
pub(crate) struct Replied<T> {
    pub(crate) records: Vec<T>,
    /// How old the answer may be.
    pub(crate) age: Duration,
}

/// Asks as the policy says. `None` means that no member can answer in time, and that the primary is to be asked.
pub(crate) async fn read<T>(
    core: &Core,
    ask: &Ask,
    wanted: &Wanted,
    policy: &Policy,
    own_write: Option<Timestamp>,
) -> Option<Replied<T>>
where
    T: DeserializeOwned + Send + Sync + Unpin,
{
    let fresh = policy.max_age.map(|age| core.cluster_clock.at_most(age));
    let after = fresh.into_iter().chain(own_write).max_by_key(|time| (time.time, time.increment));
    match try_read(core, ask, wanted, policy, after).await {
        Ok((records, seen)) => {
            let age = seen.map(|seen| core.cluster_clock.age(seen)).unwrap_or_default();
            Some(Replied { records, age })
        }
        Err(error) => {
            tracing::debug!(%error, collection = %ask.collection, "no secondary answers in time; asking the primary");
            None
        }
    }
}

/// The records, and the time up to which the server had seen everything.
async fn try_read<T>(
    core: &Core,
    ask: &Ask,
    wanted: &Wanted,
    policy: &Policy,
    after: Option<Timestamp>,
) -> mongodb::error::Result<(Vec<T>, Option<Timestamp>)>
where
    T: DeserializeOwned + Send + Sync + Unpin,
{
    let mut session = core.client.start_session().causal_consistency(true).await?;
    if let Some(after) = after {
        session.advance_operation_time(after);
    }
    let collection = core.collection::<T>(ask.collection);
    let find = wanted.apply(collection.find(ask.filter(core.shape)));
    let find = find
        .max_time(PATIENCE)
        .selection_criteria(policy.selection())
        .read_concern(policy.read_concern.clone());
    let mut cursor = find.session(&mut session).await?;
    let records = cursor.stream(&mut session).try_collect().await?;
    Ok((records, session.operation_time()))
}
