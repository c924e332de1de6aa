//! The values that are configuration rather than data: zones and categories.

use crate::value::Value;

/// The store's zones and categories. They are known before the first record is, so keys that begin with them can be
/// cut and dealt out beforehand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    /// Zones, in the order of the configuration.
    pub zones: Vec<String>,
    /// Categories, in the order of the configuration.
    pub categories: Vec<String>,
}

impl Domain {
    /// Every value that the field can have, if that is known beforehand.
    pub fn values_of(&self, field: &str) -> Option<Vec<Value>> {
        let names = match field {
            "geo_zone" => &self.zones,
            "category" => &self.categories,
            _ => return None,
        };
        (!names.is_empty()).then(|| names.iter().map(|name| Value::from(name.as_str())).collect())
    }
}

impl Default for Domain {
    /// What a store has whose configuration says nothing.
    fn default() -> Domain {
        let owned = |names: [&str; 4]| names.map(str::to_owned).to_vec();
        Domain {
            zones: owned(["msk", "spb", "ekb", "kln"]),
            categories: owned(["electronics", "audio", "appliances", "accessories"]),
        }
    }
}
