//! Text from outside, made harmless for a page.

/// The text as content or as a quoted attribute. Control characters, which no page may hold, are replaced.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(letter),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => {
                safe.push('\u{fffd}');
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<a b='c'>\"&\u{0}\n"), "&lt;a b=&#39;c&#39;&gt;&quot;&amp;\u{fffd}\n");
        assert_eq!(escape("чек 12 %"), "чек 12 %");
    }
}
