//! What a store's owner decides: currency, zones, categories, limits, policies.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::cart::MergePolicy;
use crate::error::{Refusal, Result};
use crate::money::Currency;
use crate::name::{Category, Zone};

/// A zone or category with the name that people read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Named<T> {
    /// The name in keys, files and the API.
    pub id: T,
    /// The name that people read.
    pub name: String,
}

/// The store's own configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The one currency of every price.
    pub currency: Currency,
    /// Zones, the first being the default of a new session.
    pub zones: Vec<Named<Zone>>,
    /// Categories.
    pub categories: Vec<Named<Category>>,
    /// What happens to quantities when a guest cart meets a user's.
    pub merge_policy: MergePolicy,
    /// How long an unpaid order holds its stock; zero = for ever.
    pub order_hold: Duration,
    /// Limits of a cart.
    pub cart: CartLimits,
}

/// How large a cart may grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CartLimits {
    /// Lines.
    pub max_lines: usize,
    /// Pieces of one product.
    pub max_quantity: u32,
}

impl Default for CartLimits {
    fn default() -> Self {
        CartLimits { max_lines: 100, max_quantity: 999 }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let zone = |id: &str, name: &str| Named {
            id: Zone::new(id).expect("a default zone is a legal name"),
            name: name.to_owned(),
        };
        let category = |id: &str, name: &str| Named {
            id: Category::new(id).expect("a default category is a legal name"),
            name: name.to_owned(),
        };
        Settings {
            currency: Currency::RUB,
            zones: vec![
                zone("msk", "Москва"),
                zone("spb", "Санкт-Петербург"),
                zone("ekb", "Екатеринбург"),
                zone("kln", "Калининград"),
            ],
            categories: vec![
                category("electronics", "Электроника"),
                category("audio", "Аудио"),
                category("appliances", "Бытовая техника"),
                category("accessories", "Аксессуары"),
            ],
            merge_policy: MergePolicy::Sum,
            order_hold: Duration::from_secs(30 * 60),
            cart: CartLimits::default(),
        }
    }
}

impl Settings {
    /// The zone of that name, or what to write instead.
    pub fn zone(&self, name: &str) -> Result<Zone> {
        let found = self.zones.iter().find(|zone| zone.id.as_str() == name);
        found.map(|zone| zone.id.clone()).ok_or_else(|| {
            Refusal::UnknownZone { given: excerpt(name), known: list(&self.zones, Zone::as_str) }.into()
        })
    }

    /// The category of that name, or what to write instead.
    pub fn category(&self, name: &str) -> Result<Category> {
        let found = self.categories.iter().find(|category| category.id.as_str() == name);
        found.map(|category| category.id.clone()).ok_or_else(|| {
            Refusal::UnknownCategory { given: excerpt(name), known: list(&self.categories, Category::as_str) }
                .into()
        })
    }

    /// The zone of a session that names none.
    pub fn default_zone(&self) -> Zone {
        self.zones.first().expect("a store has at least one zone: its configuration is checked").id.clone()
    }
}

/// The beginning of a value that goes into a message: enough to recognise it.
fn excerpt(text: &str) -> String {
    text.chars().take(64).collect()
}

fn list<T>(named: &[Named<T>], as_str: fn(&T) -> &str) -> String {
    named.iter().map(|item| as_str(&item.id)).collect::<Vec<_>>().join(", ")
}
