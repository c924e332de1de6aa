//! The guest cart into the user's: once, whatever is repeated.

use crate::cart::{Capped, CappedWhy, Cart, MergePolicy, Merged, Owner};
use crate::conformance::World;
use crate::conformance::fixture::Shop;
use crate::conformance::fixture::goods::quantity_in;
use crate::ids::{ProductId, SessionId, UserId};

chapter! { $ conformance_carts_merge in carts::merge:
    each_policy_does_what_it_says,
    a_guest_cart_alone_becomes_the_users,
    nothing_to_merge_leaves_the_users_cart,
    a_repeated_merge_changes_nothing,
    a_repeat_after_edits_brings_nothing_back,
    what_does_not_fit_is_capped_and_named,
    a_repeated_merge_names_again_what_was_capped,
    a_put_after_a_merge_sets_the_whole_quantity,
    a_guest_who_fills_another_cart_has_it_merged_too,
}

pub(super) async fn put(shop: &Shop, owner: Owner, product: ProductId, quantity: u32) {
    let buyer = match owner {
        Owner::Guest(session) => shop.guest_buyer(session),
        Owner::User(user) => shop.user_buyer(user),
    };
    shop.carts().put(&buyer, shop.any_line(product, quantity)).await.expect("a put into a free cart is done");
}

pub(super) async fn merge(shop: &Shop, guest: SessionId, user: UserId) -> Merged {
    shop.carts().merge(guest, &shop.user_buyer(user)).await.expect("a merge into a free cart is done")
}

pub(super) async fn active(shop: &Shop, owner: Owner) -> Option<Cart> {
    shop.carts().active(owner).await.expect("carts are readable")
}

/// A guest and a user, and three products: the guest has the first two, the user the last two.
async fn two_carts(shop: &Shop) -> (SessionId, UserId, [ProductId; 3]) {
    let (guest, user) = (SessionId::generate(), UserId::generate());
    let products = [ProductId::generate(), ProductId::generate(), ProductId::generate()];
    put(shop, Owner::Guest(guest), products[0], 2).await;
    put(shop, Owner::Guest(guest), products[1], 5).await;
    put(shop, Owner::User(user), products[1], 3).await;
    put(shop, Owner::User(user), products[2], 4).await;
    (guest, user, products)
}

fn quantities(cart: Option<&Cart>, products: &[ProductId]) -> Vec<u32> {
    products.iter().map(|product| quantity_in(cart, *product)).collect()
}

async fn each_policy_does_what_it_says(world: &World) {
    let policies =
        [(MergePolicy::Sum, 8), (MergePolicy::Max, 5), (MergePolicy::Guest, 5), (MergePolicy::User, 3)];
    for (policy, both) in policies {
        let shop = world.shop_with(|settings| settings.merge_policy = policy).await;
        let (guest, user, products) = two_carts(&shop).await;
        let merged = merge(&shop, guest, user).await;
        assert_eq!(quantities(merged.cart.as_ref(), &products), [2, both, 4], "by {policy:?}");
        assert_eq!(merged.capped, [], "everything fits");
        assert_eq!(
            active(&shop, Owner::User(user)).await,
            merged.cart,
            "what merge answers is what is stored"
        );
        assert_eq!(active(&shop, Owner::Guest(guest)).await, None, "the guest's cart is given up");
    }
}

async fn a_guest_cart_alone_becomes_the_users(world: &World) {
    let shop = world.shop().await;
    let (guest, user, product) = (SessionId::generate(), UserId::generate(), ProductId::generate());
    put(&shop, Owner::Guest(guest), product, 2).await;
    let cart = merge(&shop, guest, user).await.cart.expect("the user has a cart now");
    assert_eq!((cart.owner, quantity_in(Some(&cart), product)), (Owner::User(user), 2));
}

async fn nothing_to_merge_leaves_the_users_cart(world: &World) {
    let shop = world.shop().await;
    let (user, product) = (UserId::generate(), ProductId::generate());
    let merged = merge(&shop, SessionId::generate(), user).await;
    assert!(merged.cart.is_none_or(|cart| cart.lines.is_empty()), "nothing came of nothing");
    put(&shop, Owner::User(user), product, 2).await;
    let merged = merge(&shop, SessionId::generate(), user).await;
    assert_eq!((quantity_in(merged.cart.as_ref(), product), merged.capped.len()), (2, 0));
}

