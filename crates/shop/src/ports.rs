//! The ports: one trait per thing that may live in an engine of its own. What each promises is defined by the
//! conformance suite (feature `conformance`), which every engine passes on the real database.

use std::sync::Arc;

use async_trait::async_trait;

use crate::cart::{Buyer, Cart, CartStatus, Merged, Owner, PutLine};
use crate::checkout::{Claim, ClaimNo, IdempotencyKey, Made, PlaceOrder, Placed, Request};
use crate::error::Result;
use crate::event::{Event, EventId};
use crate::ids::{CartId, OrderId, ProductId, SessionId, UserId};
use crate::name::Zone;
use crate::order::{Order, OrderQuery, OrderRef, OrderStatus, Payment};
use crate::page::{Page, PageSize};
use crate::product::{Offer, Product, ProductDraft, ProductRef, Shown, Upserted, ZoneStock};
use crate::search::Search;
use crate::session::{Account, Email, NewSession, Session, TokenDigest};

/// Products to look at.
#[async_trait]
pub trait Catalog: Send + Sync {
    /// One page of what a search finds. Each product once, withdrawn ones never.
    async fn search(&self, search: &Search) -> Result<Page<Arc<Shown>>>;

    /// One product with all its zones, withdrawn or not; `None` if there is none of that id.
    async fn product(&self, product: &ProductRef) -> Result<Option<Arc<Shown>>>;

    /// What a cart needs to know of a product, withdrawn or not. It is enough to find the document of the caller's
    /// zone, and no stock is read.
    async fn offer(&self, product: &ProductRef) -> Result<Option<Offer>>;

    /// Writes a product, all its zones or none. A withdrawn one is sold again. The draft has been checked.
    async fn upsert(&self, id: ProductId, draft: ProductDraft) -> Result<Upserted>;

    /// Writes many products, for a first filling; each as [`Catalog::upsert`] would.
    async fn upsert_many(&self, drafts: Vec<(ProductId, ProductDraft)>) -> Result<()>;

    /// Withdraws a product; whether it was there.
    async fn withdraw(&self, id: ProductId) -> Result<bool>;

    /// Whether there is no product at all.
    async fn is_empty(&self) -> Result<bool>;
}

/// Stock and orders together, because checkout must be atomic over both.
#[async_trait]
pub trait Ledger: Send + Sync {
    /// Places an order and writes the stock off, all or nothing. The key comes first: if it has made an order,
    /// that one is the answer, whatever the stock is now. One cart is sold once, whatever the key.
    async fn place(&self, order: PlaceOrder) -> Result<Placed>;

    /// The order that this key has made, read as freshly as a write would.
    async fn placed(&self, user: UserId, key: &IdempotencyKey) -> Result<Option<Made>>;

    /// Makes sure that no order is placed for this key under a claim up to `through` any more; if one was placed
    /// before, it is the answer.
    async fn void(&self, user: UserId, key: &IdempotencyKey, through: ClaimNo) -> Result<Option<Made>>;

    /// One order.
    async fn order(&self, order: OrderRef) -> Result<Option<Order>>;

    /// Orders of everybody, newest first.
    async fn list(&self, query: &OrderQuery) -> Result<Page<Order>>;

    /// Takes an order one legal step further, but not to `cancelled`.
    async fn advance(&self, order: OrderRef, to: OrderStatus) -> Result<Order>;

    /// Cancels an order and returns its stock, exactly once.
    async fn cancel(&self, order: OrderRef) -> Result<Order>;

    /// Takes note of a payment, once for each provider and reference: the order is paid, or a refund is due.
    async fn pay(&self, order: OrderId, payment: Payment) -> Result<Order>;

    /// Cancels up to `limit` orders that were left unpaid longer than the store's hold; how many.
    async fn cancel_unpaid(&self, limit: usize) -> Result<usize>;

    /// The exact stock of a product in every zone; `None` if there is no such product.
    async fn stock(&self, product: &ProductRef) -> Result<Option<Vec<ZoneStock>>>;

