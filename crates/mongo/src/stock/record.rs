//! One stock record: the pieces of a product in a zone, wherever the layout's form keeps them. All arithmetic on stock
//! is here, always by the server's own operators and under a condition, within the transaction under way.

use mongodb::bson::{Document, doc};
use mworld_placement::Form;
use mworld_shop::product::ZoneStock;
use mworld_shop::{Category, ProductId, Zone};
use serde::Deserialize;

use crate::ask::Ask;
use crate::catalog::find;
use crate::catalog::home::{self, Hint, Home, document_in, stock_record};
use crate::catalog::record::{Split, pieces};
use crate::core::Core;
use crate::db::{Db, Wanted};
use crate::fault::{Answer, corrupt};

/// A stock record as a sale sees it.
#[derive(Debug, Deserialize)]
pub(super) struct Stand {
    pub(super) name: String,
    pub(super) category: Category,
    pub(super) price: i64,
    pub(super) withdrawn: bool,
    /// The one of the zone, in the form whole.
    #[serde(default)]
    stock: Vec<ZoneStock>,
    #[serde(default)]
    quantity: Option<i64>,
    #[serde(default)]
    split: Vec<Split>,
}

impl Stand {
    /// How many pieces there are.
    pub(super) fn pieces(&self) -> Answer<u32> {
        match (self.stock.first(), self.quantity) {
            (Some(stock), _) => Ok(stock.quantity),
            (None, Some(quantity)) => pieces(quantity),
            (None, None) => Ok(0),
        }
    }
}

impl Stand {
    /// Into how many buckets the zone's stock is split; 0 if it is not.
    pub(super) fn buckets(&self, zone: &Zone) -> u32 {
        self.split.iter().find(|split| split.zone == *zone).map_or(0, |split| split.buckets)
    }
}

/// The question for the record; the form decides in which collection it stands.
fn ask(core: &Core, product: ProductId, hint: Hint<'_>, zone: &Zone) -> Ask {
    match core.shape.form {
        Form::Whole | Form::PerZone => document_in(core, product, hint, zone),
        Form::Apart => stock_record(core, product, hint, zone),
    }
}

fn projection(core: &Core, zone: &Zone) -> Document {
    let mut fields = doc! { "name": 1, "category": 1, "price": 1, "withdrawn": 1, "split": 1 };
    match core.shape.form {
        Form::Whole => fields.insert("stock", doc! { "$elemMatch": { "zone": zone.as_str() } }),
        Form::PerZone | Form::Apart => fields.insert("quantity", 1),
    };
    fields
}

/// The record as it is.
pub(super) async fn look(
    db: &mut Db,
    product: ProductId,
    hint: Hint<'_>,
    zone: &Zone,
) -> Answer<Option<Stand>> {
    let ask = ask(&db.core, product, hint, zone);
    let projection = Some(projection(&db.core, zone));
    db.one(&ask, Wanted { projection, ..Wanted::default() }).await
}

/// Takes pieces away, if there are enough and they are not in buckets; the record afterwards. `for_sale`: and if the
/// product is not withdrawn.
pub(super) async fn take(
    db: &mut Db,
    product: ProductId,
    hint: Hint<'_>,
    zone: &Zone,
    pieces: u32,
    for_sale: bool,
) -> Answer<Option<Stand>> {
    let mut ask = ask(&db.core, product, hint, zone).also("split.zone", doc! { "$ne": zone.as_str() });
    if for_sale {
        ask = ask.also("withdrawn", false);
    }
    let enough = doc! { "$gte": i64::from(pieces) };
    let ask = match db.core.shape.form {
        Form::Whole => {
            ask.also("stock", doc! { "$elemMatch": { "zone": zone.as_str(), "quantity": enough } })
        }
        Form::PerZone | Form::Apart => ask.also("quantity", enough),
    };
    let change = doc! { "$inc": { counter(&db.core): -i64::from(pieces) } };
    let projection = projection(&db.core, zone);
    let Some(stand) = db.changed::<Stand>(&ask, change, Some(projection)).await? else {
        return Ok(None);
    };
    if stand.pieces()? == 0 {
        show_in_stock(db, product, zone, false).await?;
    }
    Ok(Some(stand))
}

