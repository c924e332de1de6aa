//! What a buyer has seen of a cart, and whether it is surely still so.
//!
//! A checkout may say the total that it expects. A buyer with several windows, or with two puts under way at once, does
//! not know which of the carts shown is the last one; then nothing is expected. What is left to make the total wrong
//! is a price that has changed since, which is what the store is asked to notice.

/// One cart, seen from outside.
#[derive(Debug, Default)]
pub(super) struct CartView {
    /// How many calls that may change it were ever sent.
    sent: u64,
    /// How many of them are under way.
    under_way: u32,
    /// A total that was shown, and how many changes had been sent by then.
    shown: Option<(i64, u64)>,
    /// A checkout was refused because a price is another now. The cart goes on showing the price of the put, so the
    /// buyer, who was told, takes whatever it costs until this cart is bought.
    resigned: bool,
}

/// A call that shows the cart, from its sending to its answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    /// How many changes had been sent, its own among them; nothing if it is not alone.
    alone_at: Option<u64>,
}

impl CartView {
    /// A call that may change the cart is sent.
    pub(super) fn change(&mut self) -> Look {
        let alone = self.under_way == 0;
        self.sent += 1;
        self.under_way += 1;
        Look { alone_at: alone.then_some(self.sent) }
    }

    /// A call that only shows it is sent.
    pub(super) fn look(&mut self) -> Look {
        Look { alone_at: (self.under_way == 0).then_some(self.sent) }
    }

    /// Such a change is over; an unanswered one may still happen, and is then noticed at the checkout at the latest.
    pub(super) fn changed(&mut self) {
        self.under_way = self.under_way.saturating_sub(1);
    }

    /// The answer to a look, or to a change, showed this total.
    pub(super) fn show(&mut self, look: Look, total: i64) {
        if look.alone_at == Some(self.sent) {
            self.shown = Some((total, self.sent));
        }
    }

    /// A checkout was refused: the total is another one now.
    pub(super) fn prices_changed(&mut self) {
        self.resigned = true;
    }

    /// The cart was bought; the next one begins empty.
    pub(super) fn bought(&mut self) {
        self.resigned = false;
    }

    /// The total that surely was the last one, if the buyer minds.
    pub(super) fn expected_total(&self) -> Option<i64> {
        if self.resigned {
            return None;
        }
        self.shown.filter(|(_, at)| *at == self.sent && self.under_way == 0).map(|(total, _)| total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_lone_put_showed_is_expected() {
        let mut cart = CartView::default();
        assert_eq!(cart.expected_total(), None);
        let put = cart.change();
        cart.show(put, 500);
        cart.changed();
        assert_eq!(cart.expected_total(), Some(500));
    }

    #[test]
    fn of_two_puts_at_once_nobody_knows_which_was_last() {
        let mut cart = CartView::default();
        let (first, second) = (cart.change(), cart.change());
        cart.show(second, 700);
        cart.changed();
        cart.show(first, 500);
        cart.changed();
        assert_eq!(cart.expected_total(), None);
        let look = cart.look();
        cart.show(look, 700);
        assert_eq!(cart.expected_total(), Some(700), "asked when all was quiet");
    }

    #[test]
    fn a_look_that_a_change_overtook_is_no_good() {
        let mut cart = CartView::default();
        let look = cart.look();
        let put = cart.change();
        cart.show(look, 0);
        assert_eq!(cart.expected_total(), None);
        cart.show(put, 500);
        cart.changed();
        assert_eq!(cart.expected_total(), Some(500));
    }

    #[test]
    fn a_buyer_who_was_told_of_a_new_price_pays_it() {
        let mut cart = CartView::default();
        let put = cart.change();
        cart.show(put, 500);
        cart.changed();
        cart.prices_changed();
        assert_eq!(
            cart.expected_total(),
            None,
            "asked again with the old total, the store would refuse for ever"
        );
        cart.bought();
        let put = cart.change();
        cart.show(put, 700);
        cart.changed();
        assert_eq!(cart.expected_total(), Some(700));
    }

    #[test]
    fn a_change_that_is_sent_later_ends_the_knowledge() {
        let mut cart = CartView::default();
        let put = cart.change();
        cart.show(put, 500);
        cart.changed();
        let _unanswered = cart.change();
        cart.changed();
        assert_eq!(cart.expected_total(), None);
    }
}
