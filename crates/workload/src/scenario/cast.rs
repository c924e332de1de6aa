//! What set-up makes before the clock starts.

use super::{Products, Scenario, ZonePart};
use crate::plan::Dice;

/// Everything a run plays with, before it has ids. Numbers in a plan are places in these lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cast {
    /// The products, by `ProductNo`: category by category in the order of the file, then the hot one.
    pub products: Vec<CastProduct>,
    /// How many accounts there are: a `UserNo` is smaller.
    pub users: u32,
    /// The zones, by `ZoneNo`.
    pub zones: Vec<String>,
}

/// A product that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CastProduct {
    /// Its category.
    pub category: String,
    /// Its subcategory.
    pub subcategory: String,
    /// Its name, different from all others of the run.
    pub name: String,
    /// Its price in minor units.
    pub price: i64,
    /// Units by `ZoneNo`.
    pub stock: Vec<u32>,
}

/// Ordinary prices end in whole hundreds of minor units, as on any price tag.
const PRICE_STEP: i64 = 100;

impl Scenario {
    /// What set-up makes for a run with this seed.
    pub fn cast(&self, seed: u64) -> Cast {
        // Blocks of operations have their own dice, numbered from 0.
        let mut dice = Dice::new(seed, u64::MAX);
        let Products { stock, hot, .. } = &self.products;
        let product = |category: &str, what: &str, price, stock| CastProduct {
            category: category.to_owned(),
            subcategory: what.to_owned(),
            name: String::new(),
            price,
            stock: spread(stock, &self.zones),
        };
        let mut products = Vec::new();
        for category in &self.categories {
            let [from, to] = category.price;
            for _ in 0..category.products {
                let drawn = dice.within(from, to);
                let price = (drawn / PRICE_STEP * PRICE_STEP).max(from);
                products.push(product(&category.name, "load", price, *stock));
            }
        }
        if let Some(hot) = hot {
            products.push(product(&self.categories[hot.category].name, "load-hot", hot.price, hot.stock));
        }
        for (no, product) in products.iter_mut().enumerate() {
            product.name = format!("{} {} {no:03}", self.name, product.category);
        }
        let zones = self.zones.iter().map(|zone| zone.name.clone()).collect();
        Cast { products, users: self.people.accounts, zones }
    }
}

/// Units over the zones by their shares; what does not divide goes to the first.
fn spread(units: u32, zones: &[ZonePart]) -> Vec<u32> {
    let share = |zone: &ZonePart| u64::from(units) * u64::from(zone.share.of_ten_thousand()) / 10_000;
    // A share of a u32 fits one.
    let mut stock: Vec<u32> =
        zones.iter().map(|zone| u32::try_from(share(zone)).unwrap_or(u32::MAX)).collect();
    let dealt: u32 = stock.iter().sum();
    if let Some(first) = stock.first_mut() {
        *first += units - dealt;
    }
    stock
}
