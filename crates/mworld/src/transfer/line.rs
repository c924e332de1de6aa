//! One line of a catalogue file.

use bytes::Bytes;
use mworld_shop::ProductId;
use serde_json::{Map, Value};

/// A product as it is to be written: its id stands in the address, the rest in the body.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) id: ProductId,
    pub(super) body: Bytes,
}

/// Reads a line. What the store itself writes down (time and version) is passed over; everything else is the store's
/// to judge, which knows its own zones, categories and limits.
pub(super) fn read(text: &str) -> Result<Line, String> {
    let mut product: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
        format!(
            "{} is no product: {error}; write one JSON object a line, as `mworld export` does",
            excerpt(text)
        )
    })?;
    let id = match product.remove("id") {
        Some(Value::String(id)) => id
            .parse()
            .map_err(|_| format!("id {} is no UUID; write 8-4-4-4-12 hexadecimal digits", excerpt(&id)))?,
        Some(other) => {
            return Err(format!("id {} is no text; write a UUID in quotes", excerpt(&other.to_string())));
        }
        None => return Err(format!("{} has no id; give every product a UUID", excerpt(text))),
    };
    product.remove("updated_at");
    product.remove("version");
    let body = serde_json::to_vec(&product).expect("what was read from JSON can be written as JSON");
    Ok(Line { id, body: body.into() })
}

/// Enough of a value to recognise it.
fn excerpt(text: &str) -> String {
    let start: String = text.chars().take(60).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("`{start}{more}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exported_line_is_read_without_what_the_store_writes_itself() {
        let text = r#"{"id":"01932d4e-7b4a-7c3e-9b1f-0123456789ab","name":"x","version":3,"updated_at":"2026-01-01T00:00:00Z"}"#;
        let line = read(text).unwrap();
        assert_eq!(line.id.to_string(), "01932d4e-7b4a-7c3e-9b1f-0123456789ab");
        assert_eq!(line.body, r#"{"name":"x"}"#);
    }

    #[test]
    fn a_bad_line_is_shown_with_its_value_and_the_next_step() {
        for (text, fragment) in [
            ("{", "`{` is no product"),
            ("[1]", "one JSON object a line"),
            ("{\"id\": 7}", "id `7` is no text"),
            ("{\"id\": \"seven\"}", "id `seven` is no UUID"),
            ("{\"name\": \"x\"}", "has no id"),
        ] {
            let problem = read(text).unwrap_err();
            assert!(problem.contains(fragment), "{text}: {problem}");
        }
    }
}
