//! JSON objects that are objects.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// A struct that is written as a JSON object. Left to itself serde would also take an array of its fields, which the
/// description does not promise and nobody means.
#[derive(Debug, Clone)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData)).map(Object)
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    struct Point {
        x: i32,
    }

    #[test]
    fn an_array_is_no_object() {
        assert_eq!(serde_json::from_str::<Object<Point>>(r#"{"x": 1}"#).unwrap().0.x, 1);
        let refused = serde_json::from_str::<Object<Point>>("[1]").unwrap_err().to_string();
        assert!(refused.contains("expected an object"), "{refused}");
    }
}
