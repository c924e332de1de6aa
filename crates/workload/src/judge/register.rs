//! A value that is written and read by calls that take time: which values can a read have found?
//!
//! Nobody knows the instant at which a call took effect, only a span that holds it. A read may show the value of any
//! write that began before the read was over, unless another write surely lies between the two: it began after
//! the first was over, and was over before the read began. That is necessary for every order of the calls that an
//! honest store can have chosen, so whatever fails it is a lie; and it takes no search.

use crate::record::Micros;

use super::span::Span;

/// What a write can have left behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Values {
    /// One of these.
    OneOf(Vec<i64>),
    /// Too many possibilities to tell.
    Any,
}

/// A write.
#[derive(Debug, Clone)]
pub(super) struct Write {
    /// When it happened.
    pub(super) span: Span,
    /// Whether it surely happened, and surely replaced what was there.
    pub(super) sure: bool,
    /// What it left.
    pub(super) values: Values,
    /// The call that did it; none for what was there at the beginning.
    pub(super) call: Option<usize>,
}

/// All writes of one value, ready to be asked.
#[derive(Debug)]
pub(super) struct Register {
    writes: Vec<Write>,
    /// By value (`None` = any), then by beginning: with how late the writes up to here may still have happened.
    index: Vec<Entry>,
    /// Sure writes by their end, with the one up to here that began last.
    replaced: Vec<Replaced>,
}

#[derive(Debug)]
struct Entry {
    value: Option<i64>,
    from: Micros,
    /// The write that may have happened last, and when.
    latest: (Micros, usize),
    /// The same without that one.
    second: Option<Micros>,
}

#[derive(Debug)]
struct Replaced {
    by: Micros,
    began_last: (Micros, usize),
}

impl Register {
    /// A register with these writes.
    pub(super) fn new(writes: Vec<Write>) -> Register {
        let mut register = Register { writes, index: Vec::new(), replaced: Vec::new() };
        register.index = index(&register.writes);
        register.replaced = replaced(&register.writes);
        register
    }

    /// The last sure write that was over before this moment: whatever was over before *it* began is gone.
    pub(super) fn last_before(&self, moment: Micros) -> Option<&Write> {
        let over = self.replaced.partition_point(|write| write.by < moment);
        self.replaced[..over].last().map(|write| &self.writes[write.began_last.1])
    }

    /// Whether a read in this span can have found this value.
    pub(super) fn can_show(&self, value: i64, read: Span) -> bool {
        self.can_show_after(value, read, 0, None)
    }

    /// The same, for a read that knows more: nothing from before `floor` is left, and what the call `except` wrote is
    /// not what was read.
    pub(super) fn can_show_after(
        &self,
        value: i64,
        read: Span,
        floor: Micros,
        except: Option<usize>,
    ) -> bool {
        let gone = self.last_before(read.from).map_or(0, |write| write.span.from).max(floor);
        let shows = |value: Option<i64>| {
            let until = self.index.partition_point(|entry| (entry.value, entry.from) <= (value, read.by));
            let Some(entry) = self.index[..until].last().filter(|entry| entry.value == value) else {
                return false;
            };
            let (latest, of) = entry.latest;
            let excepted = except.is_some() && self.writes[of].call == except;
            let latest = if excepted { entry.second } else { Some(latest) };
            latest.is_some_and(|latest| latest >= gone)
        };
        shows(Some(value)) || shows(None)
    }

    /// Whether the value had been written at all by then, however long ago.
    pub(super) fn was_ever(&self, value: i64, by: Micros) -> bool {
        self.can_show(value, Span { from: 0, by })
    }

    /// Every write that a read in this span may have found.
    pub(super) fn visible(&self, read: Span) -> impl Iterator<Item = &Write> {
        visible(&self.writes, read).map(|at| &self.writes[at])
    }
}

/// The places of the writes that a read in this span may have found.
pub(super) fn visible(writes: &[Write], read: Span) -> impl Iterator<Item = usize> {
    let over = writes.iter().filter(|write| write.sure && write.span.surely_before(read));
    let gone = over.map(|write| write.span.from).max().unwrap_or(0);
    let seen = move |write: &Write| write.span.from <= read.by && write.span.by >= gone;
    writes.iter().enumerate().filter(move |(_, write)| seen(write)).map(|(at, _)| at)
}

fn index(writes: &[Write]) -> Vec<Entry> {
    let mut flat: Vec<(Option<i64>, Micros, usize)> = Vec::with_capacity(writes.len());
    for (at, write) in writes.iter().enumerate() {
        match &write.values {
            Values::OneOf(values) => {
                flat.extend(values.iter().map(|value| (Some(*value), write.span.from, at)));
            }
            Values::Any => flat.push((None, write.span.from, at)),
        }
    }
    flat.sort_unstable();
    let mut index: Vec<Entry> = Vec::with_capacity(flat.len());
    for (value, from, at) in flat {
        let by = writes[at].span.by;
        let before = index.last().filter(|entry| entry.value == value);
        let (latest, second) = match before {
            None => ((by, at), None),
            Some(entry) if by > entry.latest.0 => ((by, at), Some(entry.latest.0)),
            Some(entry) => (entry.latest, entry.second.max(Some(by))),
        };
        index.push(Entry { value, from, latest, second });
    }
    index
}

fn replaced(writes: &[Write]) -> Vec<Replaced> {
    let sure = writes.iter().enumerate().filter(|(_, write)| write.sure);
    let mut sure: Vec<(Micros, Micros, usize)> =
        sure.map(|(at, write)| (write.span.by, write.span.from, at)).collect();
    sure.sort_unstable();
    let mut replaced: Vec<Replaced> = Vec::with_capacity(sure.len());
    for (by, from, at) in sure {
        let began_last = replaced.last().map_or((from, at), |before| before.began_last.max((from, at)));
        replaced.push(Replaced { by, began_last });
    }
    replaced
}
