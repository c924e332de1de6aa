//! The stock of an item that many want at once, split into buckets: records of their own, so that buyers who take from
//! different ones do not meet. The home record says into how many, and keeps at least one piece, which shows that there is
//! stock. Pieces move between home and buckets in transactions only, so that their sum is exact at every moment, and
//! before anybody hears «sold out» every bucket has been looked into.

use mongodb::bson::doc;
use mworld_placement::{Constraint, Value};
use mworld_shop::product::ZoneStock;
use mworld_shop::{ProductId, Timestamp, Zone};
use serde::{Deserialize, Serialize};

use super::record::{self, Stand};
use crate::ask::Ask;
use crate::catalog::home::{self, Hint, Home};
use crate::catalog::record::{Split, pieces};
use crate::collection::Collection;
use crate::db::{Db, Wanted};
use crate::fault::{Answer, corrupt};
use crate::hot::{CALM, Item, Wish};
use crate::transaction::in_transaction;
use crate::tries::Tries;

/// Pieces that a bucket must have for splitting to be worth while.
const WORTH: u32 = 8;

/// How many buckets an item has at most. Each is a record that a look into all of them reads.
const MOST: u32 = 64;

/// How long it is tried to arrange an item's stock anew.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

/// One bucket.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Bucket {
    #[serde(rename = "_id")]
    id: String,
    /// Product and zone; the first bucket of an item stands for all when they are listed.
    item: String,
    first: bool,
    quantity: i64,
    /// When it was last sold from, so that whoever comes by can see that the item is calm.
    sold_at: Timestamp,
}

fn item_id(product: ProductId, zone: &Zone) -> String {
    format!("{product}/{zone}")
}

fn id(product: ProductId, zone: &Zone, number: u32) -> String {
    format!("{product}/{zone}/{number}")
}

/// The question for all buckets of an item: each is named, so that only the shards that hold them are asked.
fn all(product: ProductId, zone: &Zone, buckets: u32) -> Ask {
    let ids = (0..buckets).map(|number| Value::from(id(product, zone, number))).collect();
    Ask::of(Collection::Buckets).within("_id", Constraint::In(ids))
}

/// Takes pieces from one bucket, if it has enough; how many are left in it.
pub(super) async fn take(
    db: &mut Db,
    product: ProductId,
    zone: &Zone,
    number: u32,
    wanted: u32,
) -> Answer<Option<u32>> {
    let enough = doc! { "$gte": i64::from(wanted) };
    let ask = Ask::own(Collection::Buckets, id(product, zone, number)).also("quantity", enough);
    let change = doc! {
        "$inc": { "quantity": -i64::from(wanted) },
        "$set": { "sold_at": db.core.clock.now().micros() },
    };
    let left: Option<Bucket> = db.changed(&ask, change, None).await?;
    left.map(|left| pieces(left.quantity)).transpose()
}

/// What a look into every bucket and the home found.
pub(super) enum Looked {
    /// Taken; so many are left altogether.
    Taken(u32),
    /// There are only so many altogether.
    Short(u32),
}

/// Takes pieces from wherever they are, after a look into everything. When no bucket alone has enough, all of it is brought
/// home first; when little is left, whoever comes next does it, so that the last pieces are not hunted over many records.
pub(super) async fn take_anywhere(
    db: &mut Db,
    product: ProductId,
    home: &Home,
    zone: &Zone,
    wanted: u32,
    stand: &Stand,
) -> Answer<Looked> {
    let buckets = stand.buckets(zone);
    db.core.hot.learn(&(product, zone.clone()), buckets);
    let found: Vec<Bucket> = db.all(&all(product, zone, buckets), Wanted::default()).await?;
    let inside = sum(&found)?;
    let total = inside.saturating_add(stand.pieces()?);
    if total < wanted {
        return Ok(Looked::Short(total));
    }
    if inside < buckets.saturating_mul(2) {
        db.core.hot.runs_out(&(product, zone.clone()));
    }
    // Any that has enough, and not the same for all who look.
    let rich: Vec<&Bucket> = found.iter().filter(|bucket| bucket.quantity >= i64::from(wanted)).collect();
    if let Some(chosen) = rich.get(rand::random_range(0..rich.len().max(1))) {
        let number = chosen.id.rsplit('/').next().and_then(|number| number.parse().ok());
        let number = number.ok_or_else(|| corrupt("bucket", "its id has no number"))?;
        if take(db, product, zone, number, wanted).await?.is_some() {
            return Ok(Looked::Taken(total - wanted));
        }
    }
    bring_home(db, product, home, zone, buckets, inside).await?;
    match record::take(db, product, Hint::Home(home), zone, wanted, false).await? {
        Some(stand) => Ok(Looked::Taken(stand.pieces()?)),
        None => Err(corrupt("stock", "what was brought home is not there")),
    }
}

fn sum(found: &[Bucket]) -> Answer<u32> {
    found.iter().try_fold(0_u32, |sum, bucket| Ok(sum.saturating_add(pieces(bucket.quantity)?)))
}

