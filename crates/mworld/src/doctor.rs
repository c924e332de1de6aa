//! `mworld doctor`: what is missing or wrong with a set-up, and how to mend it.

mod checks;
#[cfg(feature = "mongo")]
mod cluster;
mod finding;
mod machine;
mod store;

use crate::config::Flags;
use crate::failure::{Failure, Outcome};
use crate::output;

use self::finding::Verdict;

/// Runs every check, tells what each found, and fails if something is wrong.
pub(crate) fn run(flags: &Flags) -> Outcome {
    let findings = checks::all(flags);
    let mut text: String = findings.iter().map(ToString::to_string).collect();
    let wrong = findings.iter().filter(|finding| finding.verdict() == Verdict::Wrong).count();
    text.push_str(&match wrong {
        0 => "\nnothing is wrong\n".to_owned(),
        1 => "\n1 thing is wrong\n".to_owned(),
        _ => format!("\n{wrong} things are wrong\n"),
    });
    output::result(&text);
    if wrong == 0 { Ok(()) } else { Err(Failure::BadVerdict) }
}
