//! Identifiers: UUIDs that cannot be mistaken for each other.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::time::Timestamp;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Takes any UUID.
            pub const fn from_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The UUID.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

id!(
    /// A product; a client may bring any UUID.
    ProductId
);
id!(
    /// An account.
    UserId
);
id!(
    /// A session, of a guest or a user.
    SessionId
);
id!(
    /// A cart; follows from its owner and generation, see [`crate::cart::Owner::cart_id`].
    CartId
);
id!(
    /// An order. Its creation time stands in it, see [`OrderId::at`].
    OrderId
);

impl ProductId {
    /// A new id, in the order of creation.
    pub fn generate() -> ProductId {
        ProductId(Uuid::now_v7())
    }
}

impl UserId {
    /// A new id.
    pub fn generate() -> UserId {
        UserId(Uuid::now_v7())
    }
}

impl SessionId {
    /// A new id. It is no secret: the token's other half is.
    pub fn generate() -> SessionId {
        SessionId(Uuid::now_v7())
    }
}

impl OrderId {
    /// The id of an order created at this moment: a UUIDv7 whose twelve bits after the version hold the
    /// microseconds within the millisecond (RFC 9562, 6.2, method 3). So ids sort exactly as creation times
    /// do, a period is a range of ids, and an index by id is also the index by time.
    pub fn at(created_at: Timestamp, random: [u8; 8]) -> OrderId {
        let micros = created_at.micros().unsigned_abs();
        let (millis, rest) = (micros / 1000, micros % 1000);
        let high = (millis << 16) | 0x7000 | rest;
        let low = (u64::from_be_bytes(random) >> 2) | (1 << 63);
        OrderId(Uuid::from_u64_pair(high, low))
    }

    /// The moment that [`OrderId::at`] was given; meaningless for a foreign id.
    pub fn created_at(self) -> Timestamp {
        let (high, _) = self.0.as_u64_pair();
        let micros = (high >> 16) * 1000 + (high & 0xfff);
        Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    /// The smallest id of that moment.
    pub fn first_at(moment: Timestamp) -> OrderId {
        OrderId::at(moment, [0; 8])
    }

    /// The greatest id of that moment.
    pub fn last_at(moment: Timestamp) -> OrderId {
        OrderId::at(moment, [0xff; 8])
    }
}

impl CartId {
    /// The id that follows from these parts, always the same.
    pub(crate) fn derive(owner_key: &str, generation: u64) -> CartId {
        let mut hasher = Sha256::new();
        hasher.update(owner_key.as_bytes());
        hasher.update(generation.to_be_bytes());
        let digest = hasher.finalize();
        let bytes: [u8; 16] = digest[..16].try_into().expect("a SHA-256 digest has 32 bytes");
        CartId(uuid::Builder::from_custom_bytes(bytes).into_uuid())
    }
}
