//! The known name that a mistyped one was probably meant to be.

/// The nearest of `known` to `written`, if it is near enough to be a slip rather than another word.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let folded = fold(written);
    // A third of the length may be wrong: enough for a swapped or a forgotten letter, too little to offer
    // `stock` for `sort`.
    let allowed = (folded.chars().count() / 3).max(1);
    let distance_to = |name: &str| {
        let name = fold(name);
        // Half a name, such as `mongo`, is meant for the whole one.
        let is_part = folded.len() >= 3 && (name.starts_with(&folded) || folded.starts_with(&name));
        if is_part { 1 } else { distance(&folded, &name) }
    };
    known
        .into_iter()
        .map(|name| (distance_to(name), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// A sentence that offers the nearest name, or all of them.
pub(crate) fn offer(written: &str, known: &[&str]) -> String {
    match nearest(written, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known here: {}", known.join(", ")),
    }
}

/// Case and the kind of word break are never what was meant to differ: `customerId`, `user-id`.
fn fold(name: &str) -> String {
    name.chars().take(64).flat_map(char::to_lowercase).filter(|c| !matches!(c, '_' | '-' | ' ')).collect()
}

/// How many letters must be changed, added or left out (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let known = ["products", "orders", "carts", "sessions"];
        assert_eq!(nearest("prodcuts", known), Some("products"));
        assert_eq!(nearest("Order", known), Some("orders"));
        assert_eq!(nearest("balancer", known), None);
        assert_eq!(nearest("", known), None);
        assert_eq!(nearest("mongo", ["cassandra", "mongodb"]), Some("mongodb"));
        assert_eq!(nearest("userId", ["user_id"]), Some("user_id"));
    }
}
