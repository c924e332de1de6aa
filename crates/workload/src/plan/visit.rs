//! One journey through the shop: what was dealt to it, and the order in which it is done.

use super::act::{Act, Buyer};
use super::dice::Dice;
use crate::stage::{ProductNo, UserNo, ZoneNo};

/// A journey before its steps have an order.
#[derive(Debug, Clone)]
pub(super) struct Visit {
    /// Whether it begins as a guest's, with `session.open`.
    pub(super) guest: bool,
    /// Whose it is: from the beginning, or for a guest from the login on. A guest without one never logs in.
    pub(super) user: Option<UserNo>,
    /// Whether large quantities are bought.
    pub(super) wholesale: bool,
    pub(super) zone: ZoneNo,
    /// Searching, looking, putting into the cart, in any order.
    pub(super) browsing: Vec<Act>,
    /// What is put into the cart and taken out again.
    pub(super) regrets: Vec<(ProductNo, u32)>,
    /// What is put into the cart for good, if the journey ends in an order.
    pub(super) purchase: Option<(ProductNo, u32)>,
    /// Whether the buyer looks at the cart just before checking out.
    pub(super) looks_first: bool,
    /// What follows the order: paying, looking at it, cancelling; for the others, a look at the history.
    pub(super) afterwards: Vec<Act>,
}

impl Visit {
    /// A journey with nothing to do yet but what makes it what it is.
    pub(super) fn new(
        guest: bool,
        user: Option<UserNo>,
        wholesale: bool,
        zone: ZoneNo,
        purchase: Option<(ProductNo, u32)>,
    ) -> Visit {
        let (browsing, regrets, afterwards) = (Vec::new(), Vec::new(), Vec::new());
        Visit { guest, user, wholesale, zone, browsing, regrets, purchase, looks_first: false, afterwards }
    }

    /// The steps in order, each with whose session it is before the step.
    pub(super) fn steps(mut self, dice: &mut Dice) -> Vec<(Buyer, Act)> {
        let shopping = self.shopping(dice);
        // A guest logs in late, but often puts something more into the cart that was merged.
        let login = match self.guest {
            true => shopping.len() - dice.below(shopping.len() / 2 + 1),
            false => 0,
        };
        let mut steps = Vec::with_capacity(shopping.len() + self.afterwards.len() + 4);
        let mut buyer = Buyer::Guest;
        if self.guest {
            steps.push((buyer, Act::Open));
        }
        for (place, act) in shopping.into_iter().map(Some).chain([None]).enumerate() {
            if let Some(user) = self.user.filter(|_| place == login) {
                if self.guest {
                    steps.push((buyer, Act::Login(user)));
                }
                buyer = Buyer::User(user);
            }
            steps.extend(act.map(|act| (buyer, act)));
        }
        if self.purchase.is_some() {
            steps.extend(self.looks_first.then_some((buyer, Act::Cart)));
            steps.push((buyer, Act::Place));
        }
        dice.shuffle(&mut self.afterwards);
        pay_before_cancelling(&mut self.afterwards);
        steps.extend(self.afterwards.into_iter().map(|act| (buyer, act)));
        steps
    }

    /// Everything before login and checkout. The purchase is put after the last removal, so that it is still there.
    fn shopping(&mut self, dice: &mut Dice) -> Vec<Act> {
        let mut acts = std::mem::take(&mut self.browsing);
        dice.shuffle(&mut acts);
        for &(product, quantity) in &self.regrets {
            let put = dice.below(acts.len() + 1);
            acts.insert(put, Act::Put { product, quantity });
            let remove = put + 1 + dice.below(acts.len() - put);
            acts.insert(remove, Act::Remove(product));
        }
        if let Some((product, quantity)) = self.purchase {
            let after = acts.iter().rposition(|act| matches!(act, Act::Remove(_))).map_or(0, |last| last + 1);
            let put = after + dice.below(acts.len() - after + 1);
            acts.insert(put, Act::Put { product, quantity });
        }
        looked_at_before_put(&mut acts);
        acts
    }
}

/// People put into the cart what they have just looked at.
fn looked_at_before_put(acts: &mut [Act]) {
    let mut looks = Vec::new();
    for place in 0..acts.len() {
        match acts[place] {
            Act::Product(_) => looks.push(place),
            Act::Put { product, .. } => {
                if let Some(look) = looks.pop() {
                    acts[look] = Act::Product(product);
                }
            }
            _ => {}
        }
    }
}

/// A cancelled order is not paid any more; a paid one may still be cancelled.
fn pay_before_cancelling(acts: &mut [Act]) {
    let pay = acts.iter().position(|act| *act == Act::Pay);
    let cancel = acts.iter().position(|act| *act == Act::Cancel);
    if let (Some(pay), Some(cancel)) = (pay, cancel)
        && cancel < pay
    {
        acts.swap(pay, cancel);
    }
}
