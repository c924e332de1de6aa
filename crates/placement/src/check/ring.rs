//! The ring: how many copies there are, and what its tables are called.

use crate::entity::Entity;
use crate::layout::draft::Draft;
use crate::layout::findings::Findings;
use crate::layout::resolve::table_names;
use crate::layout::source::At;

/// Checks replication and table names.
pub(super) fn check(draft: &Draft, findings: &mut Findings) {
    replicas(draft, findings);
    names(draft, findings);
}

fn replicas(draft: &Draft, findings: &mut Findings) {
    for (data_centre, replicas) in &draft.ring.replication.value {
        match replicas.value {
            0 => findings.error(
                "no-replica",
                &replicas.at,
                format!("no replica in the data centre `{data_centre}`"),
                "nothing would be kept there",
                format!("write `{data_centre} = 3`, or leave the data centre out"),
            ),
            1 | 2 => findings.warn(
                "few-replicas",
                &replicas.at,
                format!("fewer than three replicas in the data centre `{data_centre}`"),
                "a quorum then needs all of them: one dead node stops reads and writes",
                format!("write `{data_centre} = 3`"),
            ),
            _ => {}
        }
    }
}

fn names(draft: &Draft, findings: &mut Findings) {
    let mut seen: Vec<(String, Entity, &At)> = Vec::new();
    for (entity, placed) in &draft.entities {
        let Some(on) = &placed.cassandra else { continue };
        let at = on.table.as_ref().map_or(&on.at, |table| &table.at);
        if let Some(table) = on.table.as_ref().filter(|table| !is_table_name(&table.value)) {
            findings.error(
                "bad-table-name",
                &table.at,
                "not a table's name",
                "letters a to z, digits and _, beginning with a letter, at most 48",
                "write a name such as \"user_sessions\"",
            );
        }
        for name in table_names(*entity, on) {
            if let Some((_, other, other_at)) = seen.iter().find(|(seen, _, _)| *seen == name) {
                let at = findings.own_of(at, other_at).clone();
                findings.error(
                    "table-twice",
                    &at,
                    format!("{entity} and {other} both lie in the table `{name}`"),
                    "each needs a table of its own",
                    "give one of them another `table`",
                );
            }
            seen.push((name, *entity, at));
        }
    }
}

/// Unquoted names are folded to lower case, and 48 is the server's limit.
fn is_table_name(name: &str) -> bool {
    let mut letters = name.bytes();
    letters.next().is_some_and(|first| first.is_ascii_lowercase())
        && letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
        && name.len() <= 48
}