async fn bring_home(
    db: &mut Db,
    product: ProductId,
    home: &Home,
    zone: &Zone,
    buckets: u32,
    inside: u32,
) -> Answer<()> {
    db.delete_all(&all(product, zone, buckets)).await?;
    record::mark_split(db, product, home, zone, 0, i64::from(inside)).await?;
    db.core.hot.learn(&(product, zone.clone()), 0);
    Ok(())
}

/// Brings every piece of an item home, inside the transaction under way; whether it had been split.
pub(crate) async fn merge(db: &mut Db, product: ProductId, home: &Home, zone: &Zone) -> Answer<bool> {
    let stand = record::look(db, product, Hint::Home(home), zone).await?;
    let buckets = stand.map_or(0, |stand| stand.buckets(zone));
    if buckets == 0 {
        return Ok(false);
    }
    let found: Vec<Bucket> = db.all(&all(product, zone, buckets), Wanted::default()).await?;
    let inside = sum(&found)?;
    bring_home(db, product, home, zone, buckets, inside).await?;
    Ok(true)
}

/// What lies in the buckets of these zones of a product.
pub(crate) async fn sums(db: &mut Db, product: ProductId, split: &[Split]) -> Answer<Vec<ZoneStock>> {
    let mut stock = Vec::new();
    for Split { zone, buckets } in split {
        let found: Vec<Bucket> = db.all(&all(product, zone, *buckets), Wanted::default()).await?;
        stock.push(ZoneStock { quantity: sum(&found)?, zone: zone.clone() });
    }
    Ok(stock)
}

/// Splits an item or brings it home. Nobody of this process sells it meanwhile; whoever fails at it sells from what there
/// is.
pub(super) async fn fulfil(db: &mut Db, item: &Item, wish: Wish) -> Answer<()> {
    let core = std::sync::Arc::clone(&db.core);
    let _alone = core.hot.alone(item).await;
    let mut tries = Tries::within(PATIENCE);
    loop {
        db.begin().await?;
        let outcome = match wish {
            Wish::Split => split_once(db, item).await,
            Wish::Merge => merge_one(db, item.0, &item.1).await.map(|_| 0),
        };
        match db.end(outcome, &mut tries).await {
            Some(Ok(buckets)) => {
                core.hot.learn(item, buckets);
                return Ok(());
            }
            Some(Err(fault)) => {
                tracing::debug!(?fault, ?wish, "the stock of an item could not be arranged anew");
                return Ok(());
            }
            None => {}
        }
    }
}

async fn split_once(db: &mut Db, (product, zone): &Item) -> Answer<u32> {
    let Some(home) = home::of(db, *product).await? else { return Ok(0) };
    let Some(stand) = record::look(db, *product, Hint::Home(&home), zone).await? else { return Ok(0) };
    if stand.buckets(zone) > 0 {
        return Ok(stand.buckets(zone));
    }
    let quantity = stand.pieces()?;
    let buckets = MOST.min(quantity / WORTH);
    if buckets < 2 {
        return Ok(0);
    }
    // At least one piece stays at home.
    let each = (quantity - 1) / buckets;
    let now = db.core.clock.now();
    let bucket = |number| Bucket {
        id: id(*product, zone, number),
        item: item_id(*product, zone),
        first: number == 0,
        quantity: each.into(),
        sold_at: now,
    };
    let made: Vec<Bucket> = (0..buckets).map(bucket).collect();
    db.insert_all(&all(*product, zone, buckets), &made).await?;
    record::mark_split(db, *product, &home, zone, buckets, -i64::from(each * buckets)).await?;
    Ok(buckets)
}

/// Brings home the items of which nobody has bought for a while, whichever process split them; how many.
pub(crate) async fn merge_calm(db: &mut Db) -> Answer<usize> {
    db.core.hot.forget_calm();
    let firsts: Vec<Bucket> =
        db.all(&Ask::of(Collection::Buckets).also("first", true), Wanted::default()).await?;
    let mut merged = 0;
    for first in firsts {
        let (Some((product, zone)), true) = (parsed(&first.item), is_calm(db, &first.item).await?) else {
            continue;
        };
        merged += usize::from(in_transaction!(db, merge_one(db, product, &zone))?);
    }
    Ok(merged)
}

/// Whether no bucket of the item has been sold from for a while.
async fn is_calm(db: &mut Db, item: &str) -> Answer<bool> {
    let recent = db.core.clock.now().minus(CALM).micros();
    let busy = Ask::of(Collection::Buckets).also("item", item).also("sold_at", doc! { "$gt": recent });
    Ok(db.one::<Bucket>(&busy, Wanted::default()).await?.is_none())
}

async fn merge_one(db: &mut Db, product: ProductId, zone: &Zone) -> Answer<bool> {
    match home::of(db, product).await? {
        Some(home) => merge(db, product, &home, zone).await,
        None => Ok(false),
    }
}

fn parsed(item: &str) -> Option<(ProductId, Zone)> {
    let (product, zone) = item.split_once('/')?;
    Some((product.parse().ok()?, Zone::new(zone).ok()?))
}
