//! What a search asks of one shard: a statement and its parameters. A pure function of the search.

use mworld_placement::ShardId;
use mworld_shop::search::{Search, Sort, words};
use rusqlite::types::Value;

use super::document::{category_word, shard_word};

/// More words than this narrow no further: nobody types them, and each costs a look into the index.
const MAX_WORDS: usize = 12;

/// Where candidates come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Along the index of the sort order, taking what fits: right when much fits.
    Walk,
    /// From the index by price, to be sorted: right when few products lie between the bounds.
    Price,
    /// From the full-text index: right when few names have the words.
    Words,
    /// From the index of attributes: right when few products have the first one.
    Attribute,
}

/// A statement with its parameters.
#[derive(Debug)]
pub(super) struct Select {
    pub(super) statement: String,
    pub(super) params: Vec<Value>,
}

impl Select {
    fn push(&mut self, condition: &str, value: impl Into<Value>) {
        self.params.push(value.into());
        let number = format!("?{}", self.params.len());
        self.statement.push_str(&condition.replace('?', &number));
    }
}

/// The words of a search, at most [`MAX_WORDS`].
pub(super) fn search_words(q: &str) -> Vec<String> {
    let mut words = words(q);
    words.truncate(MAX_WORDS);
    words
}

/// The full-text expression for one shard; the last word may be a beginning.
fn match_expression(search: &Search, shard: ShardId) -> String {
    let mut expression = format!("place : {}", shard_word(shard));
    if let Some(category) = &search.category {
        expression.push_str(&format!(" AND place : {}", category_word(category.as_str())));
    }
    let words = search_words(search.q.as_deref().unwrap_or_default());
    for (i, word) in words.iter().enumerate() {
        let star = if i + 1 == words.len() { " *" } else { "" };
        expression.push_str(&format!(" AND words : \"{word}\"{star}"));
    }
    expression
}

/// Counts candidates of a source up to `limit`, to see whether it is selective.
pub(super) fn count(search: &Search, shard: ShardId, source: Source, limit: i64) -> Select {
    let mut select = Select { statement: "SELECT count(*) FROM (".to_owned(), params: Vec::new() };
    candidates(&mut select, search, shard, source);
    select.push(" LIMIT ?)", limit);
    select
}

fn candidates(select: &mut Select, search: &Search, shard: ShardId, source: Source) {
    match source {
        Source::Walk => {}
        Source::Price => {
            let index = if search.category.is_some() { "products_category_price" } else { "products_price" };
            select.statement.push_str(&format!("SELECT 1 FROM products p INDEXED BY {index} WHERE"));
            filters(select, search, shard, None);
        }
        Source::Words => {
            let expression = match_expression(search, shard);
            select.push("SELECT rowid AS doc FROM product_words WHERE product_words MATCH ?", expression);
        }
        Source::Attribute => {
            let (key, value) = search.attributes.first().cloned().unwrap_or_default();
            select
                .push("SELECT product_id, zone FROM product_attributes WHERE shard = ?", i64::from(shard.0));
            select.push(" AND key = ?", key);
            select.push(" AND value = ?", value);
        }
    }
}

/// Sort value, id and zone of what fits, in order; name and attributes too if those are still to be looked at.
pub(super) fn select(search: &Search, shard: ShardId, source: Source, zone_mask: Option<i64>) -> Select {
    let (column, direction, beyond) = match search.sort {
        Sort::PriceUp => ("price", "ASC", ">"),
        Sort::PriceDown => ("price", "DESC", "<"),
        Sort::Newest => ("listed_at", "DESC", "<"),
    };
    let looked_at = search.q.is_some() || !search.attributes.is_empty();
    let more = if looked_at { ", p.name, p.attributes" } else { "" };
    let mut select = Select {
        statement: format!("SELECT p.{column}, p.product_id, p.zone{more} FROM "),
        params: Vec::new(),
    };
    match source {
        Source::Walk | Source::Price => {
            let index = index(search, source);
            select.statement.push_str(&format!("products p INDEXED BY {index} WHERE"));
        }
        Source::Words => {
            select.statement.push('(');
            candidates(&mut select, search, shard, source);
            select.statement.push_str(
                ") c JOIN product_docs d ON d.doc = c.doc CROSS JOIN products p \
                 ON p.product_id = d.product_id AND p.zone = d.zone WHERE",
            );
        }
        Source::Attribute => {
            select.statement.push('(');
            candidates(&mut select, search, shard, source);
            select.statement.push_str(
                ") c CROSS JOIN products p ON p.product_id = c.product_id AND p.zone = c.zone WHERE",
            );
        }
    }
    filters(&mut select, search, shard, zone_mask);
    if let Some(after) = search.after {
        select.push(&format!(" AND (p.{column}, p.product_id) {beyond} (?, "), after.value);
        select.push("?)", after.id.into_bytes().to_vec());
    }
    select.statement.push_str(&format!(" ORDER BY p.{column} {direction}, p.product_id {direction}"));
    select
}

