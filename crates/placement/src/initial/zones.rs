//! Zones: parts of the line of keys that live on shards of their own.

use super::bound;
use crate::key::ShardKey;
use crate::layout::model::ZoneRange;
use crate::range_map::ShardId;
use crate::value::Value;

/// One zone of a layout on a cluster of so many shards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ZonePlace {
    /// Its name.
    pub name: String,
    /// The shards that were dealt to it, ascending.
    pub shards: Vec<ShardId>,
    /// Its stretches of the line of keys: first full key inside, first beyond.
    pub stretches: Vec<(Vec<Value>, Vec<Value>)>,
}

/// Zones with the shards that were dealt to them.
pub(super) struct Zones {
    /// How many shards the zones ask for together.
    pub(super) wanted: u32,
    names: Vec<String>,
    pieces: Vec<Piece>,
    /// Each zone's shards.
    shards: Vec<Vec<ShardId>>,
    /// All shards: for what lies in no zone.
    everywhere: Vec<ShardId>,
}

/// One stretch of a zone. A zone may have several: to give a part of it other shards, it is cut in three.
struct Piece {
    zone: usize,
    from: Vec<Value>,
    to: Vec<Value>,
    widths: [usize; 2],
}

impl Zones {
    /// Deals shards to zones in the layout's order, as many as each asks for, beginning again with the first shard
    /// when there are no more. Stretches of the same name are one zone.
    pub(super) fn deal(key: &ShardKey, ranges: &[ZoneRange], shards: u32) -> Zones {
        let mut names: Vec<&str> = Vec::new();
        let mut dealt: Vec<Vec<ShardId>> = Vec::new();
        let mut pieces = Vec::new();
        let mut wanted = 0;
        for range in ranges {
            let zone = names.iter().position(|name| *name == range.name).unwrap_or_else(|| {
                let count = range.shards.max(1);
                let mut own: Vec<ShardId> =
                    (0..count.min(shards)).map(|n| ShardId((wanted % shards + n) % shards)).collect();
                own.sort_unstable();
                wanted = count.saturating_add(wanted);
                names.push(&range.name);
                dealt.push(own);
                names.len() - 1
            });
            let (from, to) = (bound(key, &range.from), bound(key, &range.to));
            pieces.push(Piece { zone, from, to, widths: [range.from.len(), range.to.len()] });
        }
        let names = names.into_iter().map(str::to_owned).collect();
        Zones { wanted, names, pieces, shards: dealt, everywhere: (0..shards).map(ShardId).collect() }
    }

    /// The zones as a cluster has to be told of them.
    pub(super) fn places(self) -> Vec<ZonePlace> {
        let place = |(zone, (name, shards))| {
            let own = self.pieces.iter().filter(|piece| piece.zone == zone);
            let stretches = own.map(|piece| (piece.from.clone(), piece.to.clone())).collect();
            ZonePlace { name, shards, stretches }
        };
        self.names.into_iter().zip(self.shards).enumerate().map(place).collect()
    }

    /// The zone in which the range that begins there lies. Ranges never cross a zone's bounds, because those are cut.
    pub(super) fn zone_at(&self, min: &[Value]) -> Option<usize> {
        let holds = |piece: &&Piece| piece.from[..] <= *min && *min < piece.to[..];
        self.pieces.iter().find(holds).map(|piece| piece.zone)
    }

    /// The shards among which ranges of a zone (or of none) are dealt.
    pub(super) fn shards_of(&self, zone: Option<usize>) -> &[ShardId] {
        zone.map_or(&self.everywhere, |zone| &self.shards[zone])
    }

    /// How many shards there are for the range that begins there.
    pub(super) fn shards_at(&self, min: &[Value]) -> u32 {
        let count = self.shards_of(self.zone_at(min)).len();
        u32::try_from(count).expect("there are no more shards than a u32 counts")
    }

    /// Every bound, with the number of fields that the layout gave for it.
    pub(super) fn bounds(&self) -> impl Iterator<Item = (&Vec<Value>, usize)> {
        self.pieces.iter().flat_map(|piece| [(&piece.from, piece.widths[0]), (&piece.to, piece.widths[1])])
    }
}
