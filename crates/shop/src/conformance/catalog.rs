//! The promises of [`crate::ports::Catalog`].

pub mod filters;
pub mod paging;
pub mod words;
pub mod writes;
