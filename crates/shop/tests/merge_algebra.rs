//! Laws of a cart's lines, for whatever puts, removes and merges come in whatever order.

use std::collections::BTreeSet;

use mworld_shop::cart::{CappedWhy, CartLine, Lines, MergePolicy, Owner, PutLine};
use mworld_shop::{CartId, CartLimits, Category, Currency, Money, ProductId, SessionId, Timestamp};
use proptest::prelude::*;
use uuid::Uuid;

const LIMITS: CartLimits = CartLimits { max_lines: 5, max_quantity: 20 };

/// Few products, so that they meet often.
fn product(n: u8) -> ProductId {
    ProductId::from_uuid(Uuid::from_u128(u128::from(n)))
}

fn guest_cart(n: u8) -> CartId {
    Owner::Guest(SessionId::from_uuid(Uuid::from_u128(u128::from(n)))).cart_id(1)
}

fn at(micros: i64) -> Timestamp {
    Timestamp::from_micros(1_000_000 + micros)
}

fn put_line(n: u8, quantity: u32) -> PutLine {
    PutLine {
        product_id: product(n),
        category: Category::new("audio").expect("a legal name"),
        name: format!("product {n}"),
        price: Money::new(100, Currency::RUB).expect("a legal price"),
        quantity,
    }
}

fn cart_line((n, quantity): (u8, u32)) -> CartLine {
    let put = put_line(n, quantity);
    CartLine {
        product_id: put.product_id,
        category: put.category,
        name: put.name,
        price: put.price,
        quantity: put.quantity,
        added_at: at(i64::from(n)),
    }
}

fn policy() -> impl Strategy<Value = MergePolicy> {
    prop::sample::select(vec![MergePolicy::Sum, MergePolicy::Max, MergePolicy::Guest, MergePolicy::User])
}

/// What a guest's cart shows: each product once, within the limits.
fn guest_lines() -> impl Strategy<Value = Vec<CartLine>> {
    let lines = prop::collection::btree_map(0_u8..8, 1_u32..=LIMITS.max_quantity, 0..=LIMITS.max_lines);
    lines.prop_map(|lines| lines.into_iter().map(cart_line).collect())
}

#[derive(Debug, Clone)]
enum Edit {
    Put(u8, u32),
    Remove(u8),
    Absorb(u8, Vec<CartLine>),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let edit = prop_oneof![
        (0_u8..8, 0_u32..25).prop_map(|(n, quantity)| Edit::Put(n, quantity)),
        (0_u8..8).prop_map(Edit::Remove),
        (0_u8..4, guest_lines()).prop_map(|(n, lines)| Edit::Absorb(n, lines)),
    ];
    prop::collection::vec(edit, 0..30)
}

fn apply(edits: &[Edit], policy: MergePolicy) -> Lines {
    let mut lines = Lines::default();
    for (i, edit) in edits.iter().enumerate() {
        let now = at(100 + i as i64);
        match edit {
            // Refused puts change nothing, and that is part of what the laws below see.
            Edit::Put(n, quantity) => drop(lines.put(put_line(*n, *quantity), LIMITS, now)),
            Edit::Remove(n) => drop(lines.remove(product(*n))),
            Edit::Absorb(n, guest) => drop(lines.absorb(guest_cart(*n), guest, policy, LIMITS, now)),
        }
    }
    lines
}

fn quantity(lines: &Lines, policy: MergePolicy, product: ProductId) -> u32 {
    let view = lines.view(policy, LIMITS);
    view.iter().find(|line| line.product_id == product).map_or(0, |line| line.quantity)
}

