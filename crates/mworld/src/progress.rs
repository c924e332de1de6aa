//! Progress of long work, on standard error: a bar at a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::output;

/// Work that is over before this needs no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a log without a terminal hears of it.
const EVERY: Duration = Duration::from_secs(5);

/// Work under way.
pub(crate) struct Progress {
    what: &'static str,
    unit: Unit,
    total: Option<u64>,
    done: u64,
    started: Instant,
    shown: Shown,
}

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Products,
    Bytes,
    Pages,
}

enum Shown {
    /// Too early.
    NotYet,
    Bar(ProgressBar),
    /// When the last line was written.
    Lines(Instant),
}

impl Progress {
    /// Begins; `total` if it is known.
    pub(crate) fn new(what: &'static str, unit: Unit, total: Option<u64>) -> Progress {
        Progress { what, unit, total, done: 0, started: Instant::now(), shown: Shown::NotYet }
    }

    /// So much is done of a total that is known only now.
    pub(crate) fn reach_of(&mut self, done: u64, total: u64) {
        self.total = Some(total);
        self.reach(done);
    }

    /// So much is done in all.
    pub(crate) fn reach(&mut self, done: u64) {
        self.done = done;
        match &mut self.shown {
            Shown::NotYet if self.started.elapsed() >= PATIENCE => self.show(),
            Shown::NotYet => {}
            Shown::Bar(bar) => bar.set_position(done),
            Shown::Lines(last) if last.elapsed() >= EVERY => {
                *last = Instant::now();
                output::notice(&self.line());
            }
            Shown::Lines(_) => {}
        }
    }

    /// Takes the bar away; what came of the work is the caller's to say.
    pub(crate) fn finish(self) {
        if let Shown::Bar(bar) = self.shown {
            bar.finish_and_clear();
        }
    }

    fn show(&mut self) {
        if !std::io::stderr().is_terminal() {
            output::notice(&self.line());
            self.shown = Shown::Lines(Instant::now());
            return;
        }
        let bar = match self.total {
            Some(total) => ProgressBar::new(total).with_style(style(self.unit.with_total())),
            None => ProgressBar::no_length().with_style(style(self.unit.without_total())),
        };
        let bar = bar.with_message(self.what).with_elapsed(self.started.elapsed());
        bar.set_position(self.done);
        self.shown = Shown::Bar(bar);
    }

    fn line(&self) -> String {
        let unit = self.unit.name();
        match self.total {
            Some(total) => {
                format!(
                    "{}: {} of {total} {unit} ({} %)\n",
                    self.what,
                    self.done,
                    self.done * 100 / total.max(1)
                )
            }
            None => format!("{}: {} {unit}\n", self.what, self.done),
        }
    }
}

impl Unit {
    const fn name(self) -> &'static str {
        match self {
            Unit::Products => "products",
            Unit::Bytes => "bytes",
            Unit::Pages => "pages",
        }
    }

    const fn with_total(self) -> &'static str {
        match self {
            Unit::Bytes => "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec} {eta}",
            Unit::Products | Unit::Pages => "{msg} {wide_bar} {human_pos}/{human_len} {per_sec} {eta}",
        }
    }

    const fn without_total(self) -> &'static str {
        match self {
            Unit::Bytes => "{msg} {spinner} {bytes} {bytes_per_sec}",
            Unit::Products | Unit::Pages => "{msg} {spinner} {human_pos} {per_sec}",
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates of this file are legal")
}
