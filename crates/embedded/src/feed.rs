//! The feed: events in the order of their commits. There is one writer, so the order holds for all keys together.

use async_trait::async_trait;
use mworld_shop::event::{Event, EventId, Happened};
use mworld_shop::ports::Feed;
use mworld_shop::{Operation, Page, PageSize, Refusal, Result, Timestamp};

use crate::db::Db;
use crate::engine::Engine;
use crate::error::corrupt;

/// Writes an event, in the transaction of what happened.
pub(crate) fn append(db: &Db<'_>, at: Timestamp, happened: &Happened) -> Result<()> {
    let text = serde_json::to_string(happened).map_err(|error| corrupt("event", error))?;
    db.run("INSERT INTO events (at, happened) VALUES (?1, ?2)", (at.micros(), text))?;
    Ok(())
}

#[async_trait]
impl Feed for Engine {
    async fn events(&self, after: Option<&EventId>, limit: PageSize) -> Result<Page<Event, EventId>> {
        let after: i64 = match after {
            None => 0,
            Some(id) => id.0.parse().ok().filter(|after| *after >= 0).ok_or(Refusal::BadCursor)?,
        };
        let wanted = i64::try_from(limit.get()).unwrap_or(i64::from(PageSize::MAX));
        let rows: Vec<(i64, i64, String)> = self.read(Operation::OrderList, |db, _| {
            db.all(
                "SELECT seq, at, happened FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2",
                (after, wanted + 1),
                |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
            )
        })?;
        let more = rows.len() > limit.get();
        let items: Vec<Event> = rows.into_iter().take(limit.get()).map(read).collect::<Result<_>>()?;
        let next = items.last().filter(|_| more).map(|event| event.id.clone());
        Ok(Page { items, next })
    }
}

fn read((seq, at, happened): (i64, i64, String)) -> Result<Event> {
    Ok(Event {
        id: EventId(seq.to_string()),
        at: Timestamp::from_micros(at),
        happened: serde_json::from_str(&happened).map_err(|error| corrupt("event", error))?,
    })
}
