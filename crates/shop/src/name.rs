//! Zones and categories: short names that are the store's configuration, not code.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// Why a text cannot name a zone or a category.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} cannot be a name; write 1 to 32 of a–z, 0–9, _ and -")]
pub struct InvalidName(String);

fn checked(text: &str) -> Result<Arc<str>, InvalidName> {
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_' || byte == b'-';
    if (1..=32).contains(&text.len()) && text.bytes().all(legal) {
        Ok(text.into())
    } else {
        Err(InvalidName(text.chars().take(64).collect()))
    }
}

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(Arc<str>);

        impl $name {
            /// Takes 1 to 32 characters of a–z, 0–9, `_` and `-`.
            pub fn new(text: &str) -> Result<Self, InvalidName> {
                checked(text).map(Self)
            }

            /// The name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = InvalidName;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                Self::new(&text)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0.as_ref().to_owned()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

name!(
    /// A region with stock of its own, such as `msk`.
    Zone
);
name!(
    /// A part of the catalogue, such as `electronics`.
    Category
);
