//! The shop itself: its operations over whatever engines the ports are.

use std::sync::Arc;

use crate::cart::{Capped, Cart, PutLine};
use crate::checkout::{IdempotencyKey, Placed, Request};
use crate::error::{Refusal, Result};
use crate::event::{Event, EventId};
use crate::ids::{OrderId, ProductId, UserId};
use crate::name::{Category, Zone};
use crate::order::{Order, OrderQuery, OrderRef, OrderStatus, Payment};
use crate::page::{Page, PageSize};
use crate::ports::{Accounts, Carts, Catalog, Checkout, Feed, History, Ledger, Sessions};
use crate::product::{Product, ProductDraft, ProductRef, Shown, Upserted, ZoneStock};
use crate::search::Search;
use crate::session::{Account, Email, NewSession, Session, TokenDigest, check_account_name};
use crate::settings::Settings;
use crate::time::Clock;

/// What a store is put together from.
#[derive(Clone)]
pub struct StoreParts {
    /// Products.
    pub catalog: Arc<dyn Catalog>,
    /// Stock and orders.
    pub ledger: Arc<dyn Ledger>,
    /// A buyer's orders.
    pub history: Arc<dyn History>,
    /// Carts.
    pub carts: Arc<dyn Carts>,
    /// Carts into orders.
    pub checkout: Arc<dyn Checkout>,
    /// Sessions.
    pub sessions: Arc<dyn Sessions>,
    /// Accounts.
    pub accounts: Arc<dyn Accounts>,
    /// Events.
    pub feed: Arc<dyn Feed>,
}

impl StoreParts {
    /// One engine that has every port, and whatever makes orders of carts on it.
    pub fn of<E>(engine: &Arc<E>, checkout: Arc<dyn Checkout>) -> StoreParts
    where
        E: Catalog + Ledger + History + Carts + Sessions + Accounts + Feed + 'static,
    {
        StoreParts {
            catalog: engine.clone(),
            ledger: engine.clone(),
            history: engine.clone(),
            carts: engine.clone(),
            checkout,
            sessions: engine.clone(),
            accounts: engine.clone(),
            feed: engine.clone(),
        }
    }
}

/// The shop.
#[derive(Clone)]
pub struct Store {
    parts: StoreParts,
    settings: Arc<Settings>,
    clock: Arc<dyn Clock>,
}

/// What a login gives.
#[derive(Debug, Clone)]
pub struct LoggedIn {
    /// The session, now the user's.
    pub session: Session,
    /// The user's cart, the guest's merged into it.
    pub cart: Option<Cart>,
    /// What of the guest's cart did not fit.
    pub capped: Vec<Capped>,
}

impl Store {
    /// A shop of these parts.
    pub fn new(parts: StoreParts, settings: Arc<Settings>, clock: Arc<dyn Clock>) -> Store {
        Store { parts, settings, clock }
    }

    /// The owner's configuration.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The parts, for those who need one alone.
    pub fn parts(&self) -> &StoreParts {
        &self.parts
    }

    /// `catalog.search`
    pub async fn search(&self, search: &Search) -> Result<Page<Arc<Shown>>> {
        self.parts.catalog.search(search).await
    }

    /// `catalog.product`: withdrawn ones are not shown.
    pub async fn product(&self, product: &ProductRef) -> Result<Arc<Shown>> {
        let found = self.parts.catalog.product(product).await?;
        let shown = found.filter(|found| !found.withdrawn);
        shown.ok_or_else(|| Refusal::ProductNotFound(product.id).into())
    }

    /// `catalog.stock`
    pub async fn stock(&self, product: &ProductRef) -> Result<Vec<ZoneStock>> {
        let stock = self.parts.ledger.stock(product).await?;
        stock.ok_or_else(|| Refusal::ProductNotFound(product.id).into())
    }

    /// `catalog.adjust`
    pub async fn adjust(&self, product: ProductId, zone: &Zone, delta: i64) -> Result<Product> {
        self.settings.zone(zone.as_str())?;
        self.parts.ledger.adjust(product, zone, delta).await
    }

    /// `catalog.upsert`
    pub async fn upsert(&self, id: ProductId, draft: ProductDraft) -> Result<Upserted> {
        draft.check(&self.settings)?;
        self.parts.catalog.upsert(id, draft).await
    }

    /// Withdraws a product from sale.
    pub async fn withdraw(&self, id: ProductId) -> Result<()> {
        if self.parts.catalog.withdraw(id).await? { Ok(()) } else { Err(Refusal::ProductNotFound(id).into()) }
    }

    /// `cart.get`
    pub async fn cart(&self, session: &Session) -> Result<Option<Cart>> {
        self.parts.carts.active(session.owner()).await
    }

