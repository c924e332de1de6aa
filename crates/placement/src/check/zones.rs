//! Split points and zones.

use crate::domain::Domain;
use crate::key::{KeyField, Order};
use crate::layout::draft::{MongoDraft, PlacedZone};
use crate::layout::findings::Findings;
use crate::layout::place::{Use, place};
use crate::layout::source::Said;
use crate::value::Value;

/// Checks the split points and zones of one key.
pub(super) fn check(key: &[Said<KeyField>], on: &MongoDraft, domain: &Domain, findings: &mut Findings) {
    check_splits(key, on, findings);
    let mut zones = Vec::with_capacity(on.zones.len());
    for zone in &on.zones {
        let from = place(&zone.from, key, Use::Zone, findings);
        let to = place(&zone.to, key, Use::Zone, findings);
        if let (Some(from), Some(to)) = (from, to) {
            zones.push(PlacedZone { zone, from, to });
        }
    }
    zones.retain(|zone| not_empty(zone, findings));
    zones.sort_by(|a, b| a.from.cmp(&b.from));
    no_overlap(&zones, findings);
    same_shards(&zones, findings);
    without_shards(&zones, findings);
    if let Some(first) = key.first()
        && first.value.name == "geo_zone"
        && first.value.order == Order::Ranged
        && zones.len() == on.zones.len()
    {
        regions(&zones, on, domain, findings);
    }
}

fn check_splits(key: &[Said<KeyField>], on: &MongoDraft, findings: &mut Findings) {
    let mut seen: Vec<Vec<Value>> = Vec::new();
    for split in &on.splits {
        let Some(point) = place(split, key, Use::Split, findings) else { continue };
        if seen.contains(&point) {
            let why = "the range already ends there";
            findings.warn(
                "split-twice",
                &split.at,
                "the same split point twice",
                why,
                "leave one of them out",
            );
        }
        seen.push(point);
    }
}

fn not_empty(zone: &PlacedZone<'_>, findings: &mut Findings) -> bool {
    if zone.from < zone.to {
        return true;
    }
    let help = match zone.zone.from.value.len() {
        1 => "`to` is exclusive: for everything of msk write `from = [\"msk\"], to = [\"msk~\"]`",
        _ => "`to` is exclusive and must lie behind `from`",
    };
    let title = format!("the zone `{}` is empty", zone.zone.name.value);
    findings.error("zone-empty", &zone.zone.to.at, title, "not behind `from`", help);
    false
}

fn no_overlap(zones: &[PlacedZone<'_>], findings: &mut Findings) {
    // Sorted by their beginning; the one that reaches farthest so far is the one that a later one can meet.
    let mut farthest: Option<&PlacedZone<'_>> = None;
    for zone in zones {
        if let Some(before) = farthest.filter(|before| zone.from < before.to) {
            let (outer, inner) = (&before.zone.name.value, &zone.zone.name.value);
            // Underline what stands later in the file: it was added to what was fine before.
            let same_file = std::sync::Arc::ptr_eq(&before.zone.at.source, &zone.zone.at.source);
            let at = match same_file && before.zone.at.span.start > zone.zone.at.span.start {
                true => &before.zone.at,
                false => &zone.zone.at,
            };
            findings.error(
                "zones-overlap",
                at,
                format!("the zones `{outer}` and `{inner}` overlap"),
                "a key would belong to two zones, which MongoDB refuses",
                format!(
                    "cut `{outer}` into what lies before `{inner}`, `{inner}` itself, and what lies after it"
                ),
            );
        }
        if farthest.is_none_or(|before| before.to < zone.to) {
            farthest = Some(zone);
        }
    }
}

/// Ranges of the same name are one zone, which has its shards once.
fn same_shards(zones: &[PlacedZone<'_>], findings: &mut Findings) {
    for (i, zone) in zones.iter().enumerate() {
        let shards = |zone: &PlacedZone<'_>| zone.zone.shards.as_ref().map_or(1, |shards| shards.value);
        let name = &zone.zone.name;
        let other = zones[..i].iter().find(|earlier| earlier.zone.name.value == name.value);
        if let Some(other) = other.filter(|other| shards(other) != shards(zone)) {
            findings.error(
                "zone-shards-differ",
                &zone.zone.at,
                format!("the zone `{}` has {} shards and {} shards", name.value, shards(other), shards(zone)),
                "ranges of one name are one zone, with the same shards",
                "give both the same number, or give them names of their own",
            );
        }
    }
}

fn without_shards(zones: &[PlacedZone<'_>], findings: &mut Findings) {
    for zone in zones {
        if let Some(shards) = zone.zone.shards.as_ref().filter(|shards| shards.value == 0) {
            findings.warn(
                "zone-without-shard",
                &shards.at,
                format!("the zone `{}` has no shard", zone.zone.name.value),
                "its range spreads over all shards, as if there were no zone",
                "give it at least one: `shards = 1`",
            );
        }
    }
}

/// Compares zones that begin with a region to the regions that the store has.
fn regions(zones: &[PlacedZone<'_>], on: &MongoDraft, domain: &Domain, findings: &mut Findings) {
    let Some(first) = on.zones.first() else { return };
    let meets = |zone: &PlacedZone<'_>, region: &str| {
        let region = Value::from(region);
        zone.from < vec![region.clone(), Value::MaxKey] && zone.to > vec![region]
    };
    for region in &domain.zones {
        if !zones.iter().any(|zone| meets(zone, region)) {
            findings.warn(
                "region-without-zone",
                &first.at,
                format!("the region `{region}` has no zone"),
                "others have one; its records spread over all shards",
                format!(
                    "add `{{ name = \"{region}\", shards = 1, from = [\"{region}\"], to = [\"{region}~\"] }}`"
                ),
            );
        }
    }
    for zone in zones {
        if !domain.zones.iter().any(|region| meets(zone, region)) {
            findings.warn(
                "zone-without-region",
                &zone.zone.at,
                format!("the zone `{}` holds none of the store's regions", zone.zone.name.value),
                "its shards stay empty",
                format!("the regions are {}", domain.zones.join(", ")),
            );
        }
    }
}
