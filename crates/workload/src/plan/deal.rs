//! Dealing the operations of a block to its journeys, so that all of them together are exactly the mix.

use mworld_shop::Operation;

use super::act::Act;
use super::crowd::Crowd;
use super::dice::Dice;
use super::visit::Visit;

/// How many times as many different things a wholesale buyer takes.
const WHOLESALE_APPETITE: usize = 4;

/// Orders on a page of the history.
const HISTORY_PAGE: u32 = 10;

/// The journeys of a block with everything that is done in them, apart from its order.
pub(super) fn visits(crowd: &Crowd, dice: &mut Dice) -> Vec<Visit> {
    let mut visits = crowd.arriving(dice);
    browsing(crowd, &mut visits, dice);
    carts(crowd, &mut visits, dice);
    afterwards(crowd, &mut visits, dice);
    visits
}

fn browsing(crowd: &Crowd, visits: &mut [Visit], dice: &mut Dice) {
    let anybody = Anybody::browsing(crowd, visits);
    let shelf = &crowd.shelf;
    for _ in 0..crowd.count(Operation::CatalogSearch) {
        visits[anybody.draw(dice)].browsing.push(Act::Search(shelf.search(dice)));
    }
    for _ in 0..crowd.count(Operation::CatalogProduct) {
        visits[anybody.draw(dice)].browsing.push(Act::Product(shelf.product(dice)));
    }
    for _ in 0..crowd.count(Operation::CatalogStock) {
        visits[anybody.draw(dice)].browsing.push(Act::Stock(shelf.product(dice)));
    }
}

/// What goes into carts beside the purchases, some of it to be taken out again, and who looks.
fn carts(crowd: &Crowd, visits: &mut [Visit], dice: &mut Dice) {
    let orders = crowd.count(Operation::OrderPlace);
    let anybody = Anybody::filling_carts(crowd, visits);
    let products = crowd.shelf.bought(crowd.count(Operation::CartPut) - orders, dice);
    let removed = crowd.count(Operation::CartRemove);
    for (place, product) in products.into_iter().enumerate() {
        let visit = &mut visits[anybody.draw(dice)];
        let quantity = crowd.quantity(visit.wholesale, dice);
        if place < removed {
            visit.regrets.push((product, quantity));
        } else {
            visit.browsing.push(Act::Put { product, quantity });
        }
    }
    // Nearly everybody looks at the cart before checking out, if the mix has as many looks.
    let looks = crowd.count(Operation::CartGet);
    let buyers = visits.iter_mut().filter(|visit| visit.purchase.is_some());
    buyers.take(looks).for_each(|visit| visit.looks_first = true);
    let anybody = Anybody::browsing(crowd, visits);
    for _ in 0..looks.saturating_sub(orders) {
        visits[anybody.draw(dice)].browsing.push(Act::Cart);
    }
}

/// What becomes of the orders, and who looks at them.
fn afterwards(crowd: &Crowd, visits: &mut [Visit], dice: &mut Dice) {
    let mut orders = places(visits, |visit| visit.purchase.is_some());
    dice.shuffle(&mut orders);
    let paid = crowd.count(Operation::OrderAdvance);
    let cancelled = crowd.count(Operation::OrderCancel);
    for &order in &orders[..paid] {
        visits[order].afterwards.push(Act::Pay);
    }
    // Half of those that are cancelled were paid, so that both ways into `cancelled` are walked.
    for place in (0..orders.len()).cycle().skip(paid.saturating_sub(cancelled / 2)).take(cancelled) {
        visits[orders[place]].afterwards.push(Act::Cancel);
    }
    for _ in 0..crowd.count(Operation::OrderStatus) {
        visits[orders[dice.below(orders.len())]].afterwards.push(Act::Status);
    }
    let users = places(visits, |visit| visit.user.is_some());
    for _ in 0..crowd.count(Operation::OrderHistory) {
        visits[users[dice.below(users.len())]].afterwards.push(Act::History { limit: HISTORY_PAGE });
    }
}

fn places(visits: &[Visit], wanted: impl Fn(&Visit) -> bool) -> Vec<usize> {
    (0..visits.len()).filter(|&place| wanted(&visits[place])).collect()
}

/// Whom an operation is dealt to: guests get their share, and within guests and users all journeys are alike.
struct Anybody<'a> {
    crowd: &'a Crowd,
    guests: Vec<usize>,
    users: Vec<usize>,
}

impl<'a> Anybody<'a> {
    fn browsing(crowd: &'a Crowd, visits: &[Visit]) -> Anybody<'a> {
        let guests = places(visits, |visit| visit.guest);
        Anybody { crowd, guests, users: places(visits, |visit| !visit.guest) }
    }

    /// The same, but that wholesale buyers take more.
    fn filling_carts(crowd: &'a Crowd, visits: &[Visit]) -> Anybody<'a> {
        let mut anybody = Anybody::browsing(crowd, visits);
        for wholesale in places(visits, |visit| visit.wholesale && !visit.guest) {
            anybody.users.extend([wholesale].repeat(WHOLESALE_APPETITE - 1));
        }
        anybody
    }

    fn draw(&self, dice: &mut Dice) -> usize {
        let from = if dice.chance(self.crowd.guests()) { &self.guests } else { &self.users };
        from[dice.below(from.len())]
    }
}
