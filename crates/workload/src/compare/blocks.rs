//! A run cut into blocks of time, and one value from each.
//!
//! Calls of one second share its weather: a stalled disk slows all of them. So a thousand calls are not a thousand
//! witnesses: a block of seconds is taken for one.

use crate::report::{Report, Second, SecondOf};

use super::subject::{Metric, Subject};

/// About how many blocks a run is cut into. Fewer could not be told from chance among dozens of comparisons. More would be
/// shorter than the weather of a machine lasts: in simulated runs of a minute, with weather of which half carries over from
/// each second to the next, equal runs are accused in 4 of 100 comparisons with 15 blocks and in 13 with blocks of a second.
const BLOCKS: u64 = 16;

/// How the time is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cut {
    /// Seconds in a block.
    pub(super) block_s: u64,
    /// Whole blocks.
    pub(super) blocks: u64,
}

impl Cut {
    /// Cuts so many seconds.
    pub(super) fn of(seconds: u64) -> Cut {
        let block_s = ((seconds + BLOCKS / 2) / BLOCKS).max(1);
        Cut { block_s, blocks: seconds / block_s }
    }
}

/// Seconds of a run in which something was due. What comes later is only the wait for the last answers.
pub(super) fn seconds(report: &Report) -> u64 {
    let due = report.timeline.iter().filter(|second| second.due > 0);
    due.map(|second| second.at + 1).max().unwrap_or(0)
}

/// One value from each block; none where nothing was measured.
pub(super) fn values(report: &Report, subject: &Subject<'_>, cut: Cut) -> Vec<Option<f64>> {
    let mut blocks = vec![Vec::new(); cut.blocks as usize];
    for second in &report.timeline {
        if let Some(block) = blocks.get_mut((second.at / cut.block_s) as usize) {
            block.push(second);
        }
    }
    blocks.iter().map(|block| value(block, subject, cut.block_s)).collect()
}

fn value(block: &[&Second], subject: &Subject<'_>, block_s: u64) -> Option<f64> {
    let parts: Vec<&SecondOf> = block.iter().filter_map(|second| subject.part_of(second)).collect();
    let answered: u64 = parts.iter().map(|part| part.count).sum();
    let errors: u64 = parts.iter().map(|part| part.errors).sum();
    match subject.metric {
        Metric::P50 => mean_logarithm(&parts, |part| part.p50_ms),
        Metric::P90 => mean_logarithm(&parts, |part| part.p90_ms),
        Metric::P99 => mean_logarithm(&parts, |part| part.p99_ms),
        Metric::Errors => (answered + errors > 0).then(|| errors as f64 / (answered + errors) as f64),
        Metric::Throughput => {
            let answers = match subject.operation {
                Some(_) => answered,
                None => block.iter().map(|second| second.completed).sum(),
            };
            // Half an answer where there was none: a logarithm of zero would outweigh everything.
            (answered + errors > 0).then(|| ((answers as f64).max(0.5) / block_s as f64).ln())
        }
    }
}

/// The mean of the seconds' logarithms, each second weighing as much as it had answers.
///
/// Logarithms, because latencies differ by factors: from 1 ms to 2 ms is as far as from 100 ms to 200 ms.
fn mean_logarithm(parts: &[&SecondOf], percentile_ms: impl Fn(&SecondOf) -> f64) -> Option<f64> {
    let answered: u64 = parts.iter().map(|part| part.count).sum();
    // A clock of microseconds shows nothing below a thousandth.
    let logarithms = parts.iter().map(|part| part.count as f64 * percentile_ms(part).max(0.001).ln());
    (answered > 0).then(|| logarithms.sum::<f64>() / answered as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_cut_into_whole_blocks() {
        assert_eq!(Cut::of(0), Cut { block_s: 1, blocks: 0 });
        assert_eq!(Cut::of(20), Cut { block_s: 1, blocks: 20 });
        assert_eq!(Cut::of(60), Cut { block_s: 4, blocks: 15 });
        assert_eq!(Cut::of(600), Cut { block_s: 38, blocks: 15 });
        for seconds in 12..5_000 {
            let cut = Cut::of(seconds);
            assert!(
                (12..24).contains(&cut.blocks) && cut.blocks * cut.block_s <= seconds,
                "{seconds}: {cut:?}"
            );
        }
    }
}
