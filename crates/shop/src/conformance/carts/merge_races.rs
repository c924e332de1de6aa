//! Merging while either side is edited, read or merged by somebody else.

use super::merge::{active, merge, put};
use crate::cart::Owner;
use crate::conformance::World;
use crate::conformance::fixture::goods::quantity_in;
use crate::ids::{ProductId, SessionId, UserId};

chapter! { $ conformance_carts_merge_races in carts::merge_races:
    equal_merges_at_once_merge_once,
    two_guests_at_once_are_both_merged,
    readers_see_all_of_a_merge_or_nothing,
    a_guests_put_during_a_merge_is_neither_lost_nor_doubled,
    a_users_put_of_another_product_during_a_merge_stands,
    a_users_put_of_the_same_product_during_a_merge_is_added_to_or_replaces,
}

const ROUNDS: usize = 8;

async fn equal_merges_at_once_merge_once(world: &World) {
    let shop = world.shop().await;
    let (guest, user, product) = (SessionId::generate(), UserId::generate(), ProductId::generate());
    put(&shop, Owner::Guest(guest), product, 2).await;
    put(&shop, Owner::User(user), product, 3).await;
    shop.at_once(6, |_, shop| async move { merge(&shop, guest, user).await }).await;
    let cart = active(&shop, Owner::User(user)).await;
    assert_eq!(quantity_in(cart.as_ref(), product), 5, "six equal merges at once merge once");
    assert_eq!(active(&shop, Owner::Guest(guest)).await, None);
}

async fn two_guests_at_once_are_both_merged(world: &World) {
    let shop = world.shop().await;
    for _ in 0..ROUNDS {
        let (user, product) = (UserId::generate(), ProductId::generate());
        let guests = [SessionId::generate(), SessionId::generate(), SessionId::generate()];
        for (i, guest) in guests.iter().enumerate() {
            put(&shop, Owner::Guest(*guest), product, 1 + i as u32).await;
        }
        shop.at_once(3, |i, shop| {
            let guest = guests[i];
            async move { merge(&shop, guest, user).await }
        })
        .await;
        let cart = active(&shop, Owner::User(user)).await;
        assert_eq!(quantity_in(cart.as_ref(), product), 6, "what each guest had is in the user's cart");
    }
}

async fn readers_see_all_of_a_merge_or_nothing(world: &World) {
    let shop = world.shop().await;
    for _ in 0..ROUNDS {
        let (guest, user) = (SessionId::generate(), UserId::generate());
        for _ in 0..10 {
            put(&shop, Owner::Guest(guest), ProductId::generate(), 1).await;
        }
        let (_, counts) = shop
            .race(
                move |shop| async move { merge(&shop, guest, user).await },
                move |shop| async move {
                    let mut counts = Vec::new();
                    for _ in 0..20 {
                        counts
                            .push(active(&shop, Owner::User(user)).await.map_or(0, |cart| cart.lines.len()));
                    }
                    counts
                },
            )
            .await;
        assert!(counts.iter().all(|count| [0, 10].contains(count)), "a reader saw half a merge: {counts:?}");
        assert!(counts.is_sorted(), "a reader saw a merge undone: {counts:?}");
    }
}

async fn a_guests_put_during_a_merge_is_neither_lost_nor_doubled(world: &World) {
    let shop = world.shop().await;
    for _ in 0..ROUNDS {
        let (guest, user) = (SessionId::generate(), UserId::generate());
        let (before, during) = (ProductId::generate(), ProductId::generate());
        put(&shop, Owner::Guest(guest), before, 2).await;
        shop.race(
            move |shop| async move { merge(&shop, guest, user).await },
            move |shop| async move { put(&shop, Owner::Guest(guest), during, 3).await },
        )
        .await;
        let of_guest = active(&shop, Owner::Guest(guest)).await;
        let of_user = active(&shop, Owner::User(user)).await;
        let sides = (quantity_in(of_guest.as_ref(), during), quantity_in(of_user.as_ref(), during));
        assert!([(3, 0), (0, 3)].contains(&sides), "the put is on exactly one side: {sides:?}");
        assert_eq!(quantity_in(of_guest.as_ref(), before), 0, "what was merged has left the guest");
        let merged = merge(&shop, guest, user).await.cart;
        let both = (quantity_in(merged.as_ref(), before), quantity_in(merged.as_ref(), during));
        assert_eq!(both, (2, 3), "another merge brings the rest, and nothing twice");
    }
}

async fn a_users_put_of_another_product_during_a_merge_stands(world: &World) {
    let shop = world.shop().await;
    for _ in 0..ROUNDS {
        let (guest, user) = (SessionId::generate(), UserId::generate());
        let (brought, own) = (ProductId::generate(), ProductId::generate());
        put(&shop, Owner::Guest(guest), brought, 2).await;
        shop.race(
            move |shop| async move { merge(&shop, guest, user).await },
            move |shop| async move { put(&shop, Owner::User(user), own, 3).await },
        )
        .await;
        let cart = active(&shop, Owner::User(user)).await;
        let both = (quantity_in(cart.as_ref(), brought), quantity_in(cart.as_ref(), own));
        assert_eq!(both, (2, 3), "neither disturbs the other");
    }
}

async fn a_users_put_of_the_same_product_during_a_merge_is_added_to_or_replaces(world: &World) {
    let shop = world.shop().await;
    for _ in 0..ROUNDS {
        let (guest, user, product) = (SessionId::generate(), UserId::generate(), ProductId::generate());
        put(&shop, Owner::Guest(guest), product, 2).await;
        shop.race(
            move |shop| async move { merge(&shop, guest, user).await },
            move |shop| async move { put(&shop, Owner::User(user), product, 3).await },
        )
        .await;
        merge(&shop, guest, user).await;
        let quantity = quantity_in(active(&shop, Owner::User(user)).await.as_ref(), product);
        assert!([3, 5].contains(&quantity), "3 if the put came last, 5 if the merge did: {quantity}");
    }
}
