//! The life of an order: no path leaves the arrows.

use mworld_shop::Refusal;
use mworld_shop::order::OrderStatus::{self, Cancelled, Created, Delivered, Paid, Shipped};
use proptest::prelude::*;

/// The arrows as the shop's owner draws them.
const ARROWS: [(OrderStatus, OrderStatus); 5] =
    [(Created, Paid), (Paid, Shipped), (Shipped, Delivered), (Created, Cancelled), (Paid, Cancelled)];

#[test]
fn a_step_is_taken_exactly_along_an_arrow() {
    for from in OrderStatus::ALL {
        for to in OrderStatus::ALL {
            match from.step(to) {
                Ok(reached) => assert!(reached == to && ARROWS.contains(&(from, to)), "{from} to {to}"),
                Err(error) => {
                    assert!(!ARROWS.contains(&(from, to)), "{from} to {to}");
                    assert_eq!(error.refusal(), Some(&Refusal::IllegalTransition { from, to }));
                }
            }
        }
    }
}

#[test]
fn delivered_and_cancelled_are_final() {
    assert_eq!((Delivered.next(), Cancelled.next()), (&[][..], &[][..]));
}

#[test]
fn a_refusal_names_the_steps_that_are_left() {
    let words = |from: OrderStatus, to| from.step(to).unwrap_err().to_string();
    assert_eq!(
        words(Created, Shipped),
        "an order that is created cannot become shipped; it can become paid or cancelled"
    );
    assert_eq!(words(Delivered, Paid), "an order that is delivered cannot become paid; it stays as it is");
}

proptest! {
    #[test]
    fn no_path_leaves_the_arrows(wishes in prop::collection::vec(prop::sample::select(OrderStatus::ALL.to_vec()), 0..40)) {
        let mut path = vec![Created];
        for wish in wishes {
            let now = path[path.len() - 1];
            if let Ok(next) = now.step(wish) {
                path.push(next);
            }
        }
        prop_assert!(path.windows(2).all(|pair| ARROWS.contains(&(pair[0], pair[1]))), "{:?}", path);
        prop_assert!(path.len() <= 4, "a life has at most three steps: {:?}", path);
        let ends = path.iter().filter(|status| [Delivered, Cancelled].contains(status)).count();
        prop_assert!(ends <= 1, "what is final stays: {:?}", path);
    }
}
