//! Pages of a list, and the cursors between them.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::error::{Refusal, Result};

/// How many items a page may hold: 1 to 100.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageSize(u32);

impl PageSize {
    /// The most.
    pub const MAX: u32 = 100;
    /// What a client gets that does not say.
    pub const DEFAULT: PageSize = PageSize(24);

    /// `None` outside 1 to 100.
    pub fn new(items: u32) -> Option<PageSize> {
        (1..=PageSize::MAX).contains(&items).then_some(PageSize(items))
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// Some of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, C = Position> {
    /// The items, in order.
    pub items: Vec<T>,
    /// Where the next page begins; `None` after the last.
    pub next: Option<C>,
}

/// A place between two items: after the one with this sort value and id. Inserts elsewhere do not shift it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The sort value of the last item seen.
    pub value: i64,
    /// Its id.
    pub id: Uuid,
}

/// Which list a cursor belongs to: a digest of everything that decides which items it has and in what order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListId([u8; 8]);

impl ListId {
    /// The list described by these parts. The same parts in the same order give the same list.
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a str>) -> ListId {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update((part.len() as u64).to_be_bytes());
            hasher.update(part.as_bytes());
        }
        ListId(hasher.finalize()[..8].try_into().expect("a SHA-256 digest has 32 bytes"))
    }
}

const FORMAT: u8 = 1;

impl Position {
    /// The position as URL-safe text, bound to its list.
    pub fn encode(self, list: ListId) -> String {
        let mut bytes = Vec::with_capacity(33);
        bytes.push(FORMAT);
        bytes.extend_from_slice(&list.0);
        bytes.extend_from_slice(&self.value.to_be_bytes());
        bytes.extend_from_slice(self.id.as_bytes());
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// Reads what [`Position::encode`] wrote for the same list; anything else is [`Refusal::BadCursor`].
    pub fn decode(text: &str, list: ListId) -> Result<Position> {
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| Refusal::BadCursor)?;
        let bytes: [u8; 33] = bytes.try_into().map_err(|_| Refusal::BadCursor)?;
        if bytes[0] != FORMAT || bytes[1..9] != list.0 {
            return Err(Refusal::BadCursor.into());
        }
        let value = i64::from_be_bytes(bytes[9..17].try_into().expect("eight of 33 bytes"));
        let id = Uuid::from_bytes(bytes[17..33].try_into().expect("sixteen of 33 bytes"));
        Ok(Position { value, id })
    }
}
