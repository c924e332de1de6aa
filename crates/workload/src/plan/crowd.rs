//! Who comes in a block: so many journeys, whose they are, and which of them end in an order.

use mworld_shop::Operation;

use super::act::Act;
use super::dice::{Dice, Weights};
use super::shelf::Shelf;
use super::visit::Visit;
use crate::scenario::{Mix, People, Scenario, Share};
use crate::stage::{UserNo, ZoneNo};

/// A scenario, prepared for drawing from it.
#[derive(Debug, Clone)]
pub(super) struct Crowd {
    pub(super) shelf: Shelf,
    mix: Mix,
    people: People,
    zones: Weights,
    /// The first accounts.
    wholesale: Weights,
    /// Those behind them.
    retail: Weights,
    wholesale_accounts: u32,
}

/// Steps of browsing for which one more user comes who buys nothing.
const STEPS_OF_A_LOOKER: usize = 12;

/// Pieces of one product that people take for themselves.
const RETAIL_QUANTITY: [u32; 2] = [1, 2];

impl Crowd {
    pub(super) fn new(scenario: &Scenario) -> Crowd {
        let people = scenario.people.clone();
        let wholesale_accounts = people.wholesale.as_ref().map_or(0, |wholesale| wholesale.accounts);
        Crowd {
            shelf: Shelf::new(scenario),
            mix: scenario.mix.clone(),
            zones: Weights::new(scenario.zones.iter().map(|zone| u64::from(zone.share.of_ten_thousand()))),
            wholesale: Weights::zipf(wholesale_accounts, people.skew),
            retail: Weights::zipf(people.accounts - wholesale_accounts, people.skew),
            wholesale_accounts,
            people,
        }
    }

    /// How many times a block has this operation.
    pub(super) fn count(&self, operation: Operation) -> usize {
        self.mix.of_ten_thousand(operation)
    }

    /// How much of the browsing guests do.
    pub(super) fn guests(&self) -> Share {
        self.people.guests
    }

    /// The journeys of a block, with nothing to do yet but to open, log in and buy. Guests come first in the list, and
    /// the first of them log in; they buy, and then as many users as the mix has orders.
    pub(super) fn arriving(&self, dice: &mut Dice) -> Vec<Visit> {
        let guests = self.count(Operation::SessionOpen);
        let logins = self.count(Operation::SessionLogin);
        let orders = self.count(Operation::OrderPlace);
        let buying_guests = logins.min(orders);
        let buying_users = orders - buying_guests;
        let mut purchases = self.shelf.bought(orders, dice).into_iter();
        let mut wholesale = self.which_are_wholesale(orders, dice).into_iter();
        let mut visit = |guest, has_account: bool, buys: bool, dice: &mut Dice| {
            let wholesale = buys && wholesale.next().unwrap_or(false);
            let user = has_account.then(|| self.user(wholesale, dice));
            let product = if buys { purchases.next() } else { None };
            let purchase = product.map(|product| (product, self.quantity(wholesale, dice)));
            Visit::new(guest, user, wholesale, self.zone(dice), purchase)
        };
        let mut visits = Vec::new();
        visits.extend((0..guests).map(|guest| visit(true, guest < logins, guest < buying_guests, dice)));
        visits.extend(
            (0..buying_users + self.lookers()).map(|user| visit(false, true, user < buying_users, dice)),
        );
        visits
    }

    /// What the shop's operator does in a block, each on its own.
    pub(super) fn errands(&self, dice: &mut Dice) -> Vec<(ZoneNo, Act)> {
        let mut errands = Vec::new();
        for _ in 0..self.count(Operation::CatalogUpsert) {
            let product = self.shelf.product(dice);
            // Up to a tenth dearer or cheaper than at the beginning, and never the same.
            let change = dice.within(1, 100) as u32;
            let per_mille = if dice.below(2) == 0 { 1_000 - change } else { 1_000 + change };
            errands.push((self.zone(dice), Act::Reprice { product, per_mille }));
        }
        for _ in 0..self.count(Operation::CatalogAdjust) {
            let product = self.shelf.product(dice);
            let units = dice.within(10, 100) as u32;
            errands.push((self.zone(dice), Act::Restock { product, units }));
        }
        errands
    }

    /// How many pieces.
    pub(super) fn quantity(&self, wholesale: bool, dice: &mut Dice) -> u32 {
        let [from, to] = match &self.people.wholesale {
            Some(buyers) if wholesale => buyers.quantity,
            _ => RETAIL_QUANTITY,
        };
        dice.within(i64::from(from), i64::from(to)) as u32
    }

    fn user(&self, wholesale: bool, dice: &mut Dice) -> UserNo {
        match wholesale {
            true => UserNo(dice.pick(&self.wholesale) as u32),
            false => UserNo(self.wholesale_accounts + dice.pick(&self.retail) as u32),
        }
    }

    fn zone(&self, dice: &mut Dice) -> ZoneNo {
        ZoneNo(dice.pick(&self.zones) as u32)
    }

    /// Which of so many orders are wholesale: exactly their share.
    fn which_are_wholesale(&self, orders: usize, dice: &mut Dice) -> Vec<bool> {
        let share = self.people.wholesale.as_ref().map_or(0, |buyers| buyers.purchases.of(orders));
        let mut which: Vec<bool> = (0..orders).map(|order| order < share).collect();
        dice.shuffle(&mut which);
        which
    }

    /// Users who buy nothing: at least one, because somebody must do what only users do.
    fn lookers(&self) -> usize {
        let browsing = [
            Operation::CatalogSearch,
            Operation::CatalogProduct,
            Operation::CatalogStock,
            Operation::CartGet,
            Operation::CartPut,
        ];
        let steps: usize = browsing.into_iter().map(|operation| self.count(operation)).sum();
        1 + (steps - self.people.guests.of(steps)) / STEPS_OF_A_LOOKER
    }
}