/// Puts pieces in; how many there are afterwards. `None` if no record was found there.
pub(super) async fn put(
    db: &mut Db,
    product: ProductId,
    hint: Hint<'_>,
    zone: &Zone,
    pieces: u32,
) -> Answer<Option<u32>> {
    let ask = ask(&db.core, product, hint, zone);
    let there = match db.core.shape.form {
        Form::Whole => ask.also("stock.zone", zone.as_str()),
        Form::PerZone | Form::Apart => ask,
    };
    let change = doc! { "$inc": { counter(&db.core): i64::from(pieces) } };
    let projection = projection(&db.core, zone);
    let Some(stand) = db.changed::<Stand>(&there, change, Some(projection)).await? else {
        return Ok(None);
    };
    let after = stand.pieces()?;
    if after > 0 && after == pieces {
        show_in_stock(db, product, zone, true).await?;
    }
    Ok(Some(after))
}

/// Puts pieces in where the product is known to lie; how many there are afterwards. A zone that the store got after
/// the product was written gets its record now.
pub(super) async fn put_or_make(
    db: &mut Db,
    product: ProductId,
    home: &Home,
    zone: &Zone,
    pieces: u32,
) -> Answer<u32> {
    if let Some(after) = put(db, product, Hint::Home(home), zone, pieces).await? {
        return Ok(after);
    }
    make(db, product, home, zone, pieces).await?;
    if pieces > 0 {
        show_in_stock(db, product, zone, true).await?;
    }
    Ok(pieces)
}

/// Says into how many buckets the zone's stock is split (0: not at all), while this many pieces come home from them, or
/// leave for them.
pub(super) async fn mark_split(
    db: &mut Db,
    product: ProductId,
    home: &Home,
    zone: &Zone,
    buckets: u32,
    come_home: i64,
) -> Answer<()> {
    let ask = ask(&db.core, product, Hint::Home(home), zone);
    let there = match db.core.shape.form {
        Form::Whole => ask.also("stock.zone", zone.as_str()),
        Form::PerZone | Form::Apart => ask,
    };
    let (operator, mark) = match buckets {
        0 => ("$pull", doc! { "split": { "zone": zone.as_str() } }),
        _ => ("$push", doc! { "split": { "zone": zone.as_str(), "buckets": buckets } }),
    };
    let change = doc! { "$inc": { counter(&db.core): come_home }, operator: mark };
    if db.update(&there, change).await? { Ok(()) } else { Err(corrupt("stock", "its record is not there")) }
}

/// Where the quantity of the zone stands; in an array it is the element that the question has found.
fn counter(core: &Core) -> &'static str {
    match core.shape.form {
        Form::Whole => "stock.$.quantity",
        Form::PerZone | Form::Apart => "quantity",
    }
}

async fn make(db: &mut Db, product: ProductId, home: &Home, zone: &Zone, pieces: u32) -> Answer<()> {
    let documents = find::documents(db, product, Hint::Home(home)).await?;
    let sibling = documents.first().ok_or_else(|| corrupt("product", "it has no documents"))?;
    // Whoever writes the product at the same time makes this record as well: only the id's record keeps them apart.
    home::count(db, product).await?;
    match db.core.shape.form {
        Form::Whole => {
            let ask = document_in(&db.core, product, Hint::Home(home), zone);
            let entry = doc! { "zone": zone.as_str(), "quantity": i64::from(pieces) };
            db.update(&ask, doc! { "$push": { "stock": entry } }).await.map(drop)
        }
        Form::PerZone => {
            let place = document_in(&db.core, product, Hint::Home(home), zone);
            db.insert(&place, &sibling.in_zone(zone, pieces)).await
        }
        Form::Apart => {
            let place = stock_record(&db.core, product, Hint::Home(home), zone);
            db.insert(&place, &sibling.stock_in(zone, pieces)).await
        }
    }
}

/// Where stock is apart, the product's document says in which zones there is any, for search.
async fn show_in_stock(db: &mut Db, product: ProductId, zone: &Zone, any: bool) -> Answer<()> {
    if db.core.shape.form != Form::Apart {
        return Ok(());
    }
    let Some(home) = home::of(db, product).await? else { return Ok(()) };
    let ask = document_in(&db.core, product, Hint::Home(&home), zone);
    let operator = if any { "$addToSet" } else { "$pull" };
    db.update(&ask, doc! { operator: { "in_stock": zone.as_str() } }).await.map(drop)
}
