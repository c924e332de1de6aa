//! An explanation as a table for people.

use std::fmt;

use super::{Explanation, Reach, Row};

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "layout {} on {}\n", self.layout, counted(self.shards as usize, "shard"))?;
        let rows: Vec<[String; 5]> = self.operations.iter().map(cells).collect();
        let widths = widths(&rows);
        let mut operation = "";
        write_line(f, &HEADINGS.map(str::to_owned), &widths)?;
        for (row, mut cells) in self.operations.iter().zip(rows) {
            // A name is written once, so that the eye finds where an operation begins.
            if row.op == operation {
                cells[0].clear();
            }
            operation = row.op;
            write_line(f, &cells, &widths)?;
        }
        writeln!(f)?;
        for checkout in &self.checkouts {
            let (items, shards) =
                (counted(checkout.items, "item"), span(checkout.shards_min, checkout.shards_max));
            let noun = if checkout.shards_max == 1 { "shard" } else { "shards" };
            writeln!(f, "a checkout of {items} spans {shards} {noun}")?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        Ok(())
    }
}

const HEADINGS: [&str; 5] = ["operation", "entity", "route", "shards", "why"];

fn cells(row: &Row) -> [String; 5] {
    let route = match row.route {
        Reach::One => "one",
        Reach::Some => "some",
        Reach::All => "all",
    };
    let shards = span(row.shards_min, row.shards_max);
    [row.op.to_owned(), row.entity.to_owned(), route.to_owned(), shards, row.why.clone()]
}

fn widths(rows: &[[String; 5]]) -> [usize; 5] {
    let mut widths = HEADINGS.map(str::len);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    // The last column ends the line, so padding it would only add blanks.
    widths[4] = 0;
    widths
}

fn write_line(f: &mut fmt::Formatter<'_>, cells: &[String; 5], widths: &[usize; 5]) -> fmt::Result {
    for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let gap = if at == 0 { "" } else { "  " };
        write!(f, "{gap}{cell:<width$}")?;
    }
    writeln!(f)
}

fn span(min: usize, max: usize) -> String {
    if min == max { min.to_string() } else { format!("{min}..{max}") }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