    /// Adds to (or takes from) the stock of one zone, never below zero.
    async fn adjust(&self, product: ProductId, zone: &Zone, delta: i64) -> Result<Product>;
}

/// A buyer's orders.
#[async_trait]
pub trait History: Send + Sync {
    /// One page, newest first; a page from the middle of a long history costs what a first page does.
    async fn page(&self, user: UserId, query: &OrderQuery) -> Result<Page<Order>>;
}

/// Carts. Exactly one is active per owner, under any concurrency.
#[async_trait]
pub trait Carts: Send + Sync {
    /// The owner's active cart, if there is one.
    async fn active(&self, owner: Owner) -> Result<Option<Cart>>;

    /// Sets the quantity of one product; the first put makes the cart. Concurrent with a claim, it is refused as
    /// busy or survives the sale; it is never lost and never sold twice.
    async fn put(&self, buyer: &Buyer, line: PutLine) -> Result<Cart>;

    /// Removes a product, if it is there.
    async fn remove(&self, owner: Owner, product: ProductId) -> Result<Option<Cart>>;

    /// Copies the guest cart into the user's and marks it abandoned, all or nothing to any reader. A repeat
    /// changes nothing and answers alike.
    async fn merge(&self, guest: SessionId, into: &Buyer) -> Result<Merged>;

    /// Takes the cart aside for one checkout. The same key gets it again, under a higher number; another key is
    /// refused as busy while the claim is young.
    async fn claim(&self, owner: Owner, key: &IdempotencyKey) -> Result<Claim>;

    /// Gives a claimed cart back unsold. Nothing happens if the claim is no longer this one.
    async fn release(&self, owner: Owner, cart: CartId, claim: ClaimNo) -> Result<()>;

    /// Ends the life of a cart: sold or given up. A repeat changes nothing.
    async fn mark(&self, owner: Owner, cart: CartId, status: CartStatus) -> Result<()>;

    /// Claims whose checkout has been silent too long.
    async fn stale_claims(&self, limit: usize) -> Result<Vec<Claim>>;

    /// Deletes up to `limit` carts whose time is over; how many. They were invisible before.
    async fn expire(&self, limit: usize) -> Result<usize>;
}

/// The checkout of a cart. An engine that holds both carts and ledger does it in one transaction; for others
/// [`crate::saga::Saga`] does it over the two ports.
#[async_trait]
pub trait Checkout: Send + Sync {
    /// Turns the user's active cart into an order, all or nothing.
    async fn check_out(&self, user: UserId, key: &IdempotencyKey, request: &Request) -> Result<Placed>;
}

/// Sessions.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Opens a guest session.
    async fn open(&self, session: NewSession) -> Result<Session>;

    /// The session, if it is open, its time is not over and the digest is its token's.
    async fn find(&self, id: SessionId, digest: &TokenDigest) -> Result<Option<Session>>;

    /// Moves its expiry on.
    async fn touch(&self, id: SessionId) -> Result<()>;

    /// Logs a user in: from now on only the new token is valid. Refused if `old` is not the token any more.
    async fn login(
        &self,
        id: SessionId,
        old: &TokenDigest,
        new: TokenDigest,
        user: UserId,
    ) -> Result<Session>;

    /// Closes it; its token dies.
    async fn close(&self, id: SessionId) -> Result<()>;

    /// Deletes up to `limit` sessions whose time is over; how many.
    async fn expire(&self, limit: usize) -> Result<usize>;
}

/// Accounts.
#[async_trait]
pub trait Accounts: Send + Sync {
    /// Makes an account; refused if the e-mail has one.
    async fn create(&self, email: Email, password_hash: String, name: Option<String>) -> Result<UserId>;

    /// The account of that e-mail.
    async fn find(&self, email: &Email) -> Result<Option<Account>>;
}

/// What the ledger has committed.
#[async_trait]
pub trait Feed: Send + Sync {
    /// Events after that one, in commit order per key; from the beginning if `None`.
    async fn events(&self, after: Option<&EventId>, limit: PageSize) -> Result<Page<Event, EventId>>;
}
