//! What is stored of a cart's lines. A product may stand in a cart several times, under different sources: what
//! the buyer put, and what each merged guest cart brought. So copying is idempotent and commutes with puts on
//! other lines, in every engine, and the store's policy is applied when the cart is read or sold.

use serde::{Deserialize, Serialize};

use super::merge::{self, Capped, CappedWhy, MergePolicy};
use super::{CartId, CartLine, Category, Money, ProductId};
use crate::error::{Refusal, Result};
use crate::settings::CartLimits;
use crate::time::Timestamp;

/// A line as it is stored: one product under one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredLine {
    /// The product.
    pub product_id: ProductId,
    /// The guest cart that brought it; `None` = the owner's own put.
    pub source: Option<CartId>,
    /// Its category at the put.
    pub category: Category,
    /// Its name at the put.
    pub name: String,
    /// Its price at the put.
    pub price: Money,
    /// Pieces.
    pub quantity: u32,
    /// When the product came into the cart.
    pub added_at: Timestamp,
    /// When this line was last written.
    pub put_at: Timestamp,
}

/// What a put says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutLine {
    /// The product.
    pub product_id: ProductId,
    /// Its category now.
    pub category: Category,
    /// Its name now.
    pub name: String,
    /// Its price now.
    pub price: Money,
    /// Pieces wanted; replaces what was wanted before, whatever its source.
    pub quantity: u32,
}

/// Every stored line of one cart.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lines(Vec<StoredLine>);

impl Lines {
    /// Lines read from storage.
    pub fn from_stored(lines: Vec<StoredLine>) -> Lines {
        Lines(lines)
    }

    /// The lines as they are stored.
    pub fn stored(&self) -> &[StoredLine] {
        &self.0
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many products it holds.
    pub fn count(&self) -> usize {
        self.0.iter().enumerate().filter(|(i, line)| self.is_first(*i, line.product_id)).count()
    }

    fn is_first(&self, index: usize, product: ProductId) -> bool {
        self.0[..index].iter().all(|earlier| earlier.product_id != product)
    }

    /// Sets a product's quantity. The line becomes the owner's own; other sources of it are gone.
    pub fn put(&mut self, line: PutLine, limits: CartLimits, now: Timestamp) -> Result<()> {
        if !(1..=limits.max_quantity).contains(&line.quantity) {
            let given = line.quantity.into();
            return Err(Refusal::InvalidQuantity { given, max: limits.max_quantity }.into());
        }
        // The latest of all sources, as the view shows it: another quantity does not move a line.
        let added_at = self.of(line.product_id).map(|known| known.added_at).max();
        if added_at.is_none() && self.count() >= limits.max_lines {
            return Err(Refusal::CartFull { limit: limits.max_lines }.into());
        }
        self.remove(line.product_id);
        self.0.push(StoredLine {
            product_id: line.product_id,
            source: None,
            category: line.category,
            name: line.name,
            price: line.price,
            quantity: line.quantity,
            added_at: added_at.unwrap_or(now),
            put_at: now,
        });
        Ok(())
    }

    /// Removes a product; whether it was there.
    pub fn remove(&mut self, product: ProductId) -> bool {
        let before = self.0.len();
        self.0.retain(|line| line.product_id != product);
        self.0.len() < before
    }

    fn of(&self, product: ProductId) -> impl Iterator<Item = &StoredLine> {
        self.0.iter().filter(move |line| line.product_id == product)
    }

    /// Copies what a guest cart shows into this one, under that cart's name, and says what did not fit. Doing it
    /// again changes nothing and says the same.
    pub fn absorb(
        &mut self,
        guest: CartId,
        guest_lines: &[CartLine],
        policy: MergePolicy,
        limits: CartLimits,
        now: Timestamp,
    ) -> Vec<Capped> {
        let mut capped = Vec::new();
        for line in guest_lines {
            let product_id = line.product_id;
            // A repeat copies nothing, but it still says what did not fit: its first answer may have been lost.
            let copied = self.of(product_id).any(|known| known.source == Some(guest));
            if self.of(product_id).next().is_none() && self.count() >= limits.max_lines {
                capped.push(Capped { product_id, wanted: line.quantity, kept: 0, why: CappedWhy::Lines });
                continue;
            }
            if !copied {
                self.0.push(StoredLine {
                    product_id,
                    source: Some(guest),
                    category: line.category.clone(),
                    name: line.name.clone(),
                    price: line.price,
                    quantity: line.quantity,
                    added_at: line.added_at,
                    put_at: now,
                });
            }
            let wanted = merge::fold(self.of(product_id), policy);
            if wanted > limits.max_quantity {
                let kept = limits.max_quantity;
                capped.push(Capped { product_id, wanted, kept, why: CappedWhy::Quantity });
            }
        }
        capped
    }

    /// The lines as the buyer sees them: one per product, newest added first.
    pub fn view(&self, policy: MergePolicy, limits: CartLimits) -> Vec<CartLine> {
        let mut shown: Vec<CartLine> = Vec::with_capacity(self.0.len());
        for (i, line) in self.0.iter().enumerate() {
            if !self.is_first(i, line.product_id) {
                continue;
            }
            let last_put = self.of(line.product_id).max_by_key(|known| known.put_at).unwrap_or(line);
            shown.push(CartLine {
                product_id: line.product_id,
                category: last_put.category.clone(),
                name: last_put.name.clone(),
                price: last_put.price,
                quantity: merge::fold(self.of(line.product_id), policy).min(limits.max_quantity),
                added_at: self.of(line.product_id).map(|known| known.added_at).max().unwrap_or(line.added_at),
            });
        }
        shown.sort_by(|a, b| b.added_at.cmp(&a.added_at).then(b.product_id.cmp(&a.product_id)));
        shown
    }
}
