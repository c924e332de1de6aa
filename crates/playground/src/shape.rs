//! How large a MongoDB cluster is: `2x3` is two shards of three members.

use std::fmt;
use std::str::FromStr;

use crate::error::{PlaygroundError, wrong_input};

/// Beyond this a laptop is the bottleneck, and nothing is learnt that four shards would not show.
const MOST_SHARDS: u8 = 8;

/// Five members survive two losses; more only cost memory.
const MOST_MEMBERS: u8 = 5;

/// Shards and members of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Shape {
    shards: u8,
    members: u8,
}

impl Shape {
    /// So many shards of so many members.
    pub fn new(shards: u8, members: u8) -> Result<Shape, PlaygroundError> {
        if (1..=MOST_SHARDS).contains(&shards) && (1..=MOST_MEMBERS).contains(&members) {
            Ok(Shape { shards, members })
        } else {
            Err(refused(&format!("{shards}x{members}")))
        }
    }

    /// How many shards.
    #[must_use]
    pub fn shards(self) -> u8 {
        self.shards
    }

    /// How many members each shard has.
    #[must_use]
    pub fn members(self) -> u8 {
        self.members
    }
}

impl FromStr for Shape {
    type Err = PlaygroundError;

    fn from_str(text: &str) -> Result<Shape, PlaygroundError> {
        let (shards, members) = text.split_once('x').ok_or_else(|| refused(text))?;
        match (number(shards), number(members)) {
            (Some(shards), Some(members)) => Shape::new(shards, members).map_err(|_| refused(text)),
            _ => Err(refused(text)),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.shards, self.members)
    }
}

/// Digits only: the parser of numbers would take a plus sign too.
fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn refused(text: &str) -> PlaygroundError {
    wrong_input(format!(
        "\"{text}\" is no shape of a cluster: write SHARDSxMEMBERS with 1 to {MOST_SHARDS} shards of 1 to {MOST_MEMBERS} \
         members, such as 2x1 or 2x3"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_reads_back_as_it_is_written() {
        for text in ["1x1", "2x3", "8x5"] {
            assert_eq!(text.parse::<Shape>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_shape_is_refused_with_the_limits() {
        for text in
            ["", "2", "2x", "x3", "0x1", "1x0", "9x1", "1x6", "99x9", "2X3", "+2x3", "2x3x1", "300x1", "два"]
        {
            let refused = text.parse::<Shape>().unwrap_err().to_string();
            assert!(refused.contains(&format!("\"{text}\"")), "{refused}");
            assert!(refused.contains("1 to 8 shards of 1 to 5 members"), "{refused}");
        }
    }
}
