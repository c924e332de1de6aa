//! What a call knows of the records that it wants. One description makes both the filter that the cluster gets and
//! the route that is predicted for it, so that the two cannot drift apart.

use mongodb::bson::{Bson, Document};
use mworld_placement::{Constraint, RangeMap, Route, Value};

use crate::bson::condition;
use crate::collection::{Collection, Shape};

/// A question to one collection.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) collection: Collection,
    /// Fields that a layout may place by, in the layout's words.
    known: Vec<(&'static str, Constraint)>,
    /// Whatever else must hold, in the documents' own words.
    also: Document,
}

impl Ask {
    /// Everything in the collection.
    pub(crate) fn of(collection: impl Into<Collection>) -> Ask {
        Ask { collection: collection.into(), known: Vec::new(), also: Document::new() }
    }

    /// The record of that id, in one of the engine's own collections.
    pub(crate) fn own(collection: Collection, id: impl Into<Value>) -> Ask {
        Ask::of(collection).known("_id", id)
    }

    /// A field's value is known.
    #[must_use]
    pub(crate) fn known(self, field: &'static str, value: impl Into<Value>) -> Ask {
        self.within(field, Constraint::Eq(value.into()))
    }

    /// Something is known of a field.
    #[must_use]
    pub(crate) fn within(mut self, field: &'static str, constraint: Constraint) -> Ask {
        self.known.push((field, constraint));
        self
    }

    /// Something else must hold, which no layout places by.
    #[must_use]
    pub(crate) fn also(mut self, field: impl Into<String>, condition: impl Into<Bson>) -> Ask {
        self.also.insert(field, condition);
        self
    }

    /// The filter that the cluster gets.
    pub(crate) fn filter(&self, shape: Shape) -> Document {
        let mut filter = Document::new();
        for (field, known) in &self.known {
            filter.insert(shape.physical(self.collection, field), condition(known));
        }
        filter.extend(self.also.clone());
        filter
    }

    /// Where the cluster's router will look, by this map.
    pub(crate) fn route(&self, map: &RangeMap) -> Route {
        map.route(&self.known).route
    }
}
