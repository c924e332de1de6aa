//! What of a product document selling needs: enough to find it, price it and take its stock. The rest of the row,
//! its description and attributes, is not read for that.

use mworld_placement::{Entity, ShardId};
use mworld_shop::{Category, ProductId, Result, Zone};
use rusqlite::Row;

use crate::db::Db;
use crate::error::{corrupt, sql};
use crate::router::ProductKey;

/// The head of a product document. In the form per-zone a product has one for each zone.
#[derive(Debug, Clone)]
pub(crate) struct Listing {
    pub(crate) shard: ShardId,
    pub(crate) id: ProductId,
    /// The document's zone in the form per-zone, else `None`.
    pub(crate) zone: Option<Zone>,
    pub(crate) category: Category,
    pub(crate) subcategory: Option<String>,
    pub(crate) price: i64,
    pub(crate) in_stock: i64,
    pub(crate) withdrawn: bool,
    pub(crate) name: String,
}

/// Something that is read from a row of `products`.
pub(crate) trait Stored: Sized {
    /// Every one of a product on a shard.
    const SELECT: &'static str;

    /// Reads a row of that statement.
    fn read(row: &Row<'_>) -> Result<Self>;

    /// Its head.
    fn listing(&self) -> &Listing;
}

impl Stored for Listing {
    const SELECT: &'static str = "SELECT shard, product_id, zone, category, subcategory, price, in_stock, withdrawn, \
         name FROM products WHERE shard = ?1 AND product_id = ?2";

    fn read(row: &Row<'_>) -> Result<Listing> {
        let zone = match text(row, 2)? {
            "" => None,
            name => Some(Zone::new(name).map_err(|error| corrupt("zone", error))?),
        };
        Ok(Listing {
            shard: ShardId(row.get(0).map_err(sql)?),
            id: ProductId::from_uuid(uuid::Uuid::from_bytes(row.get(1).map_err(sql)?)),
            zone,
            category: Category::new(text(row, 3)?).map_err(|error| corrupt("category", error))?,
            subcategory: row.get(4).map_err(sql)?,
            price: row.get(5).map_err(sql)?,
            in_stock: row.get(6).map_err(sql)?,
            withdrawn: row.get(7).map_err(sql)?,
            name: row.get(8).map_err(sql)?,
        })
    }

    fn listing(&self) -> &Listing {
        self
    }
}

impl Listing {
    pub(crate) fn key(&self) -> ProductKey<'_> {
        ProductKey {
            id: self.id,
            category: self.category.as_str(),
            subcategory: self.subcategory.as_deref(),
            price: self.price,
        }
    }

    /// The zone as the table has it.
    pub(crate) fn zone_text(&self) -> &str {
        self.zone.as_ref().map_or("", Zone::as_str)
    }

    /// Takes note that a zone has just sold out or has stock again.
    pub(crate) fn set_in_stock(&self, db: &Db<'_>, in_stock: i64) -> Result<()> {
        if self.in_stock == in_stock {
            return Ok(());
        }
        db.writes(Entity::Products.into(), self.shard);
        db.run(
            "UPDATE products SET in_stock = ?4 WHERE shard = ?1 AND product_id = ?2 AND zone = ?3",
            (self.shard.0, self.id.uuid().into_bytes(), self.zone_text(), in_stock),
        )?;
        Ok(())
    }
}

/// A column as text, where it lies.
pub(super) fn text<'r>(row: &'r Row<'_>, column: usize) -> Result<&'r str> {
    row.get_ref(column).and_then(|value| value.as_str().map_err(Into::into)).map_err(sql)
}
