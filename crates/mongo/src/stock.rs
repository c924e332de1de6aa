//! Stock: taken and given back within the transactions of orders, and by an operator's word. Never below zero.

mod record;

use mworld_shop::event::StockChange;
use mworld_shop::product::{MAX_STOCK, Product, ProductRef, ZoneStock};
use mworld_shop::{Category, ProductId, Refusal, Zone};

use crate::catalog::find;
use crate::catalog::home::{self, Hint, stock_is_found_by_category};
use crate::db::Db;
use crate::fault::Answer;

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
    let quick = stock_is_found_by_category(&db.core);
    if quick {
        let stand = record::take(db, product, Hint::Category(category), zone, pieces, true).await?;
        if let Some(stand) = stand {
            return sold(product, zone, pieces, stand);
        }
    }
    let Some(home) = home::of(db, product).await? else { return Ok(Taken::Unknown) };
    if !quick || home.category != *category {
        let stand = record::take(db, product, Hint::Home(&home), zone, pieces, true).await?;
        if let Some(stand) = stand {
            return sold(product, zone, pieces, stand);
        }
    }
    if let Some(stand) = record::look(db, product, &home, zone).await? {
        return Ok(if stand.withdrawn { Taken::Withdrawn } else { Taken::Short(stand.pieces()?) });
    }
    let elsewhere = find::documents(db, product, Hint::Home(&home)).await?;
    Ok(match elsewhere.first() {
        None => Taken::Unknown,
        Some(document) if document.withdrawn => Taken::Withdrawn,
        Some(_) => Taken::Short(0),
    })
}

fn sold(product: ProductId, zone: &Zone, pieces: u32, stand: record::Stand) -> Answer<Taken> {
    let quantity = stand.pieces()?;
    let change = StockChange { product_id: product, zone: zone.clone(), delta: -i64::from(pieces), quantity };
    Ok(Taken::Sold(Sold { name: stand.name, category: stand.category, price: stand.price, change }))
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
    let quantity = if delta < 0 {
        let pieces = u32::try_from(delta.unsigned_abs()).unwrap_or(u32::MAX);
        match record::take(db, product, Hint::Home(&home), zone, pieces, false).await? {
            Some(stand) => stand.pieces()?,
            None => {
                let stand = record::look(db, product, &home, zone).await?;
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
        let stand = record::look(db, product, &home, zone).await?;
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
