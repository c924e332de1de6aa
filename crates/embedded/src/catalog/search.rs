//! A page of a search: every shard on the route gives its own in order, and the results are merged.

use std::sync::Arc;

use mworld_placement::{Entity, Form, ShardId};
use mworld_shop::product::{Attribute, Shown};
use mworld_shop::search::{Search, Sort, words};
use mworld_shop::{Page, Position, ProductId, Result};
use rusqlite::Rows;
use uuid::Uuid;

use super::find::{assemble, documents, on_shard, shown};
use super::select::{Source, count, search_words, select};
use crate::core::Core;
use crate::db::Db;
use crate::error::{corrupt, sql};

/// A source with at most so many candidates is taken and sorted. Beyond it, walking the sorted index finds a page
/// sooner: among a million products, a word that 2,000 of them have is met every 500 steps.
const SELECTIVE: i64 = 2_000;

/// One product that fits: where it stands in the order, and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hit {
    value: i64,
    id: [u8; 16],
    shard: ShardId,
}

impl Hit {
    fn position(&self) -> Position {
        Position { value: self.value, id: Uuid::from_bytes(self.id) }
    }
}

pub(super) fn page(db: &Db<'_>, core: &Core, search: &Search) -> Result<Page<Arc<Shown>>> {
    let size = search.page_size().get();
    let mut hits = hits(db, core, search, size + 1)?;
    let more = hits.len() > size;
    hits.truncate(size);
    let next = hits.last().filter(|_| more).map(Hit::position);
    let mut items = Vec::with_capacity(hits.len());
    for hit in hits {
        items.extend(show(db, core, search, &hit)?);
    }
    Ok(Page { items, next })
}

/// The product behind a hit. In the form per-zone a search within one zone has only that zone's documents in
/// reach, and shows that zone's stock.
fn show(db: &Db<'_>, core: &Core, search: &Search, hit: &Hit) -> Result<Option<Arc<Shown>>> {
    let id = ProductId::from_uuid(Uuid::from_bytes(hit.id));
    let per_zone = core.router.form() == Form::PerZone;
    if let Some(zone) = search.zone.as_ref().filter(|_| per_zone) {
        let found = documents(db, core, id, search.category.as_ref(), Some(zone))?;
        let product = assemble(db, core, found)?;
        return Ok(product.map(|mut product| {
            product.stock.retain(|stock| stock.zone == *zone);
            Arc::new(Shown::new(product))
        }));
    }
    let copy = db.snapshot().and_then(|snapshot| core.products.get_as_of(id.uuid(), snapshot));
    if let Some(kept) = copy {
        return Ok(Some(Arc::clone(&kept.product)));
    }
    let found = if per_zone {
        documents(db, core, id, search.category.as_ref(), None)?
    } else {
        on_shard(db, hit.shard, id)?
    };
    shown(db, core, found)
}

/// The first `wanted` hits over all shards of the route, in order, each product once.
fn hits(db: &Db<'_>, core: &Core, search: &Search, wanted: usize) -> Result<Vec<Hit>> {
    let zone_mask = search.zone.as_ref().map(|zone| core.zones.mask(zone));
    let route = core.router.search(search);
    let shards: Vec<ShardId> = route.shards().collect();
    let mut prepared = Vec::with_capacity(shards.len());
    for &shard in &shards {
        db.reads(Entity::Products.into(), shard);
        let source = source(db, search, shard)?;
        let select = select(search, shard, source, zone_mask);
        prepared.push((db.conn().prepare_cached(&select.statement).map_err(sql)?, select.params));
    }
    let filter = Filter::of(search);
    let mut streams = Vec::with_capacity(prepared.len());
    for ((statement, params), &shard) in prepared.iter_mut().zip(&shards) {
        let rows = statement.query(rusqlite::params_from_iter(params.iter())).map_err(sql)?;
        let mut stream = Stream { rows, shard, head: None };
        stream.step(&filter)?;
        streams.push(stream);
    }
    merge(&mut streams, search.sort, &filter, wanted)
}

