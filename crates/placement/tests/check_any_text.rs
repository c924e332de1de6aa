//! Whatever stands in a file, it is read or refused with words; nothing panics.

use mworld_placement::diagnostic::{Colour, render};
use mworld_placement::layout::{Source, load, shipped_names, shipped_source};
use proptest::prelude::*;

/// Reads a text and shows what was found in it.
fn judge(text: String) -> Result<(), TestCaseError> {
    let source = Source::new("any.toml", text);
    let again = source.clone();
    let found = match load(&source, &move |_| Some(again.clone())) {
        Ok(loaded) => {
            let written = Source::new("written.toml", loaded.layout.to_toml());
            let read = load(&written, &|_| None);
            prop_assert_eq!(read.map(|read| read.layout).ok(), Some(loaded.layout), "{}", written.text);
            loaded.warnings
        }
        Err(found) => {
            prop_assert!(!found.is_empty(), "refused without a word");
            found
        }
    };
    for diagnostic in &found {
        let (line, column) = diagnostic.line_column();
        prop_assert!(line >= 1 && column >= 1);
    }
    let _ = render(&found, Colour::Plain);
    Ok(())
}

/// Words that mean something in a layout, and a few that do not.
fn word() -> impl Strategy<Value = String> {
    let words = [
        "[",
        "]",
        "{",
        "}",
        "=",
        "\n",
        ".",
        ",",
        "\"",
        "'''",
        "#",
        "extends",
        "products",
        "carts",
        "orders",
        "stock",
        "history",
        "sessions",
        "mongodb",
        "cassandra",
        "repair",
        "policy",
        "shard_key",
        "zones",
        "splits",
        "indexes",
        "from",
        "to",
        "name",
        "shards",
        "fields",
        "unique",
        "ttl",
        "form",
        "engine",
        "\"per-zone\"",
        "\"geo_zone\"",
        "\"user_id:hashed\"",
        "\"category\"",
        "\"msk\"",
        "\"msk~\"",
        "true",
        "0",
        "-9223372036854775808",
        "99999999999999999999",
        "1.5",
        "\"7d\"",
        "\"18446744073709551615d\"",
        "ё",
        "\u{0}",
    ];
    prop_oneof![9 => proptest::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => ".{0,6}"]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_text(text in "\\PC*") {
        judge(text)?;
    }

    #[test]
    fn random_words(words in proptest::collection::vec(word(), 0..60)) {
        judge(words.join(" "))?;
    }

    /// A shipped layout with a piece cut out, doubled, or replaced by something else.
    #[test]
    fn a_layout_with_a_wound(
        which in 0..shipped_names().len(),
        at in 0.0..1.0f64,
        length in 0..40usize,
        instead in prop_oneof![Just(None), word().prop_map(Some)],
    ) {
        let text = shipped_source(shipped_names()[which]).unwrap().text;
        let start = text.floor_char_boundary((text.len() as f64 * at) as usize);
        let end = text.ceil_char_boundary((start + length).min(text.len()));
        let instead = instead.unwrap_or_else(|| text[start..end].repeat(2));
        judge(format!("{}{instead}{}", &text[..start], &text[end..]))?;
    }
}
