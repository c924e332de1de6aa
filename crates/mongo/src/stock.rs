//! Stock: taken and given back within the transactions of orders, and by an operator's word. Never below zero.

pub(crate) mod buckets;
mod record;

use std::sync::Arc;

use mworld_shop::cart::CartLine;
use mworld_shop::event::StockChange;
use mworld_shop::product::{MAX_STOCK, Product, ProductRef, ZoneStock};
use mworld_shop::{Category, ProductId, Refusal, Zone};

use self::buckets::Looked;
use crate::catalog::find;
use crate::catalog::home::{self, Hint, stock_is_found_by_category};
use crate::db::Db;
use crate::fault::{Answer, Fault};

/// What a line was sold as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sold {
    pub(crate) name: String,
    pub(crate) category: Category,
    pub(crate) price: i64,
    pub(crate) change: StockChange,
}

/// What came of an attempt to take pieces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Taken {
    /// They were taken.
    Sold(Sold),
    /// There are only so many.
    Short(u32),
    /// There is no such product.
    Unknown,
    /// The product is not sold any more.
    Withdrawn,
}

/// Takes pieces of a product in a zone, inside the transaction under way. The category is a hint; a wrong one only
/// costs.
pub(crate) async fn take(
    db: &mut Db,
    product: ProductId,
    category: &Category,
    zone: &Zone,
    pieces: u32,
) -> Answer<Taken> {
    let item = (product, zone.clone());
    let taken = match db.bucket_of(&item) {
        Some(number) => take_from_bucket(db, product, category, zone, pieces, number).await,
        None => take_from_home(db, product, category, zone, pieces).await,
    };
    if taken.as_ref().is_err_and(Fault::is_conflict) {
        db.core.hot.conflicted(&item);
    }
    taken
}

/// Waits for a place at every item of these lines that is contended, in the order in which they will be taken, and splits
/// those for which the places are not enough. To be called before the transaction that takes them.
pub(crate) async fn line_up(db: &mut Db, lines: &[CartLine], zone: &Zone) -> Answer<()> {
    let mut products: Vec<ProductId> = lines.iter().map(|line| line.product_id).collect();
    products.sort_unstable();
    products.dedup();
    for product in products {
        let item = (product, zone.clone());
        if let Some(wish) = db.core.hot.take_wish(&item) {
            buckets::fulfil(db, &item, wish).await?;
        }
        let core = Arc::clone(&db.core);
        if let Some(place) = core.hot.place(&item).await {
            db.hold(item, place);
        }
    }
    Ok(())
}

async fn take_from_bucket(
    db: &mut Db,
    product: ProductId,
    category: &Category,
    zone: &Zone,
    pieces: u32,
    number: u32,
) -> Answer<Taken> {
    let Some(left) = buckets::take(db, product, zone, number, pieces).await? else {
        return look_closer(db, product, zone, pieces).await;
    };
    let stand = match record::look(db, product, Hint::Category(category), zone).await? {
        Some(stand) => Some(stand),
        None => match home::of(db, product).await? {
            Some(home) => record::look(db, product, Hint::Home(&home), zone).await?,
            None => None,
        },
    };
    match stand {
        None => Ok(Taken::Unknown),
        Some(stand) if stand.withdrawn => Ok(Taken::Withdrawn),
        Some(stand) => {
            // About as much: what all buckets hold would have to be read from all of them. The feed adds up exactly.
            let quantity = left.saturating_mul(stand.buckets(zone)).saturating_add(stand.pieces()?);
            Ok(sold(product, zone, pieces, stand, quantity))
        }
    }
}

async fn take_from_home(
    db: &mut Db,
    product: ProductId,
    category: &Category,
    zone: &Zone,
    pieces: u32,
) -> Answer<Taken> {
    let quick = stock_is_found_by_category(&db.core);
    if quick {
        let stand = record::take(db, product, Hint::Category(category), zone, pieces, true).await?;
        if let Some(stand) = stand {
            let quantity = stand.pieces()?;
            return Ok(sold(product, zone, pieces, stand, quantity));
        }
    }
    look_closer(db, product, zone, pieces).await
}

