//! A checkout that is overtaken by its own twin between its look at the key and its claim. The moment is too short
//! for chance, so the order of steps is forced: the twin runs to its end inside the slow one's claim.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;

use crate::cart::{Buyer, Cart, CartStatus, Merged, Owner, PutLine};
use crate::checkout::{Claim, ClaimNo, IdempotencyKey};
use crate::conformance::World;
use crate::conformance::fixture::goods::put_line;
use crate::conformance::fixture::{Shop, new_key};
use crate::error::Result;
use crate::ids::{CartId, ProductId, SessionId, UserId};
use crate::ports::{Carts, Checkout};
use crate::product::Product;

chapter! { $ conformance_saga_overtaken in saga::overtaken:
    an_overtaken_checkout_hears_of_its_order_not_of_an_empty_cart,
    an_overtaken_checkout_leaves_the_next_cart_alone_and_free,
}

/// The engine's carts, except that the first claim lets the twin go first.
struct Overtaken {
    shop: Arc<Shop>,
    user: UserId,
    /// What the buyer puts after the twin's sale.
    then_put: Option<PutLine>,
    done: AtomicBool,
}

impl Overtaken {
    async fn let_the_twin_go(&self, key: &IdempotencyKey) {
        let twin = self.shop.saga().check_out(self.user, key, &self.shop.request()).await;
        assert!(!twin.expect("the twin sells the cart").repeated, "the twin is the first");
        if let Some(line) = &self.then_put {
            let put = self.shop.carts().put(&self.shop.user_buyer(self.user), line.clone()).await;
            put.expect("the buyer fills the next cart");
        }
    }
}

#[async_trait]
impl Carts for Overtaken {
    async fn claim(&self, owner: Owner, key: &IdempotencyKey) -> Result<Claim> {
        if !self.done.swap(true, Ordering::SeqCst) {
            self.let_the_twin_go(key).await;
        }
        self.shop.carts().claim(owner, key).await
    }

    async fn active(&self, owner: Owner) -> Result<Option<Cart>> {
        self.shop.carts().active(owner).await
    }

    async fn put(&self, buyer: &Buyer, line: PutLine) -> Result<Cart> {
        self.shop.carts().put(buyer, line).await
    }

    async fn remove(&self, owner: Owner, product: ProductId) -> Result<Option<Cart>> {
        self.shop.carts().remove(owner, product).await
    }

    async fn merge(&self, guest: SessionId, into: &Buyer) -> Result<Merged> {
        self.shop.carts().merge(guest, into).await
    }

    async fn release(&self, owner: Owner, cart: CartId, claim: ClaimNo) -> Result<()> {
        self.shop.carts().release(owner, cart, claim).await
    }

    async fn mark(&self, owner: Owner, cart: CartId, status: CartStatus) -> Result<()> {
        self.shop.carts().mark(owner, cart, status).await
    }

    async fn stale_claims(&self, limit: usize) -> Result<Vec<Claim>> {
        self.shop.carts().stale_claims(limit).await
    }

    async fn expire(&self, limit: usize) -> Result<usize> {
        self.shop.carts().expire(limit).await
    }
}

/// Checks out a cart of one piece, overtaken by its twin; the answer must be the twin's order.
async fn check_out_overtaken(shop: &Arc<Shop>, product: &Product, user: UserId, then_put: Option<PutLine>) {
    shop.cart_of(user, &[(product, 1)]).await;
    let key = new_key();
    let carts = Overtaken { shop: Arc::clone(shop), user, then_put, done: AtomicBool::new(false) };
    let slow = shop.saga_over(Arc::new(carts)).check_out(user, &key, &shop.request()).await;
    let slow = slow.expect("whoever repeats a sale hears of its order, never of an empty cart");
    let made = shop
        .ledger()
        .placed(user, &key)
        .await
        .expect("keys are readable")
        .expect("the key has made an order");
    assert_eq!((slow.order.id, slow.repeated), (made.order.id, true));
    assert_eq!(shop.pieces(product.id).await, 4, "one piece was sold");
}

async fn an_overtaken_checkout_hears_of_its_order_not_of_an_empty_cart(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    check_out_overtaken(&shop, &product, UserId::generate(), None).await;
}

async fn an_overtaken_checkout_leaves_the_next_cart_alone_and_free(world: &World) {
    let shop = world.shop().await;
    let product = shop.stocked(10_000, 5).await;
    let user = UserId::generate();
    check_out_overtaken(&shop, &product, user, Some(put_line(&product, 2))).await;
    let cart = shop.carts().active(Owner::User(user)).await.expect("carts are readable");
    assert_eq!(cart.map(|cart| cart.lines[0].quantity), Some(2), "the next cart is there, unsold");
    let placed = shop.saga().check_out(user, &new_key(), &shop.request()).await;
    assert!(!placed.expect("and nobody holds it any more").repeated);
    assert_eq!(shop.pieces(product.id).await, 2);
}
