//! All that is stored of a product: its documents and, where they are apart, its stock records.

use mworld_placement::Form;
use mworld_shop::event::StockChange;
use mworld_shop::product::{Product, ProductDraft, ZoneStock};
use mworld_shop::{ProductId, Timestamp, Zone};

use super::home::Home;
use super::record::{ProductRecord, StockRecord, in_every_zone, quantity_in};
use crate::core::Core;
use crate::fault::Answer;

/// A product with its stock, before it is cut into records.
#[derive(Debug, Clone)]
pub(super) struct Whole {
    /// What all its documents say alike.
    pub(super) face: ProductRecord,
    /// The pieces in every zone that has a record, also in one that the store no longer has.
    pub(super) stock: Vec<ZoneStock>,
}

/// The records that a product is cut into.
pub(super) struct Records {
    pub(super) documents: Vec<ProductRecord>,
    pub(super) stock: Vec<StockRecord>,
}

impl Whole {
    /// What a draft makes of a product, of nothing or of what there was.
    pub(super) fn drafted(
        core: &Core,
        product: ProductId,
        draft: &ProductDraft,
        old: Option<&Whole>,
        now: Timestamp,
    ) -> Whole {
        let mut face = ProductRecord::of_draft(product, draft, now);
        if let Some(old) = old {
            face.listed_at = old.face.listed_at;
            face.updated_at = now.after(old.face.updated_at);
            face.version = old.face.version + 1;
        }
        let had = old.map(|old| old.stock.as_slice()).unwrap_or_default();
        let quantity = |zone: &Zone| {
            let given = draft.stock.iter().flatten().find(|stock| stock.zone == *zone);
            given.map_or_else(|| quantity_in(had, zone), |stock| stock.quantity)
        };
        // A zone that the store no longer has keeps what it had: orders may still be returned to it.
        let is_kept = |zone: &&Zone| {
            core.settings.zones.iter().any(|known| known.id == **zone)
                || had.iter().any(|stock| stock.zone == **zone)
        };
        let zones = core.zones.iter().filter(is_kept);
        let stock = zones.map(|zone| ZoneStock { zone: zone.clone(), quantity: quantity(zone) }).collect();
        Whole { face, stock }
    }

    /// The same product, withdrawn.
    pub(super) fn withdrawn(&self, now: Timestamp) -> Whole {
        let mut whole = self.clone();
        whole.face.withdrawn = true;
        whole.face.version += 1;
        whole.face.updated_at = now.after(self.face.updated_at);
        whole
    }

    pub(super) fn home(&self) -> Home {
        self.face.home()
    }

    /// What of the stock is not as it was.
    pub(super) fn changes(&self, old: Option<&Whole>) -> Vec<StockChange> {
        let had = old.map(|old| old.stock.as_slice()).unwrap_or_default();
        let change = |stock: &ZoneStock| StockChange {
            product_id: self.face.product(),
            zone: stock.zone.clone(),
            delta: i64::from(stock.quantity) - i64::from(quantity_in(had, &stock.zone)),
            quantity: stock.quantity,
        };
        self.stock.iter().map(change).filter(|change| change.delta != 0).collect()
    }

    /// Cuts it as the form has it.
    pub(super) fn records(&self, form: Form) -> Records {
        let none = ProductRecord {
            geo_zone: None,
            stock: None,
            quantity: None,
            in_stock: None,
            ..self.face.clone()
        };
        match form {
            Form::Whole => {
                let document = ProductRecord { stock: Some(self.stock.clone()), ..none };
                Records { documents: vec![document], stock: Vec::new() }
            }
            Form::PerZone => {
                let document = |stock: &ZoneStock| none.in_zone(&stock.zone, stock.quantity);
                Records { documents: self.stock.iter().map(document).collect(), stock: Vec::new() }
            }
            Form::Apart => {
                let any = self.stock.iter().filter(|stock| stock.quantity > 0);
                let in_stock = Some(any.map(|stock| stock.zone.clone()).collect());
                let record = |stock: &ZoneStock| none.stock_in(&stock.zone, stock.quantity);
                let stock = self.stock.iter().map(record).collect();
                Records { documents: vec![ProductRecord { in_stock, ..none }], stock }
            }
        }
    }

    /// As the shop shows it.
    pub(super) fn into_product(self, core: &Core) -> Answer<Product> {
        let stock = in_every_zone(core, &self.stock);
        self.face.into_product(stock)
    }
}
