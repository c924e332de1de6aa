//! What an item costs: its model's list price, more for more memory, a little off here and there, and an ending
//! that shops like.

use mworld_shop::{Currency, Money};

use super::dice::Dice;
use super::text::Item;

/// The price in minor units.
pub(super) fn price(item: &Item, currency: Currency, dice: &mut Dice) -> Money {
    // One standard deviation of the bell is about 100, that is 9 % of the price here.
    let percent_mille = 1_000 + dice.bell() * 9 / 10;
    let roubles = item.list_price() * percent_mille.max(400).unsigned_abs() / 1_000;
    let kopecks = ending(roubles, dice);
    Money::new(kopecks, currency).expect("the dearest model with every extra is far below the limit")
}

/// Most prices end in 990, as they do in every shop window; some in 490, a few show their kopecks.
fn ending(roubles: u64, dice: &mut Dice) -> i64 {
    let step = if roubles < 10_000 { 100 } else { 1_000 };
    let floor = (roubles / step).max(1) * step;
    let kopecks = match dice.below(10) {
        0 => floor * 100 - 1_000 + dice.below(100),
        1 | 2 => (floor + step / 2) * 100 - 1_000,
        _ => (floor + step) * 100 - 1_000,
    };
    kopecks.cast_signed()
}
