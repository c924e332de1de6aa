//! What the judge has found so far.

use std::collections::BTreeMap;

use crate::record::Call;
use crate::report::{Verdict, Violation};

/// How many violations of one rule are told in full: a store that breaks a promise everywhere needs no longer list.
const TOLD_PER_RULE: usize = 100;

/// A promise of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rule {
    Stock,
    OrderKept,
    OrderOnce,
    KeyOnce,
    OwnReads,
    Cart,
    History,
    Status,
    Price,
}

impl Rule {
    const ALL: [Rule; 9] = [
        Rule::Stock,
        Rule::OrderKept,
        Rule::OrderOnce,
        Rule::KeyOnce,
        Rule::OwnReads,
        Rule::Cart,
        Rule::History,
        Rule::Status,
        Rule::Price,
    ];

    /// The stable name.
    const fn name(self) -> &'static str {
        match self {
            Rule::Stock => "stock",
            Rule::OrderKept => "order-kept",
            Rule::OrderOnce => "order-once",
            Rule::KeyOnce => "key-once",
            Rule::OwnReads => "own-reads",
            Rule::Cart => "cart",
            Rule::History => "history",
            Rule::Status => "status",
            Rule::Price => "price",
        }
    }
}

/// Facts counted and promises found broken.
#[derive(Debug, Default)]
pub(super) struct Findings {
    checked: BTreeMap<Rule, u64>,
    broken: BTreeMap<Rule, u64>,
    violations: Vec<(Rule, Violation)>,
}

impl Findings {
    /// One more fact was looked at.
    pub(super) fn checked(&mut self, rule: Rule) {
        *self.checked.entry(rule).or_default() += 1;
    }

    /// A promise was broken, as these calls show.
    pub(super) fn accuse<'a>(
        &mut self,
        rule: Rule,
        shown_by: impl IntoIterator<Item = &'a Call>,
        detail: String,
    ) {
        let broken = self.broken.entry(rule).or_default();
        *broken += 1;
        if *broken <= TOLD_PER_RULE as u64 {
            let mut operations: Vec<u64> = shown_by.into_iter().filter_map(|call| call.n).collect();
            operations.sort_unstable();
            operations.dedup();
            self.violations.push((rule, Violation { rule: rule.name().to_owned(), operations, detail }));
        }
    }

    /// How many promises were found broken.
    pub(super) fn broken(&self) -> u64 {
        self.broken.values().sum()
    }

    /// Takes over what was found elsewhere.
    pub(super) fn absorb(&mut self, other: Findings) {
        for (rule, count) in other.checked {
            *self.checked.entry(rule).or_default() += count;
        }
        for (rule, count) in other.broken {
            *self.broken.entry(rule).or_default() += count;
        }
        self.violations.extend(other.violations);
    }

    /// The end of it.
    pub(super) fn verdict(mut self) -> Verdict {
        self.violations.sort_by(|(a, x), (b, y)| (a, &x.operations).cmp(&(b, &y.operations)));
        let mut violations: Vec<Violation> = Vec::with_capacity(self.violations.len());
        for rule in Rule::ALL {
            let of_rule = self.violations.iter().filter(|(of, _)| *of == rule).map(|(_, told)| told.clone());
            let before = violations.len();
            violations.extend(of_rule);
            let untold = self.broken.get(&rule).copied().unwrap_or(0) - (violations.len() - before) as u64;
            if untold > 0 {
                let detail = format!("{untold} more violations of this rule are not told here");
                violations.push(Violation { rule: rule.name().to_owned(), operations: Vec::new(), detail });
            }
        }
        let of = |rule: Rule| (rule.name().to_owned(), self.checked.get(&rule).copied().unwrap_or(0));
        let rules: BTreeMap<String, u64> = Rule::ALL.into_iter().map(of).collect();
        Verdict { ok: violations.is_empty(), checked: rules.values().sum(), violations, rules }
    }
}
