//! Taking a cart aside for a checkout.

use std::time::Duration;

use super::merge::{active, put};
use crate::cart::{CartStatus, Owner};
use crate::checkout::{CLAIM_LIFE, Claim, IdempotencyKey};
use crate::conformance::World;
use crate::conformance::fixture::goods::quantity_in;
use crate::conformance::fixture::{Shop, new_key, refused};
use crate::error::{Error, Refusal};
use crate::ids::{ProductId, SessionId, UserId};

chapter! { $ conformance_carts_claims in carts::claims:
    a_claim_holds_the_cart_as_it_will_be_sold,
    an_empty_cart_cannot_be_claimed,
    another_key_finds_the_cart_busy,
    the_same_key_claims_again_under_a_higher_number,
    a_release_gives_the_cart_back,
    a_late_release_changes_nothing,
    claim_numbers_grow_over_releases,
    claims_at_once_have_one_winner,
    an_edit_during_a_claim_is_busy_or_survives_the_sale,
    a_merge_during_a_claim_is_busy_or_survives_the_sale,
    claims_are_stale_only_after_their_life,
}

async fn claim(shop: &Shop, owner: Owner, key: &IdempotencyKey) -> Claim {
    shop.carts().claim(owner, key).await.expect("a free cart is claimed")
}

async fn owner_with(shop: &Shop, product: ProductId) -> Owner {
    let owner = Owner::User(UserId::generate());
    put(shop, owner, product, 2).await;
    owner
}

async fn a_claim_holds_the_cart_as_it_will_be_sold(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    let cart = active(&shop, owner).await.expect("it has a cart");
    let key = new_key();
    let claim = claim(&shop, owner, &key).await;
    assert_eq!((claim.cart.id, claim.cart.owner, &claim.key), (cart.id, owner, &key));
    assert_eq!(claim.cart.lines, cart.lines);
}

async fn an_empty_cart_cannot_be_claimed(world: &World) {
    let shop = world.shop().await;
    let product = ProductId::generate();
    let nobody = Owner::User(UserId::generate());
    let answer = shop.carts().claim(nobody, &new_key()).await;
    assert_eq!(refused(answer, "a claim of no cart"), Refusal::CartEmpty);
    let owner = owner_with(&shop, product).await;
    shop.carts().remove(owner, product).await.expect("a remove");
    let answer = shop.carts().claim(owner, &new_key()).await;
    assert_eq!(refused(answer, "a claim of a cart without lines"), Refusal::CartEmpty);
}

async fn another_key_finds_the_cart_busy(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    claim(&shop, owner, &new_key()).await;
    shop.clock.advance(CLAIM_LIFE / 2);
    let answer = shop.carts().claim(owner, &new_key()).await;
    assert_eq!(refused(answer, "another key while the claim is young"), Refusal::CartBusy);
}

async fn the_same_key_claims_again_under_a_higher_number(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    let key = new_key();
    let mut last = claim(&shop, owner, &key).await;
    for _ in 0..3 {
        let next = claim(&shop, owner, &key).await;
        assert!(next.no > last.no, "a repeat can be told from the first try");
        assert_eq!((next.cart.id, &next.cart.lines), (last.cart.id, &last.cart.lines));
        last = next;
    }
}

async fn a_release_gives_the_cart_back(world: &World) {
    let shop = world.shop().await;
    let product = ProductId::generate();
    let owner = owner_with(&shop, product).await;
    let claimed = claim(&shop, owner, &new_key()).await;
    for _ in 0..2 {
        let released = shop.carts().release(owner, claimed.cart.id, claimed.no).await;
        released.expect("a release, and a repeat of it");
    }
    assert_eq!(quantity_in(active(&shop, owner).await.as_ref(), product), 2, "its lines are all there");
    put(&shop, owner, product, 3).await;
    let next = claim(&shop, owner, &new_key()).await;
    assert_eq!(next.cart.lines[0].quantity, 3, "another key may sell it now");
}

async fn a_late_release_changes_nothing(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    let key = new_key();
    let first = claim(&shop, owner, &key).await;
    let second = claim(&shop, owner, &key).await;
    shop.carts().release(owner, first.cart.id, first.no).await.expect("a late release is no failure");
    let answer = shop.carts().claim(owner, &new_key()).await;
    assert_eq!(refused(answer, "the second claim still holds"), Refusal::CartBusy);
    shop.carts().release(owner, second.cart.id, second.no).await.expect("the present claim is released");
    claim(&shop, owner, &new_key()).await;
}

