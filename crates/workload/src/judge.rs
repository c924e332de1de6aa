//! Did the store keep its promises? From what was asked and answered, and from what was read after the end.
//!
//! The store serves many at once, so nobody knows in which order it carried things out; only that an answered call took
//! effect at some instant between its sending and its answer, that a call without an answer took effect at some
//! later instant or never, and that a refused one changed nothing. The judge accuses only where *no* order of the
//! instants explains what was seen: there is no false alarm, whatever was late, lost, cut off or asked again.
//!
//! It is a pure function: the evidence goes in, the verdict comes out. Each rule has a file of its own.

mod book;
mod cart;
mod carts;
mod findings;
mod history;
mod hold;
mod key_once;
mod keys;
mod merge;
mod order_kept;
mod order_once;
mod orders;
mod own_reads;
mod price;
mod register;
mod span;
mod status;
mod stock;
#[cfg(test)]
mod tests;
mod views;
mod words;

use mworld_shop::cart::MergePolicy;

use crate::record::Evidence;
use crate::report::Verdict;

use self::book::Book;
use self::carts::Carts;
use self::findings::Findings;

/// Judges a run.
pub fn judge(evidence: &Evidence) -> Verdict {
    let book = Book::open(evidence);
    let mut findings = Findings::default();
    stock::check(&book, &mut findings);
    order_kept::check(&book, &mut findings);
    order_once::check(&book, &mut findings);
    key_once::check(&book, &mut findings);
    own_reads::check_orders(&book, &mut findings);
    history::check(&book, &mut findings);
    status::check(&book, &mut findings);
    hold::check(&book, &mut findings);
    price::check(&book, &mut findings);
    findings.absorb(judge_carts(&book));
    findings.verdict()
}

/// How a guest's cart and a user's become one is the store's choice, and the driver is not told; but it is the same
/// choice all along. So the carts are right if one policy explains them all.
fn judge_carts(book: &Book<'_>) -> Findings {
    let mut best: Option<Findings> = None;
    for policy in [MergePolicy::Sum, MergePolicy::Max, MergePolicy::Guest, MergePolicy::User] {
        let carts = Carts::follow(book, policy);
        let mut findings = Findings::default();
        cart::check(book, &carts, &mut findings);
        own_reads::check_carts(book, &carts, &mut findings);
        order_kept::check_contents(book, &carts, &mut findings);
        if findings.broken() == 0 {
            return findings;
        }
        if best.as_ref().is_none_or(|best| findings.broken() < best.broken()) {
            best = Some(findings);
        }
    }
    best.unwrap_or_default()
}
