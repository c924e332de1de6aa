//! Shard keys: an ordered list of fields, each ranged or hashed.

use std::fmt;

/// How a field of a key is ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// By the value itself, in BSON order.
    Ranged,
    /// By MongoDB's hash of the value.
    Hashed,
}

/// One field of a shard key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyField {
    /// The field's real name: `_id` is already replaced by the entity's own id.
    pub name: String,
    /// How it is ordered.
    pub order: Order,
}

/// A shard key. Never empty, no field twice, at most one hashed field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShardKey(Vec<KeyField>);

impl ShardKey {
    /// A key of these fields; `None` if it is empty, repeats a field or hashes two.
    pub fn new(fields: Vec<KeyField>) -> Option<ShardKey> {
        let hashed = fields.iter().filter(|field| field.order == Order::Hashed).count();
        let repeats = fields.iter().enumerate().any(|(i, a)| fields[..i].iter().any(|b| a.name == b.name));
        (!fields.is_empty() && hashed <= 1 && !repeats).then_some(ShardKey(fields))
    }

    /// A key of one hashed field: how partition keys and look-ups are placed.
    pub fn hashed(field: &str) -> ShardKey {
        ShardKey(vec![KeyField { name: field.to_owned(), order: Order::Hashed }])
    }

    /// Its fields, in order.
    pub fn fields(&self) -> &[KeyField] {
        &self.0
    }

    /// Whether the key names this field.
    pub fn names(&self, field: &str) -> bool {
        self.0.iter().any(|key_field| key_field.name == field)
    }
}

impl fmt::Display for ShardKey {
    /// As MongoDB's shell writes it: `{category: 1, product_id: "hashed"}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (i, field) in self.0.iter().enumerate() {
            let separator = if i == 0 { "" } else { ", " };
            match field.order {
                Order::Ranged => write!(f, "{separator}{}: 1", field.name)?,
                Order::Hashed => write!(f, "{separator}{}: \"hashed\"", field.name)?,
            }
        }
        f.write_str("}")
    }
}
