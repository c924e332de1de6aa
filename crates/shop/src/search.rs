//! What a catalogue search may ask for.

use crate::name::{Category, Zone};
use crate::page::{ListId, PageSize, Position};

/// The order of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Sort {
    /// Cheapest first.
    PriceUp,
    /// Dearest first.
    PriceDown,
    /// Last listed first. A product's place does not change when it is edited.
    #[default]
    Newest,
}

impl Sort {
    /// The name in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Sort::PriceUp => "price",
            Sort::PriceDown => "-price",
            Sort::Newest => "newest",
        }
    }

    /// The order of that name.
    pub fn from_name(name: &str) -> Option<Sort> {
        [Sort::PriceUp, Sort::PriceDown, Sort::Newest].into_iter().find(|sort| sort.name() == name)
    }
}

/// Filters, order and page of a search. Every filter narrows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Search {
    /// Words of the name, see [`words`]; every word must be there, the last may be a beginning.
    pub q: Option<String>,
    /// In this category.
    pub category: Option<Category>,
    /// In this subcategory.
    pub subcategory: Option<String>,
    /// In stock in this zone.
    pub zone: Option<Zone>,
    /// At least this price, minor units.
    pub min_price: Option<i64>,
    /// At most this price, minor units.
    pub max_price: Option<i64>,
    /// With all of these attributes (key, value).
    pub attributes: Vec<(String, String)>,
    /// In this order.
    pub sort: Sort,
    /// So many.
    pub limit: Option<PageSize>,
    /// Beginning here.
    pub after: Option<Position>,
}

impl Search {
    /// The page size in force.
    pub fn page_size(&self) -> PageSize {
        self.limit.unwrap_or(PageSize::DEFAULT)
    }

    /// Which list this is: a cursor of one does not fit another. The page size is not part of it.
    pub fn list_id(&self) -> ListId {
        let number = |value: Option<i64>| value.map_or(String::new(), |value| value.to_string());
        let mut attributes = self.attributes.clone();
        attributes.sort();
        let mut parts = vec![
            "products".to_owned(),
            self.q.as_deref().map(|q| words(q).join(" ")).unwrap_or_default(),
            self.category.as_ref().map(ToString::to_string).unwrap_or_default(),
            self.subcategory.clone().unwrap_or_default(),
            self.zone.as_ref().map(ToString::to_string).unwrap_or_default(),
            number(self.min_price),
            number(self.max_price),
            self.sort.name().to_owned(),
        ];
        parts.extend(attributes.into_iter().flat_map(|(key, value)| [key, value]));
        ListId::of(parts.iter().map(String::as_str))
    }
}

/// The words of a text as search sees them: runs of letters and digits, lower case, `ё` as `е`.
/// Names and queries go through this same function, so that an engine's own idea of a word does not matter.
pub fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('ё', "е"))
        .collect()
}
