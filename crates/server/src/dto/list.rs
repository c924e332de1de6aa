//! Lists.

use mworld_shop::{ListId, Page};
use serde::Serialize;
use utoipa::ToSchema;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct List<T: ToSchema> {
    /// The items, in order.
    pub(crate) items: Vec<T>,
    /// What to send as `cursor` for the next page; null after the last.
    #[schema(required = true)]
    pub(crate) next: Option<String>,
}

impl<T: ToSchema> List<T> {
    /// A page, with its cursor bound to the list it belongs to.
    pub(crate) fn of<'a, D>(page: &'a Page<D>, list: ListId, item: impl Fn(&'a D) -> T) -> List<T> {
        List {
            items: page.items.iter().map(item).collect(),
            next: page.next.map(|position| position.encode(list)),
        }
    }
}

/// A list that is always whole.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Items<T: ToSchema> {
    /// The items, in order.
    pub(crate) items: Vec<T>,
}

/// A zone or a category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Named)]
pub(crate) struct Named<'a> {
    /// The name in the API.
    pub(crate) id: &'a str,
    /// The name that people read.
    pub(crate) name: &'a str,
}
