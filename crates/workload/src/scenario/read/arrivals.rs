//! `[arrivals]`: how many, how long, and how the load moves.

use std::time::Duration;

use super::super::CurvePoint;
use super::super::faults::Faults;
use super::super::item::Item;
use super::super::section::Section;

/// Longer runs are several runs.
const LONGEST: Duration = Duration::from_secs(86_400);

/// More than one machine can send.
const MOST_A_SECOND: f64 = 1_000_000.0;

/// Rate, duration, curve.
pub(super) fn read(
    mut section: Section<'_>,
    faults: &mut Faults,
) -> Option<(f64, Duration, Vec<CurvePoint>)> {
    let rate = section
        .need("rate", "`rate = 500`", faults)
        .and_then(|item| item.number(0.001..=MOST_A_SECOND, faults));
    let duration = section
        .need("duration", "`duration = \"60s\"`", faults)
        .and_then(|item| item.duration(LONGEST, faults));
    let curve = section.take("curve").map(|item| curve(&item, faults));
    section.finish(faults);
    Some((rate?, duration?, curve.unwrap_or_else(|| Some(Vec::new()))?))
}

/// Points `[percent of the time, load]`; only how the loads compare matters, because they are scaled to the rate.
fn curve(item: &Item<'_>, faults: &mut Faults) -> Option<Vec<CurvePoint>> {
    let rows = item.rows(faults)?;
    let mut points: Vec<CurvePoint> = Vec::new();
    let mut sound = true;
    // In percent, as it is written: a hundredth and back again is not the same number.
    let mut earliest = 0.0;
    for (at, row) in rows {
        let fault = match *row.as_slice() {
            [percent, _] if !(0.0..=100.0).contains(&percent) => {
                format!("the moment {percent} is not from 0 to 100")
            }
            [percent, _] if percent < earliest => format!("the moment {percent} comes after {earliest}"),
            [_, load] if !(0.0..=1e6).contains(&load) => format!("the load {load} is not from 0 to 1000000"),
            [percent, load] => {
                points.push(CurvePoint { at: percent / 100.0, load });
                earliest = percent;
                continue;
            }
            _ => "not two numbers".to_owned(),
        };
        sound = false;
        faults.add(
            "bad-point",
            &at,
            "a point that the curve cannot go through",
            fault,
            "write [percent of the time, load], in the order of time; the same moment twice makes a step",
        );
    }
    if sound && !points.is_empty() && area(&points) <= 0.0 {
        faults.add(
            "no-load",
            &item.at,
            "a curve without load",
            "nothing would ever arrive",
            "let the load stay above 0 for some time, or leave `curve` out for an even load",
        );
        return None;
    }
    sound.then_some(points)
}

/// What arrives under the curve, which is level before its first point and after its last.
fn area(points: &[CurvePoint]) -> f64 {
    let between: f64 =
        points.windows(2).map(|ends| (ends[1].at - ends[0].at) * (ends[0].load + ends[1].load) / 2.0).sum();
    let before = points.first().map_or(0.0, |first| first.at * first.load);
    let after = points.last().map_or(0.0, |last| (1.0 - last.at) * last.load);
    before + between + after
}
