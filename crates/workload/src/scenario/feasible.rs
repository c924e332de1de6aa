//! Whether whole journeys can be made of a mix: an order that is paid must have been placed, and so on.

use mworld_shop::Operation::{
    self, CartPut, CartRemove, OrderAdvance, OrderCancel, OrderPlace, OrderStatus, SessionLogin, SessionOpen,
};

use super::faults::Faults;
use super::read::{Said, SaidMix};
use super::share::Share;

/// What each operation is taken from: there cannot be more of it than of the other.
const TAKEN_FROM: [(Operation, Operation, &str); 4] = [
    (OrderPlace, CartPut, "every order needs something in its cart"),
    (OrderAdvance, OrderPlace, "an order is paid once"),
    (OrderCancel, OrderPlace, "an order is cancelled once"),
    (SessionLogin, SessionOpen, "a login turns a guest's session into a user's"),
];

/// Reports every part of the mix that no journeys can be made of.
pub(super) fn check(mix: &SaidMix, guests: Option<&Said<Share>>, faults: &mut Faults) {
    for (operation, source, why) in TAKEN_FROM {
        let limit = mix.share(source);
        if let Some(said) = mix.get(operation).filter(|said| said.value > limit) {
            infeasible(
                said,
                format!("{} of {operation} and {limit} of {source}", said.value),
                why,
                format!("lower it to at most {limit}, or raise {source}"),
                faults,
            );
        }
    }
    let bought = mix.share(OrderPlace).of_ten_thousand();
    let spare = mix.share(CartPut).of_ten_thousand().saturating_sub(bought);
    if let Some(said) = mix.get(CartRemove).filter(|said| said.value.of_ten_thousand() > spare) {
        let spare = f64::from(spare) / 100.0;
        infeasible(
            said,
            format!("{} of {CartRemove}, and {spare} % more of {CartPut} than of {OrderPlace}", said.value),
            "what is removed was put before, and is not what is bought",
            format!("lower it to at most {spare} %, or raise {CartPut}"),
            faults,
        );
    }
    if let Some(said) = mix.get(OrderStatus).filter(|_| bought == 0) {
        let title = format!("{OrderStatus} without {OrderPlace}");
        infeasible(said, title, "nobody has an order to ask for", format!("add some {OrderPlace}"), faults);
    }
    if let Some(said) = guests.filter(|said| said.value > Share::default() && mix.get(SessionOpen).is_none())
    {
        let title = format!("guests without {SessionOpen}");
        let help = format!("add some {SessionOpen} to [mix], or write `guests = 0`");
        infeasible(said, title, "a guest's journey begins with it", help, faults);
    }
}

fn infeasible(said: &Said<Share>, title: String, why: &str, help: String, faults: &mut Faults) {
    faults.add("impossible-mix", &said.at, title, why, help);
}
