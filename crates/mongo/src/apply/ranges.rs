//! What has to be cut and moved so that ranges lie as they are wanted.

use mworld_placement::{RangeMap, ShardId, Value};

/// One change of a collection's ranges.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Change {
    /// A range shall begin there.
    Split { at: Vec<Value> },
    /// What lies between these bounds, one range by now, shall lie on that shard. `None`: to the end of the line.
    Move { min: Vec<Value>, max: Option<Vec<Value>>, to: ShardId },
}

/// The changes that lead from the ranges that are there to those that are wanted, the cuts first. A cut that is there and
/// not wanted stays: it costs nothing, and somebody may have had a reason for it.
pub(super) fn changes(there: &RangeMap, wanted: &RangeMap) -> Vec<Change> {
    let mut cut = there.clone();
    let mut changes = Vec::new();
    for range in wanted.ranges() {
        if cut.ranges().binary_search_by(|there| there.min.cmp(&range.min)).is_err() {
            cut.split_at(range.min.clone()).expect("both maps are of one key");
            changes.push(Change::Split { at: range.min.clone() });
        }
    }
    for (place, range) in cut.ranges().iter().enumerate() {
        let home = wanted.ranges().partition_point(|wanted| wanted.min <= range.min).saturating_sub(1);
        let to = wanted.ranges()[home].shard;
        if range.shard != to {
            let max = cut.ranges().get(place + 1).map(|next| next.min.clone());
            changes.push(Change::Move { min: range.min.clone(), max, to });
        }
    }
    changes
}

/// How many of them are moves.
pub(super) fn moves(changes: &[Change]) -> usize {
    changes.iter().filter(|change| matches!(change, Change::Move { .. })).count()
}

#[cfg(test)]
mod tests {
    use mworld_placement::{Range, ShardKey};

    use super::*;

    fn map(ranges: &[(i64, u32)]) -> RangeMap {
        let range = |(at, (min, shard)): (usize, &(i64, u32))| Range {
            min: vec![if at == 0 { Value::MinKey } else { Value::Int(*min) }],
            shard: ShardId(*shard),
        };
        RangeMap::from_parts(ShardKey::hashed("k"), ranges.iter().enumerate().map(range).collect()).unwrap()
    }

    #[test]
    fn nothing_is_to_be_done_where_all_is_well() {
        let wanted = map(&[(0, 0), (5, 1)]);
        assert_eq!(changes(&wanted, &wanted), []);
        assert_eq!(changes(&map(&[(0, 0), (3, 0), (5, 1), (9, 1)]), &wanted), [], "finer cuts stay");
    }

    #[test]
    fn what_lies_elsewhere_is_cut_out_and_moved() {
        let changes = changes(&map(&[(0, 0)]), &map(&[(0, 0), (5, 1), (9, 0)]));
        let at = |value| vec![Value::Int(value)];
        assert_eq!(
            changes,
            [
                Change::Split { at: at(5) },
                Change::Split { at: at(9) },
                Change::Move { min: at(5), max: Some(at(9)), to: ShardId(1) },
            ]
        );
        assert_eq!(moves(&changes), 1);
    }

    #[test]
    fn each_piece_of_a_finer_range_is_moved_by_itself() {
        let changes = changes(&map(&[(0, 0), (5, 0), (7, 0)]), &map(&[(0, 0), (5, 1)]));
        let at = |value| vec![Value::Int(value)];
        assert_eq!(
            changes,
            [
                Change::Move { min: at(5), max: Some(at(7)), to: ShardId(1) },
                Change::Move { min: at(7), max: None, to: ShardId(1) },
            ]
        );
    }
}
