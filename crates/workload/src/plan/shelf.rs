//! Which product is looked at or bought, and what is searched for.

use super::act::Search;
use super::dice::{Dice, Weights};
use crate::scenario::{Filters, Scenario, Share};
use crate::stage::ProductNo;

/// The products as a crowd sees them.
#[derive(Debug, Clone)]
pub(super) struct Shelf {
    categories: Vec<Category>,
    /// How popular the categories are, all told.
    searched: Weights,
    /// How popular they are apart from the hot product, which takes its part of its own category's share.
    ordinary: Weights,
    hot: Option<(ProductNo, Share)>,
    filters: Filters,
}

#[derive(Debug, Clone)]
struct Category {
    name: String,
    first: u32,
    popularity: Weights,
    price: [i64; 2],
}

/// How many searches narrow the price down, and how many ask for what is in stock nearby: half of them.
const NARROWED: Share = Share::HALF;

/// How many price bands a page offers.
const BANDS: i64 = 4;

const SORTS: [&str; 3] = ["price", "-price", "newest"];

impl Shelf {
    pub(super) fn new(scenario: &Scenario) -> Shelf {
        let mut first = 0;
        let mut categories = Vec::new();
        for part in &scenario.categories {
            let popularity = Weights::zipf(part.products, scenario.products.skew);
            categories.push(Category { name: part.name.clone(), first, popularity, price: part.price });
            first += part.products;
        }
        let hot = scenario.products.hot.as_ref();
        let shares: Vec<u64> =
            scenario.categories.iter().map(|part| u64::from(part.share.of_ten_thousand())).collect();
        let mut ordinary = shares.clone();
        if let Some(hot) = hot {
            ordinary[hot.category] -= u64::from(hot.share.of_ten_thousand());
        }
        Shelf {
            categories,
            searched: Weights::new(shares),
            ordinary: Weights::new(ordinary),
            // The cast lists it behind all others.
            hot: hot.map(|hot| (ProductNo(first), hot.share)),
            filters: scenario.products.filters,
        }
    }

    /// A product that somebody looks at.
    pub(super) fn product(&self, dice: &mut Dice) -> ProductNo {
        match self.hot {
            Some((hot, share)) if dice.chance(share) => hot,
            _ => self.ordinary(dice),
        }
    }

    /// So many products that are put into carts, of which the hot one is exactly its share.
    pub(super) fn bought(&self, count: usize, dice: &mut Dice) -> Vec<ProductNo> {
        let mut bought: Vec<ProductNo> = match self.hot {
            Some((hot, share)) => vec![hot; share.of(count)],
            None => Vec::new(),
        };
        bought.resize_with(count, || self.ordinary(dice));
        dice.shuffle(&mut bought);
        bought
    }

    fn ordinary(&self, dice: &mut Dice) -> ProductNo {
        let category = &self.categories[dice.pick(&self.ordinary)];
        ProductNo(category.first + dice.pick(&category.popularity) as u32)
    }

    pub(super) fn search(&self, dice: &mut Dice) -> Search {
        let category = &self.categories[dice.pick(&self.searched)];
        let price = dice.chance(NARROWED).then(|| self.narrowed(category.price, dice));
        Search {
            category: category.name.clone(),
            in_zone: dice.chance(NARROWED),
            min_price: price.map(|[from, _]| from),
            max_price: price.map(|[_, to]| to),
            sort: SORTS[dice.below(SORTS.len())],
        }
    }

    fn narrowed(&self, [from, to]: [i64; 2], dice: &mut Dice) -> [i64; 2] {
        match self.filters {
            Filters::Bands => {
                let band = dice.below(BANDS as usize) as i64;
                let edge = |band: i64| from + (to - from) * band / BANDS;
                [edge(band), edge(band + 1)]
            }
            Filters::Ranges => {
                let (one, other) = (dice.within(from, to), dice.within(from, to));
                [one.min(other), one.max(other)]
            }
        }
    }
}
