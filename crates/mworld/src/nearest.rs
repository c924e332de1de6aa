//! The known name that a mistyped one was probably meant to be.

/// The nearest of the known names, if it is near enough to be a slip rather than another word.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let fold = |name: &str| name.to_lowercase().replace('-', "_");
    let folded = fold(written);
    // A third of the letters may be wrong: enough for a swapped or a forgotten one.
    let allowed = (folded.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&folded, &fold(name)), name))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_word_and_another_word_finds_none() {
        let known = ["listen", "layout", "shards"];
        assert_eq!(nearest("lisetn", known), Some("listen"));
        assert_eq!(nearest("SHARD", known), Some("shards"));
        assert_eq!(nearest("replicas", known), None);
    }
}
