//! How many pieces lie in which zone: most in Moscow and Saint Petersburg, some shelves empty.

use mworld_shop::product::ZoneStock;
use mworld_shop::{Named, Zone};

use super::dice::Dice;

/// Pieces in every zone of the store.
pub(super) fn stock(zones: &[Named<Zone>], dice: &mut Dice) -> Vec<ZoneStock> {
    // A fast seller has ten times the stock of a shelf-warmer.
    let total = if dice.below(5) == 0 { 200 + dice.below(400) } else { 20 + dice.below(120) };
    let weights = weights(zones);
    let sum: u64 = weights.iter().sum();
    let piece = |(zone, weight): (&Named<Zone>, u64)| {
        // The far zones run dry more often than the near ones.
        let empty = dice.below(100) < if weight >= NEAR { 5 } else { 15 };
        let around = 50 + dice.below(101);
        let quantity = if empty { 0 } else { total * weight * around / (sum * 100) };
        ZoneStock { zone: zone.id.clone(), quantity: u32::try_from(quantity).unwrap_or(u32::MAX) }
    };
    zones.iter().zip(weights).map(piece).collect()
}

/// A zone of at least this weight is one of the two near ones.
const NEAR: u64 = 30;

/// Moscow and Saint Petersburg by name; a store without them leans to its first two zones.
fn weights(zones: &[Named<Zone>]) -> Vec<u64> {
    let by_name = |zone: &Named<Zone>| match zone.id.as_str() {
        "msk" => 45,
        "spb" => NEAR,
        _ => 12,
    };
    let named: Vec<u64> = zones.iter().map(by_name).collect();
    if named.iter().any(|weight| *weight >= NEAR) {
        return named;
    }
    (0..zones.len()).map(|i| [45, NEAR].get(i).copied().unwrap_or(12)).collect()
}