async fn claim_numbers_grow_over_releases(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    let key = new_key();
    let first = claim(&shop, owner, &key).await;
    shop.carts().release(owner, first.cart.id, first.no).await.expect("a release");
    let second = claim(&shop, owner, &key).await;
    assert!(second.no > first.no, "a void through {:?} must not reach {:?}", first.no, second.no);
}

async fn claims_at_once_have_one_winner(world: &World) {
    let shop = world.shop().await;
    for _ in 0..4 {
        let owner = owner_with(&shop, ProductId::generate()).await;
        let answers =
            shop.at_once(6, |_, shop| async move { shop.carts().claim(owner, &new_key()).await }).await;
        let (won, refusals): (Vec<_>, Vec<_>) = answers.into_iter().partition(Result::is_ok);
        assert_eq!(won.len(), 1, "one key gets the cart");
        for answer in refusals {
            assert_eq!(refused(answer, "a cart that is taken"), Refusal::CartBusy);
        }
    }
}

async fn an_edit_during_a_claim_is_busy_or_survives_the_sale(world: &World) {
    let shop = world.shop().await;
    let (sold, more) = (ProductId::generate(), ProductId::generate());
    let user = UserId::generate();
    let owner = Owner::User(user);
    put(&shop, owner, sold, 2).await;
    let claimed = claim(&shop, owner, &new_key()).await;
    let answer = shop.carts().put(&shop.user_buyer(user), shop.any_line(more, 3)).await;
    let done = match answer {
        Ok(_) => true,
        Err(Error::Refused(Refusal::CartBusy)) => false,
        Err(error) => panic!("a put during a claim is done or busy, not {error:?}"),
    };
    shop.carts().mark(owner, claimed.cart.id, CartStatus::Ordered).await.expect("it is sold");
    let after = active(&shop, owner).await;
    assert_eq!(
        quantity_in(after.as_ref(), more),
        if done { 3 } else { 0 },
        "a put that was done is not lost"
    );
    assert_eq!(quantity_in(after.as_ref(), sold), 0, "what was sold is not sold again");
    put(&shop, owner, more, 3).await;
    assert_eq!(quantity_in(active(&shop, owner).await.as_ref(), more), 3, "after the sale the buyer goes on");
}

async fn a_merge_during_a_claim_is_busy_or_survives_the_sale(world: &World) {
    let shop = world.shop().await;
    let (sold, brought) = (ProductId::generate(), ProductId::generate());
    let (user, guest) = (UserId::generate(), SessionId::generate());
    put(&shop, Owner::User(user), sold, 2).await;
    put(&shop, Owner::Guest(guest), brought, 3).await;
    let claimed = claim(&shop, Owner::User(user), &new_key()).await;
    match shop.carts().merge(guest, &shop.user_buyer(user)).await {
        Ok(_) | Err(Error::Refused(Refusal::CartBusy)) => {}
        Err(error) => panic!("a merge during a claim is done or busy, not {error:?}"),
    }
    shop.carts().mark(Owner::User(user), claimed.cart.id, CartStatus::Ordered).await.expect("it is sold");
    let merged = super::merge::merge(&shop, guest, user).await;
    let both = (quantity_in(merged.cart.as_ref(), brought), quantity_in(merged.cart.as_ref(), sold));
    assert_eq!(both, (3, 0), "what the guest brought is there once, what was sold is not");
}

async fn claims_are_stale_only_after_their_life(world: &World) {
    let shop = world.shop().await;
    let owner = owner_with(&shop, ProductId::generate()).await;
    let claimed = claim(&shop, owner, &new_key()).await;
    let mine = async || {
        let stale = shop.carts().stale_claims(1_000).await.expect("claims are listed");
        stale.into_iter().find(|stale| stale.cart.owner == owner)
    };
    shop.clock.advance(CLAIM_LIFE - Duration::from_secs(1));
    assert_eq!(mine().await, None, "a young claim is left alone");
    shop.clock.advance(Duration::from_secs(2));
    let stale = mine().await.expect("a claim that is silent too long is listed");
    assert_eq!((stale.cart.id, &stale.key, stale.no), (claimed.cart.id, &claimed.key, claimed.no));
    let again = claim(&shop, owner, &claimed.key).await;
    assert_eq!(mine().await, None, "the same key's new claim is young");
    shop.clock.advance(CLAIM_LIFE * 2);
    shop.carts().release(owner, again.cart.id, again.no).await.expect("a release");
    assert_eq!(mine().await, None, "a released cart has no claim");
}
