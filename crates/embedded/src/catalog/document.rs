//! One product document: a row of `products` and what hangs on it.

use mworld_placement::{Entity, ShardId};
use mworld_shop::product::Attribute;
use mworld_shop::search::words;
use mworld_shop::{Result, Timestamp, Zone};

use rusqlite::Row;

use super::listing::{Listing, Stored, text};
use crate::core::Core;
use crate::db::Db;
use crate::error::{corrupt, sql};

/// A product document as it is stored.
#[derive(Debug, Clone)]
pub(crate) struct Document {
    pub(crate) listing: Listing,
    pub(crate) doc: i64,
    pub(crate) listed_at: Timestamp,
    pub(crate) updated_at: Timestamp,
    pub(crate) version: u64,
    pub(crate) description: String,
    pub(crate) attributes: Vec<Attribute>,
}

impl Stored for Document {
    const SELECT: &'static str = "SELECT shard, product_id, zone, category, subcategory, price, in_stock, withdrawn, \
         name, doc, listed_at, updated_at, version, description, attributes \
         FROM products WHERE shard = ?1 AND product_id = ?2";

    fn read(row: &Row<'_>) -> Result<Document> {
        Ok(Document {
            listing: Listing::read(row)?,
            doc: row.get(9).map_err(sql)?,
            listed_at: Timestamp::from_micros(row.get(10).map_err(sql)?),
            updated_at: Timestamp::from_micros(row.get(11).map_err(sql)?),
            version: row.get(12).map_err(sql)?,
            description: row.get(13).map_err(sql)?,
            attributes: serde_json::from_str(text(row, 14)?)
                .map_err(|error| corrupt("attribute list", error))?,
        })
    }

    fn listing(&self) -> &Listing {
        &self.listing
    }
}

impl Document {
    /// Writes a document that is not there yet, with its words and attributes.
    pub(super) fn insert(&mut self, db: &Db<'_>, core: &Core) -> Result<()> {
        self.listing.shard = core.router.product(self.listing.key(), self.listing.zone.as_ref());
        db.changes(self.listing.id.uuid());
        db.writes(Entity::Products.into(), self.listing.shard);
        let id = self.listing.id.uuid().into_bytes();
        let statement =
            "INSERT INTO product_docs (shard, product_id, zone) VALUES (?1, ?2, ?3) RETURNING doc";
        let doc =
            db.one(statement, (self.listing.shard.0, id, self.listing.zone_text()), |row| row.get(0))?;
        self.doc = doc.ok_or_else(|| corrupt("document number", "none was given"))?;
        let attributes = serde_json::to_string(&self.attributes).map_err(|e| corrupt("attribute list", e))?;
        db.run(
            "INSERT INTO products (shard, product_id, zone, doc, category, subcategory, price, in_stock, withdrawn, \
             listed_at, updated_at, version, name, description, attributes) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
            rusqlite::params![
                self.listing.shard.0,
                id,
                self.listing.zone_text(),
                self.doc,
                self.listing.category.as_str(),
                self.listing.subcategory,
                self.listing.price,
                self.listing.in_stock,
                self.listing.withdrawn,
                self.listed_at.micros(),
                self.updated_at.micros(),
                self.version,
                self.listing.name,
                self.description,
                attributes
            ],
        )?;
        self.insert_words(db)?;
        for attribute in &self.attributes {
            db.run(
                "INSERT INTO product_attributes (shard, key, value, product_id, zone) VALUES (?1, ?2, ?3, ?4, ?5)",
                (self.listing.shard.0, &attribute.key, &attribute.value, id, self.listing.zone_text()),
            )?;
        }
        Ok(())
    }

    /// Writes the document of one more zone.
    pub(crate) fn for_zone(&self, db: &Db<'_>, core: &Core, zone: &Zone) -> Result<Document> {
        let mut document = self.clone();
        (document.listing.zone, document.listing.in_stock) = (Some(zone.clone()), 0);
        document.insert(db, core)?;
        Ok(document)
    }

    fn insert_words(&self, db: &Db<'_>) -> Result<()> {
        let place =
            format!("{} {}", shard_word(self.listing.shard), category_word(self.listing.category.as_str()));
        db.run(
            "INSERT INTO product_words (rowid, place, words) VALUES (?1, ?2, ?3)",
            (self.doc, place, words(&self.listing.name).join(" ")),
        )?;
        Ok(())
    }

    /// Takes a document away, with its words and attributes.
    pub(super) fn delete(&self, db: &Db<'_>) -> Result<()> {
        db.changes(self.listing.id.uuid());
        db.writes(Entity::Products.into(), self.listing.shard);
        let id = self.listing.id.uuid().into_bytes();
        db.run("DELETE FROM product_words WHERE rowid = ?1", [self.doc])?;
        db.run("DELETE FROM product_docs WHERE doc = ?1", [self.doc])?;
        for attribute in &self.attributes {
            db.run(
                "DELETE FROM product_attributes WHERE shard = ?1 AND key = ?2 AND value = ?3 AND product_id = ?4 AND zone = ?5",
                (self.listing.shard.0, &attribute.key, &attribute.value, id, self.listing.zone_text()),
            )?;
        }
        db.run(
            "DELETE FROM products WHERE shard = ?1 AND product_id = ?2 AND zone = ?3",
            (self.listing.shard.0, id, self.listing.zone_text()),
        )?;
        Ok(())
    }
}

/// The word that stands for a shard in the full-text index.
pub(super) fn shard_word(shard: ShardId) -> String {
    format!("s{}", shard.0)
}

/// The word that stands for a category: letters and digits only, since the index splits at anything else.
pub(super) fn category_word(category: &str) -> String {
    let hex: String = category.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("c{hex}")
}
