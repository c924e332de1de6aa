//! `[people]`: who comes.

use super::super::faults::Faults;
use super::super::section::Section;
use super::super::share::Share;
use super::super::{People, Wholesale};
use super::Said;

/// Set-up must be over in 20 s at 60 calls a second, and an account takes three calls: made, opened, logged in.
const MOST_ACCOUNTS: u32 = 300;

/// A cart's own limit on pieces of one product.
const MOST_PIECES: i64 = 999;

/// The people, and where the guests' share stands.
pub(in super::super) struct SaidPeople {
    pub(in super::super) people: People,
    pub(in super::super) guests: Said<Share>,
}

pub(super) fn read(mut section: Section<'_>, faults: &mut Faults) -> Option<SaidPeople> {
    let accounts = section
        .need("accounts", "`accounts = 200`", faults)
        .and_then(|item| item.count(1..=MOST_ACCOUNTS, faults));
    let skew = section.need("skew", "`skew = 0.6`", faults).and_then(|item| item.number(0.0..=3.0, faults));
    let guests = section
        .need("guests", "`guests = 30`", faults)
        .and_then(|item| Some(Said { value: item.share(faults)?, at: item.at }));
    let wholesale = section
        .take("wholesale")
        .map(|item| item.section(faults).and_then(|section| wholesale(section, accounts, faults)));
    section.finish(faults);
    let guests = guests?;
    let wholesale = wholesale.map_or(Some(None), |read| read.map(Some))?;
    let people = People { accounts: accounts?, skew: skew?, guests: guests.value, wholesale };
    Some(SaidPeople { people, guests })
}

fn wholesale(mut section: Section<'_>, all: Option<u32>, faults: &mut Faults) -> Option<Wholesale> {
    let accounts = section
        .need("accounts", "`accounts = 5`", faults)
        .and_then(|item| Some(Said { value: item.count(1..=MOST_ACCOUNTS, faults)?, at: item.at }));
    let purchases = section.need("purchases", "`purchases = 20`", faults).and_then(|item| item.share(faults));
    let quantity = section
        .need("quantity", "`quantity = [5, 40]`", faults)
        .and_then(|item| item.span(1..=MOST_PIECES, faults));
    section.finish(faults);
    if let (Some(accounts), Some(all)) = (&accounts, all)
        && accounts.value >= all
    {
        faults.add(
            "too-many-wholesale",
            &accounts.at,
            format!("{} of {all} accounts buy wholesale", accounts.value),
            "nobody is left to buy a single phone",
            "make more accounts, or fewer of them wholesale",
        );
    }
    // The range has been checked, so the numbers fit.
    let quantity = quantity?.map(|pieces| u32::try_from(pieces).unwrap_or(u32::MAX));
    Some(Wholesale { accounts: accounts?.value, purchases: purchases?, quantity })
}