/// Whether words, an attribute or a price range are rare enough on this shard to begin with.
fn source(db: &Db<'_>, search: &Search, shard: ShardId) -> Result<Source> {
    let mut sources = Vec::with_capacity(2);
    if search.q.as_deref().is_some_and(|q| !search_words(q).is_empty()) {
        sources.push(Source::Words);
    }
    if !search.attributes.is_empty() {
        sources.push(Source::Attribute);
    }
    if search.sort == Sort::Newest && (search.min_price.is_some() || search.max_price.is_some()) {
        sources.push(Source::Price);
    }
    for source in sources {
        let counted = count(search, shard, source, SELECTIVE + 1);
        let params = rusqlite::params_from_iter(counted.params.iter());
        let candidates: Option<i64> = db.one(&counted.statement, params, |row| row.get(0))?;
        if candidates.unwrap_or(0) <= SELECTIVE {
            return Ok(source);
        }
    }
    Ok(Source::Walk)
}

/// What SQL does not look at: words of the name, and attributes.
struct Filter<'s> {
    words: Vec<String>,
    attributes: &'s [(String, String)],
    looks: bool,
}

impl Filter<'_> {
    fn of(search: &Search) -> Filter<'_> {
        Filter {
            words: search.q.as_deref().map(search_words).unwrap_or_default(),
            attributes: &search.attributes,
            looks: search.q.is_some() || !search.attributes.is_empty(),
        }
    }

    fn fits(&self, name: &str, attributes: &str) -> Result<bool> {
        Ok(self.name_fits(name) && self.attributes_fit(attributes)?)
    }

    fn name_fits(&self, name: &str) -> bool {
        let Some((beginning, whole)) = self.words.split_last() else {
            return true;
        };
        let name = words(name);
        whole.iter().all(|word| name.contains(word)) && name.iter().any(|word| word.starts_with(beginning))
    }

    fn attributes_fit(&self, attributes: &str) -> Result<bool> {
        if self.attributes.is_empty() {
            return Ok(true);
        }
        let has: Vec<Attribute> =
            serde_json::from_str(attributes).map_err(|error| corrupt("attribute list", error))?;
        let fits = |(key, value): &(String, String)| has.iter().any(|a| a.key == *key && a.value == *value);
        Ok(self.attributes.iter().all(fits))
    }
}

/// One shard's hits, in order.
struct Stream<'s> {
    rows: Rows<'s>,
    shard: ShardId,
    head: Option<Hit>,
}

impl Stream<'_> {
    /// Moves to the next hit.
    fn step(&mut self, filter: &Filter<'_>) -> Result<()> {
        loop {
            let Some(row) = self.rows.next().map_err(sql)? else {
                self.head = None;
                return Ok(());
            };
            if filter.looks {
                let name = row.get_ref(3).and_then(|v| v.as_str().map_err(Into::into)).map_err(sql)?;
                let attributes = row.get_ref(4).and_then(|v| v.as_str().map_err(Into::into)).map_err(sql)?;
                if !filter.fits(name, attributes)? {
                    continue;
                }
            }
            let value = row.get(0).map_err(sql)?;
            let id = row.get(1).map_err(sql)?;
            self.head = Some(Hit { value, id, shard: self.shard });
            return Ok(());
        }
    }
}

/// Takes the foremost head again and again. A product whose documents lie in several places comes several times
/// in a row, since they share sort value and id, and is taken once.
fn merge(streams: &mut [Stream<'_>], sort: Sort, filter: &Filter<'_>, wanted: usize) -> Result<Vec<Hit>> {
    let mut hits: Vec<Hit> = Vec::with_capacity(wanted);
    while hits.len() < wanted {
        let heads = streams.iter().enumerate().filter_map(|(i, stream)| Some((i, stream.head?)));
        let order = |hit: &Hit| (hit.value, hit.id);
        let first = match sort {
            Sort::PriceUp => heads.min_by_key(|(_, hit)| order(hit)),
            Sort::PriceDown | Sort::Newest => heads.max_by_key(|(_, hit)| order(hit)),
        };
        let Some((i, hit)) = first else { break };
        if hits.last().is_none_or(|last| order(last) != order(&hit)) {
            hits.push(hit);
        }
        streams[i].step(filter)?;
    }
    Ok(hits)
}