async fn a_repeated_merge_changes_nothing(world: &World) {
    let shop = world.shop().await;
    let (guest, user, products) = two_carts(&shop).await;
    let first = merge(&shop, guest, user).await;
    for _ in 0..3 {
        let again = merge(&shop, guest, user).await;
        assert_eq!(quantities(again.cart.as_ref(), &products), [2, 8, 4], "a repeat never doubles");
        let id = |merged: &Merged| merged.cart.as_ref().map(|cart| cart.id);
        assert_eq!(id(&again), id(&first), "it is the same cart");
    }
}

async fn a_repeat_after_edits_brings_nothing_back(world: &World) {
    let shop = world.shop().await;
    let (guest, user, products) = two_carts(&shop).await;
    merge(&shop, guest, user).await;
    shop.carts()
        .remove(Owner::User(user), products[0])
        .await
        .expect("the user removes what the guest brought");
    put(&shop, Owner::User(user), products[1], 1).await;
    merge(&shop, guest, user).await;
    let cart = active(&shop, Owner::User(user)).await;
    assert_eq!(quantities(cart.as_ref(), &products), [0, 1, 4], "the edits stand");
}

/// A shop with small limits, and a merge that hits both: the answer, and what it should name.
async fn merge_that_does_not_fit(world: &World) -> (std::sync::Arc<Shop>, SessionId, UserId, Vec<Capped>) {
    let shop = world
        .shop_with(|settings| {
            settings.cart.max_lines = 3;
            settings.cart.max_quantity = 10;
        })
        .await;
    let (guest, user) = (SessionId::generate(), UserId::generate());
    let products: Vec<ProductId> = (0..4).map(|_| ProductId::generate()).collect();
    for product in &products[..3] {
        put(&shop, Owner::User(user), *product, 7).await;
    }
    put(&shop, Owner::Guest(guest), products[0], 6).await;
    put(&shop, Owner::Guest(guest), products[1], 3).await;
    put(&shop, Owner::Guest(guest), products[3], 5).await;
    let mut wanted = vec![
        Capped { product_id: products[0], wanted: 13, kept: 10, why: CappedWhy::Quantity },
        Capped { product_id: products[3], wanted: 5, kept: 0, why: CappedWhy::Lines },
    ];
    wanted.sort_by_key(|capped| capped.product_id);
    (shop, guest, user, wanted)
}

fn sorted(mut capped: Vec<Capped>) -> Vec<Capped> {
    capped.sort_by_key(|capped| capped.product_id);
    capped
}

async fn what_does_not_fit_is_capped_and_named(world: &World) {
    let (shop, guest, user, wanted) = merge_that_does_not_fit(world).await;
    let merged = merge(&shop, guest, user).await;
    assert_eq!(sorted(merged.capped), wanted);
    let cart = merged.cart.expect("the user's cart");
    assert_eq!(cart.lines.len(), 3, "no line too many");
    assert!(cart.lines.iter().all(|line| line.quantity <= 10), "no piece too many");
    assert_eq!(active(&shop, Owner::Guest(guest)).await, None, "the guest's cart is given up all the same");
}

async fn a_repeated_merge_names_again_what_was_capped(world: &World) {
    let (shop, guest, user, wanted) = merge_that_does_not_fit(world).await;
    merge(&shop, guest, user).await;
    let again = merge(&shop, guest, user).await;
    assert_eq!(sorted(again.capped), wanted, "whoever lost the first answer hears the same from the second");
}

async fn a_put_after_a_merge_sets_the_whole_quantity(world: &World) {
    let shop = world.shop().await;
    let (guest, user, products) = two_carts(&shop).await;
    merge(&shop, guest, user).await;
    put(&shop, Owner::User(user), products[1], 1).await;
    put(&shop, Owner::User(user), products[0], 9).await;
    let cart = active(&shop, Owner::User(user)).await;
    assert_eq!(quantities(cart.as_ref(), &products), [9, 1, 4], "a put replaces what every source brought");
}

async fn a_guest_who_fills_another_cart_has_it_merged_too(world: &World) {
    let shop = world.shop().await;
    let (guest, user, products) = two_carts(&shop).await;
    merge(&shop, guest, user).await;
    put(&shop, Owner::Guest(guest), products[0], 1).await;
    let second = active(&shop, Owner::Guest(guest)).await;
    assert_eq!(quantities(second.as_ref(), &products), [1, 0, 0], "the guest's next cart begins empty");
    let merged = merge(&shop, guest, user).await;
    assert_eq!(
        quantities(merged.cart.as_ref(), &products),
        [3, 8, 4],
        "the second cart is added to the first"
    );
}
