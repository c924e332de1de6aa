//! What a client may add so that a layout finds a product on one shard.

use mworld_shop::product::ProductRef;
use mworld_shop::{Category, ProductId, Zone};

use crate::app::Shared;
use crate::input::{Parameters, ReadQuery};
use crate::problem::Problem;

/// The category and zone that a product is probably found under. A wrong hint only costs, so whatever cannot be
/// a name is no hint at all.
pub(in crate::routes) struct Hints {
    category: Option<Category>,
    zone: Option<Zone>,
}

impl ReadQuery for Hints {
    const KNOWN: &'static [&'static str] = &["category", "zone"];

    fn read(parameters: &Parameters<'_>, _: &Shared) -> Result<Hints, Problem> {
        Ok(Hints {
            category: parameters.one("category")?.and_then(|text| Category::new(text).ok()),
            zone: parameters.one("zone")?.and_then(|text| Zone::new(text).ok()),
        })
    }
}

impl Hints {
    pub(super) fn of(self, id: ProductId) -> ProductRef {
        ProductRef { id, category: self.category, zone: self.zone }
    }
}
