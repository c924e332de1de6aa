//! The lines of a catalogue file, with their numbers.

use std::io::{self, BufRead, Read as _};

use super::line::{self, Line};

/// The longest line. The store takes bodies of 64 KiB unless its owner says otherwise; this only bounds our memory.
const LONGEST_LINE: u64 = 64 << 20;

/// One line on its way: its number, its length in the file, and the product unless it is blank.
pub(super) struct Numbered {
    pub(super) number: u64,
    pub(super) bytes: u64,
    pub(super) line: Option<Result<Line, String>>,
}

/// Reads line by line; never more than one of them is held.
pub(super) struct Lines<R> {
    reader: R,
    number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    /// From the beginning.
    pub(super) fn new(reader: R) -> Lines<R> {
        Lines { reader, number: 0, buffer: Vec::new() }
    }

    fn line(&self) -> Option<Result<Line, String>> {
        if self.buffer.len() as u64 == LONGEST_LINE {
            let limit = LONGEST_LINE >> 20;
            return Some(Err(format!(
                "the line is longer than {limit} MiB; is this a file with one product a line?"
            )));
        }
        match std::str::from_utf8(&self.buffer) {
            Ok(text) if text.trim().is_empty() => None,
            Ok(text) => Some(line::read(text.trim())),
            Err(error) => {
                Some(Err(format!("byte {} is no UTF-8; save the file as UTF-8", error.valid_up_to() + 1)))
            }
        }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Numbered>;

    fn next(&mut self) -> Option<Self::Item> {
        self.buffer.clear();
        self.number += 1;
        match (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut self.buffer) {
            Ok(0) => None,
            Ok(bytes) => Some(Ok(Numbered { number: self.number, bytes: bytes as u64, line: self.line() })),
            Err(error) => Some(Err(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_count_and_hold_nothing() {
        let text: &[u8] = b"\n  \n{\"id\":\"00000000-0000-4000-8000-000000000001\"}\n\xff\xfe\nlast";
        let lines: Vec<Numbered> = Lines::new(text).map(Result::unwrap).collect();
        assert_eq!(lines.iter().map(|line| line.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(lines.iter().map(|line| line.bytes).sum::<u64>(), text.len() as u64);
        assert!(lines[0].line.is_none() && lines[1].line.is_none());
        assert!(matches!(lines[2].line, Some(Ok(_))));
        assert!(matches!(&lines[3].line, Some(Err(reason)) if reason.contains("byte 1 is no UTF-8")));
        assert!(matches!(&lines[4].line, Some(Err(reason)) if reason.contains("`last` is no product")));
    }
}