/// The index to go along.
fn index(search: &Search, source: Source) -> &'static str {
    let by_price = source == Source::Price || search.sort != Sort::Newest;
    match (search.category.is_some(), by_price) {
        (true, true) => "products_category_price",
        (false, true) => "products_price",
        (true, false) => "products_category_listed",
        (false, false) => "products_listed",
    }
}

fn filters(select: &mut Select, search: &Search, shard: ShardId, zone_mask: Option<i64>) {
    // The shard stands in the text: one search steps the statements of several shards at once, and of equal texts
    // only one is kept prepared.
    select.statement.push_str(&format!(" p.shard = {} AND p.withdrawn = 0", shard.0));
    if let Some(category) = &search.category {
        select.push(" AND p.category = ?", category.as_str().to_owned());
    }
    if let Some(subcategory) = &search.subcategory {
        select.push(" AND p.subcategory = ?", subcategory.clone());
    }
    if let Some(min) = search.min_price {
        select.push(" AND p.price >= ?", min);
    }
    if let Some(max) = search.max_price {
        select.push(" AND p.price <= ?", max);
    }
    if let Some(mask) = zone_mask {
        select.push(" AND p.in_stock & ? != 0", mask);
    }
}

#[cfg(test)]
mod tests {
    use mworld_shop::{Category, Position};
    use rusqlite::Connection;
    use uuid::Uuid;

    use super::*;

    fn plan(select: &Select) -> String {
        let mut conn = Connection::open_in_memory().unwrap();
        let tx = conn.transaction().unwrap();
        crate::schema::upgrade(&tx, 0).unwrap();
        let mut statement = tx.prepare(&format!("EXPLAIN QUERY PLAN {}", select.statement)).unwrap();
        let params = rusqlite::params_from_iter(select.params.iter());
        let lines = statement.query_map(params, |row| row.get::<_, String>(3)).unwrap();
        lines.map(Result::unwrap).collect::<Vec<_>>().join("\n")
    }

    fn searches() -> Vec<Search> {
        let mut searches = Vec::new();
        for sort in [Sort::PriceUp, Sort::PriceDown, Sort::Newest] {
            for category in [None, Some(Category::new("audio").unwrap())] {
                for after in [None, Some(Position { value: 5, id: Uuid::nil() })] {
                    let category = category.clone();
                    searches.push(Search { sort, category, after, max_price: Some(9), ..Search::default() });
                }
            }
        }
        searches
    }

    #[test]
    fn a_walk_reads_only_its_index_and_needs_no_sorting() {
        for search in searches() {
            let plan = plan(&select(&search, ShardId(0), Source::Walk, Some(1)));
            assert!(plan.contains("COVERING INDEX"), "{search:?}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{search:?}: {plan}");
        }
    }

    #[test]
    fn a_selective_source_leads() {
        let q = Some("телефон сам".to_owned());
        let attributes = vec![("color".to_owned(), "red".to_owned())];
        let search = Search { q, attributes, ..Search::default() };
        let words = plan(&select(&search, ShardId(0), Source::Words, None));
        assert!(words.lines().next().unwrap().contains("product_words VIRTUAL TABLE"), "{words}");
        let attribute = plan(&select(&search, ShardId(0), Source::Attribute, None));
        assert!(attribute.starts_with("SEARCH product_attributes USING PRIMARY KEY"), "{attribute}");
        for plan in [words, attribute] {
            assert!(
                plan.contains("SEARCH p USING PRIMARY KEY (shard=? AND product_id=? AND zone=?)"),
                "{plan}"
            );
        }
    }
}