/// Takes pieces although they were not where they were looked for, or says why they cannot be taken.
async fn look_closer(db: &mut Db, product: ProductId, zone: &Zone, pieces: u32) -> Answer<Taken> {
    let Some(home) = home::of(db, product).await? else { return Ok(Taken::Unknown) };
    if let Some(stand) = record::take(db, product, Hint::Home(&home), zone, pieces, true).await? {
        db.core.hot.merged(&(product, zone.clone()));
        let quantity = stand.pieces()?;
        return Ok(sold(product, zone, pieces, stand, quantity));
    }
    if let Some(stand) = record::look(db, product, Hint::Home(&home), zone).await? {
        if stand.withdrawn {
            return Ok(Taken::Withdrawn);
        }
        if stand.buckets(zone) == 0 {
            db.core.hot.merged(&(product, zone.clone()));
            return Ok(Taken::Short(stand.pieces()?));
        }
        return Ok(match buckets::take_anywhere(db, product, &home, zone, pieces, &stand).await? {
            Looked::Taken(quantity) => sold(product, zone, pieces, stand, quantity),
            Looked::Short(available) => Taken::Short(available),
        });
    }
    let elsewhere = find::documents(db, product, Hint::Home(&home)).await?;
    Ok(match elsewhere.first() {
        None => Taken::Unknown,
        Some(document) if document.withdrawn => Taken::Withdrawn,
        Some(_) => Taken::Short(0),
    })
}

fn sold(product: ProductId, zone: &Zone, pieces: u32, stand: record::Stand, quantity: u32) -> Taken {
    let change = StockChange { product_id: product, zone: zone.clone(), delta: -i64::from(pieces), quantity };
    Taken::Sold(Sold { name: stand.name, category: stand.category, price: stand.price, change })
}

/// Puts pieces back (a cancelled order), inside the transaction under way. Works for a withdrawn product and for one
/// whose category has changed.
pub(crate) async fn give_back(
    db: &mut Db,
    product: ProductId,
    category: &Category,
    zone: &Zone,
    pieces: u32,
) -> Answer<StockChange> {
    let change =
        |quantity| StockChange { product_id: product, zone: zone.clone(), delta: pieces.into(), quantity };
    if stock_is_found_by_category(&db.core) {
        let after = record::put(db, product, Hint::Category(category), zone, pieces).await?;
        if let Some(quantity) = after {
            return Ok(change(quantity));
        }
    }
    let home = home::of(db, product).await?.ok_or(Refusal::ProductNotFound(product))?;
    Ok(change(record::put_or_make(db, product, &home, zone, pieces).await?))
}

/// The exact stock in every zone of the store; `None` if there is no such product. Not to be asked within a
/// transaction.
pub(crate) async fn exact(db: &mut Db, product: &ProductRef) -> Answer<Option<Vec<ZoneStock>>> {
    Ok(find::product(db, product).await?.map(|product| product.stock))
}

/// Adds or takes by an operator's word, inside the transaction under way; the change and the product afterwards.
pub(crate) async fn adjust(
    db: &mut Db,
    product: ProductId,
    zone: &Zone,
    delta: i64,
) -> Answer<(StockChange, Product)> {
    let home = home::of(db, product).await?.ok_or(Refusal::ProductNotFound(product))?;
    buckets::merge(db, product, &home, zone).await?;
    let quantity = if delta < 0 {
        let pieces = u32::try_from(delta.unsigned_abs()).unwrap_or(u32::MAX);
        match record::take(db, product, Hint::Home(&home), zone, pieces, false).await? {
            Some(stand) => stand.pieces()?,
            None => {
                let stand = record::look(db, product, Hint::Home(&home), zone).await?;
                let available = stand.map_or(Ok(0), |stand| stand.pieces())?;
                return Err(Refusal::StockBelowZero {
                    product_id: product,
                    zone: zone.clone(),
                    delta,
                    available,
                }
                .into());
            }
        }
    } else {
        let stand = record::look(db, product, Hint::Home(&home), zone).await?;
        let given = i64::from(stand.map_or(Ok(0), |stand| stand.pieces())?).saturating_add(delta);
        if given > i64::from(MAX_STOCK) {
            return Err(Refusal::InvalidStock { given, max: MAX_STOCK }.into());
        }
        let pieces = u32::try_from(delta).unwrap_or(MAX_STOCK);
        record::put_or_make(db, product, &home, zone, pieces).await?
    };
    let documents = find::documents(db, product, Hint::Home(&home)).await?;
    let after = find::assemble(db, documents).await?.ok_or(Refusal::ProductNotFound(product))?;
    Ok((StockChange { product_id: product, zone: zone.clone(), delta, quantity }, after))
}