proptest! {
    #[test]
    fn absorbing_again_changes_nothing_and_answers_alike(
        edits in edits(), guest in guest_lines(), policy in policy(),
    ) {
        let mut lines = apply(&edits, policy);
        // A guest whom the edits have not met.
        let first = lines.absorb(guest_cart(9), &guest, policy, LIMITS, at(1_000));
        let once = lines.clone();
        let second = lines.absorb(guest_cart(9), &guest, policy, LIMITS, at(2_000));
        prop_assert_eq!(&lines, &once);
        prop_assert_eq!(first, second);
    }

    #[test]
    fn a_view_keeps_the_limits_and_shows_each_product_once(edits in edits(), policy in policy()) {
        let lines = apply(&edits, policy);
        let view = lines.view(policy, LIMITS);
        prop_assert_eq!(view.len(), lines.count());
        prop_assert!(view.len() <= LIMITS.max_lines);
        prop_assert!(view.iter().all(|line| (1..=LIMITS.max_quantity).contains(&line.quantity)));
        let products: BTreeSet<ProductId> = view.iter().map(|line| line.product_id).collect();
        prop_assert_eq!(products.len(), view.len());
        prop_assert!(view.is_sorted_by(|a, b| (a.added_at, a.product_id) > (b.added_at, b.product_id)));
        prop_assert_eq!(lines.is_empty(), view.is_empty());
    }

    #[test]
    fn two_guests_sum_alike_whoever_comes_first(
        own in prop::collection::vec((0_u8..3, 1_u32..=6), 0..3),
        first in prop::collection::btree_map(0_u8..3, 1_u32..=6, 0..3),
        second in prop::collection::btree_map(0_u8..3, 1_u32..=6, 0..3),
    ) {
        let edits: Vec<Edit> = own.into_iter().map(|(n, quantity)| Edit::Put(n, quantity)).collect();
        let guests: Vec<Vec<CartLine>> =
            [first, second].into_iter().map(|lines| lines.into_iter().map(cart_line).collect()).collect();
        let merged = |order: [usize; 2]| {
            let mut lines = apply(&edits, MergePolicy::Sum);
            for (i, guest) in order.into_iter().enumerate() {
                lines.absorb(guest_cart(guest as u8), &guests[guest], MergePolicy::Sum, LIMITS, at(500 + i as i64));
            }
            (0..3).map(|n| quantity(&lines, MergePolicy::Sum, product(n))).collect::<Vec<_>>()
        };
        prop_assert_eq!(merged([0, 1]), merged([1, 0]));
    }

    #[test]
    fn a_merge_keeps_or_names_every_piece(edits in edits(), guest in guest_lines()) {
        let policy = MergePolicy::Sum;
        let before = apply(&edits, policy);
        let mut after = before.clone();
        let capped = after.absorb(guest_cart(9), &guest, policy, LIMITS, at(1_000));
        for line in &guest {
            let now = quantity(&after, policy, line.product_id);
            let wanted = quantity(&before, policy, line.product_id) + line.quantity;
            match capped.iter().find(|capped| capped.product_id == line.product_id) {
                None => prop_assert_eq!(now, wanted),
                Some(capped) => {
                    prop_assert_eq!(capped.kept, now);
                    prop_assert!(capped.wanted >= wanted, "what was asked for is named in full");
                    prop_assert_eq!(capped.why == CappedWhy::Lines, now == 0);
                }
            }
        }
    }

    #[test]
    fn a_put_after_a_merge_sets(
        edits in edits(), guest in guest_lines(), n in 0_u8..8, pieces in 1_u32..=20, policy in policy(),
    ) {
        let mut lines = apply(&edits, policy);
        lines.absorb(guest_cart(9), &guest, policy, LIMITS, at(1_000));
        let count = lines.count();
        let known = quantity(&lines, policy, product(n)) > 0;
        let put = lines.put(put_line(n, pieces), LIMITS, at(2_000));
        if known || count < LIMITS.max_lines {
            prop_assert!(put.is_ok());
            prop_assert_eq!(quantity(&lines, policy, product(n)), pieces);
            prop_assert_eq!(lines.count(), count + usize::from(!known));
        } else {
            prop_assert!(put.is_err());
            prop_assert_eq!(lines.count(), count);
        }
    }

    #[test]
    fn another_quantity_moves_no_line(edits in edits(), n in 0_u8..8, policy in policy()) {
        let mut lines = apply(&edits, policy);
        let order = |lines: &Lines| -> Vec<(ProductId, Timestamp)> {
            lines.view(policy, LIMITS).iter().map(|line| (line.product_id, line.added_at)).collect()
        };
        if quantity(&lines, policy, product(n)) > 0 {
            let before = order(&lines);
            lines.put(put_line(n, 1), LIMITS, at(5_000)).unwrap();
            prop_assert_eq!(order(&lines), before);
        }
    }

    #[test]
    fn a_remove_takes_every_source(edits in edits(), n in 0_u8..8, policy in policy()) {
        let mut lines = apply(&edits, policy);
        let known = quantity(&lines, policy, product(n)) > 0;
        prop_assert_eq!(lines.remove(product(n)), known);
        prop_assert_eq!(quantity(&lines, policy, product(n)), 0);
        prop_assert!(!lines.remove(product(n)));
    }

    #[test]
    fn lines_survive_being_stored(edits in edits(), policy in policy()) {
        let lines = apply(&edits, policy);
        let text = serde_json::to_string(&lines).unwrap();
        prop_assert_eq!(serde_json::from_str::<Lines>(&text).unwrap(), lines.clone());
        prop_assert_eq!(Lines::from_stored(lines.stored().to_vec()), lines);
    }
}
