//! The demo catalogue: believable electronics, any number of them, always the same for one seed.
//!
//! Product *n* is a pure function of the seed and *n*. So a catalogue can be filled in batches, in any order, on any
//! machine, and two stores of different size agree on the products that both have.

mod dice;
mod kinds;
mod price;
mod stock;
mod text;

use mworld_shop::product::{Attribute, ProductDraft};
use mworld_shop::{Category, ProductId, Settings};
use uuid::Uuid;

use self::dice::Dice;
use self::kinds::Kind;

/// The most products a demo may have; ids are spread over seconds and must stay in the past.
pub(crate) const MAX_PRODUCTS: u64 = 10_000_000;

/// How many products a demo has if nobody says.
pub(crate) const DEFAULT_PRODUCTS: u64 = 2_000;

/// The seed of `mworld serve --demo`.
pub(crate) const SEED: u64 = 2026;

/// 1 January 2025 in milliseconds: product *n* pretends to have been listed *n* seconds later, so that the largest
/// demo ends in April 2025 and a product that an operator adds is newer than all of them.
const FIRST_LISTED_MS: u64 = 1_735_689_600_000;

/// A catalogue that exists only as a rule.
pub(crate) struct Demo<'a> {
    seed: u64,
    settings: &'a Settings,
}

impl<'a> Demo<'a> {
    /// The catalogue of that seed for a store with these zones and categories.
    pub(crate) fn new(seed: u64, settings: &'a Settings) -> Demo<'a> {
        Demo { seed, settings }
    }

    /// Product `n`.
    pub(crate) fn product(&self, n: u64) -> (ProductId, ProductDraft) {
        let mut dice = Dice::new(self.seed, n);
        let id = id(n, &mut dice);
        let Choice { kind, number } = choose(n);
        let item = text::Item::nth(kind, number, self.seed);
        let draft = ProductDraft {
            name: item.name(text::Language::of(n)),
            description: item.description(&mut dice),
            category: self.category(kind),
            subcategory: Some(kind.id.to_owned()),
            price: price::price(&item, self.settings.currency, &mut dice),
            attributes: attributes(&item, &mut dice),
            stock: Some(stock::stock(&self.settings.zones, &mut dice)),
        };
        (id, draft)
    }

    /// The kind's category; a store that has another list gets the kinds dealt over its own.
    fn category(&self, kind: &Kind) -> Category {
        let own = &self.settings.categories;
        let same = own.iter().find(|category| category.id.as_str() == kind.category.id());
        let dealt = || &own[kind.category as usize % own.len()];
        same.unwrap_or_else(dealt).id.clone()
    }
}

/// Which kind of thing product `n` is, and the how-many-th of its kind.
struct Choice {
    kind: &'static Kind,
    number: u64,
}

/// Kinds follow each other in a fixed round, so that every stretch of the catalogue has the same mixture and the
/// number within the kind is known without counting.
fn choose(n: u64) -> Choice {
    let round: u64 = kinds::all().map(|kind| kind.share).sum();
    // A step that shares no divisor with the round (100) visits every place of it once: the kinds come mixed.
    let mut place = (n % round) * 37 % round;
    for kind in kinds::all() {
        if place < kind.share {
            return Choice { kind, number: n / round * kind.share + place };
        }
        place -= kind.share;
    }
    unreachable!("the places of a round are the sum of all shares")
}

/// A UUIDv7 whose time is `n` seconds after the first listing.
fn id(n: u64, dice: &mut Dice) -> ProductId {
    let millis = FIRST_LISTED_MS + n * 1_000;
    let high = (millis << 16) | 0x7000 | (dice.next() >> 52);
    let low = (dice.next() >> 2) | (1 << 63);
    ProductId::from_uuid(Uuid::from_u64_pair(high, low))
}

/// Four to eight properties: those of the item itself, then some of those that every box has printed on it.
fn attributes(item: &text::Item, dice: &mut Dice) -> Vec<Attribute> {
    let attribute = |(key, value): (&str, String)| Attribute { key: key.to_owned(), value };
    let mut list: Vec<Attribute> = item.properties().into_iter().map(attribute).collect();
    let warranty = ["12", "24", "36"][dice.below(3) as usize];
    let country = ["China", "Vietnam", "Türkiye", "Россия", "Korea"][dice.below(5) as usize];
    list.push(attribute(("warranty_months", warranty.to_owned())));
    if dice.below(2) == 0 {
        list.push(attribute(("country", country.to_owned())));
    }
    if dice.below(3) == 0 {
        list.push(attribute(("year", (2022 + dice.below(5)).to_string())));
    }
    list
}

#[cfg(test)]
mod tests;
