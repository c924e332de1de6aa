//! What one check found.

use std::fmt;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Good,
    /// Works, but will hurt some day.
    Doubtful,
    Wrong,
}

/// One line of the doctor's report.
#[derive(Debug)]
pub(super) struct Finding {
    verdict: Verdict,
    what: String,
    mend: Option<String>,
}

impl Finding {
    /// As it should be.
    pub(super) fn good(what: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Good, what: what.into(), mend: None }
    }

    /// Not wrong, and not as it should be.
    pub(super) fn doubtful(what: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Doubtful, what: what.into(), mend: Some(mend.into()) }
    }

    /// A store would not run, or not run well.
    pub(super) fn wrong(what: impl Into<String>, mend: impl Into<String>) -> Finding {
        Finding { verdict: Verdict::Wrong, what: what.into(), mend: Some(mend.into()) }
    }

    pub(super) fn verdict(&self) -> Verdict {
        self.verdict
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Good => '✓',
            Verdict::Doubtful => '!',
            Verdict::Wrong => '✗',
        };
        writeln!(f, "{mark} {}", self.what)?;
        for line in self.mend.iter().flat_map(|mend| mend.lines()) {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}