    /// `cart.put`: name, price and category are taken from the catalogue as of now.
    pub async fn put(
        &self,
        session: &Session,
        product: ProductId,
        category: Option<Category>,
        quantity: i64,
    ) -> Result<Cart> {
        let max = self.settings.cart.max_quantity;
        let quantity = u32::try_from(quantity)
            .ok()
            .filter(|quantity| (1..=max).contains(quantity))
            .ok_or(Refusal::InvalidQuantity { given: quantity, max })?;
        let wanted = ProductRef { id: product, category, zone: Some(session.zone.clone()) };
        let found = self.parts.catalog.offer(&wanted).await?.ok_or(Refusal::ProductNotFound(product))?;
        if found.withdrawn {
            return Err(Refusal::NotForSale(product).into());
        }
        let line = PutLine {
            product_id: product,
            category: found.category,
            name: found.name,
            price: found.price,
            quantity,
        };
        self.parts.carts.put(&session.buyer(), line).await
    }

    /// `cart.remove`
    pub async fn remove(&self, session: &Session, product: ProductId) -> Result<Option<Cart>> {
        self.parts.carts.remove(session.owner(), product).await
    }

    /// `order.place`
    pub async fn check_out(&self, user: UserId, key: &IdempotencyKey, request: &Request) -> Result<Placed> {
        self.settings.zone(request.zone.as_str())?;
        self.parts.checkout.check_out(user, key, request).await
    }

    /// `order.status`
    pub async fn order(&self, order: OrderRef) -> Result<Order> {
        self.parts.ledger.order(order).await?.ok_or_else(|| Refusal::OrderNotFound(order.id).into())
    }

    /// `order.history`
    pub async fn history(&self, user: UserId, query: &OrderQuery) -> Result<Page<Order>> {
        self.parts.history.page(user, query).await
    }

    /// `order.list`
    pub async fn list(&self, query: &OrderQuery) -> Result<Page<Order>> {
        self.parts.ledger.list(query).await
    }

    /// `order.advance`, and `order.cancel` if that is where it goes.
    pub async fn advance(&self, order: OrderRef, to: OrderStatus) -> Result<Order> {
        match to {
            OrderStatus::Cancelled => self.parts.ledger.cancel(order).await,
            _ => self.parts.ledger.advance(order, to).await,
        }
    }

    /// Takes note of a payment.
    pub async fn pay(&self, order: OrderId, payment: Payment) -> Result<Order> {
        self.parts.ledger.pay(order, payment).await
    }

    /// The feed of events.
    pub async fn events(&self, after: Option<&EventId>, limit: PageSize) -> Result<Page<Event, EventId>> {
        self.parts.feed.events(after, limit).await
    }

    /// `session.open`
    pub async fn open_session(&self, session: NewSession) -> Result<Session> {
        self.settings.zone(session.zone.as_str())?;
        self.parts.sessions.open(session).await
    }

    /// The session of a token, touched if that is due.
    pub async fn session(&self, id: crate::ids::SessionId, digest: &TokenDigest) -> Result<Option<Session>> {
        let Some(session) = self.parts.sessions.find(id, digest).await? else {
            return Ok(None);
        };
        if session.touch_due(self.clock.now()) {
            // A touch that cannot be written (a full disk) only lets the session end sooner; it must not stop a read.
            let _ = self.parts.sessions.touch(id).await;
        }
        Ok(Some(session))
    }

    /// `account.create`: the password comes hashed.
    pub async fn create_account(
        &self,
        email: Email,
        password_hash: String,
        name: Option<String>,
    ) -> Result<UserId> {
        if let Some(name) = &name {
            check_account_name(name)?;
        }
        self.parts.accounts.create(email, password_hash, name).await
    }

    /// The account that somebody wants to log in to.
    pub async fn account(&self, email: &Email) -> Result<Option<Account>> {
        self.parts.accounts.find(email).await
    }

    /// `session.login`, after the password was found right.
    ///
    /// The cart is merged first: if the answer is lost and the old token is dead, the guest's things are already
    /// in the user's cart. What the guest put while the login ran is merged once more after it.
    pub async fn log_in(
        &self,
        session: &Session,
        old: &TokenDigest,
        new: TokenDigest,
        user: UserId,
    ) -> Result<LoggedIn> {
        let user_session = Session { user: Some(user), ..session.clone() };
        let buyer = user_session.buyer();
        let was_guest = session.user.is_none();
        let first = if was_guest { Some(self.parts.carts.merge(session.id, &buyer).await?) } else { None };
        let session = self.parts.sessions.login(session.id, old, new, user).await?;
        let mut capped = first.map(|merged| merged.capped).unwrap_or_default();
        // From here on the old token is dead, so nothing may keep the new one from the client.
        let left = self.parts.carts.active(crate::cart::Owner::Guest(session.id)).await;
        if was_guest && matches!(left, Ok(Some(_))) {
            let merged = self.parts.carts.merge(session.id, &buyer).await;
            capped.extend(merged.map(|merged| merged.capped).unwrap_or_default());
        }
        let cart = self.parts.carts.active(buyer.owner).await.unwrap_or_default();
        Ok(LoggedIn { session, cart, capped })
    }

    /// `session.close`
    pub async fn close_session(&self, session: &Session) -> Result<()> {
        self.parts.sessions.close(session.id).await
    }
}
