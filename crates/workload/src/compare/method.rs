//! Which test two reports allow, and its name.

use super::blocks::{self, Cut};
use super::estimate::Estimate;
use super::notices::same_schedule;
use super::rank_sum::rank_sum;
use super::signed_rank::signed_rank;
use super::subject::{Metric, Subject};
use super::whole;
use crate::report::{Figures, Report};

/// How two runs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Block by block: both followed one schedule.
    Pairs(Cut),
    /// Blocks of A against blocks of B.
    Blocks(Cut, Cut),
    /// Nothing but histograms is there.
    Histograms,
}

impl Method {
    /// The best that both reports allow.
    pub(super) fn of(a: &Report, b: &Report) -> Method {
        let (seconds_a, seconds_b) = (blocks::seconds(a), blocks::seconds(b));
        if a.timeline.is_empty() || b.timeline.is_empty() {
            Method::Histograms
        } else if same_schedule(a, b) {
            // One of them may have been ended early.
            Method::Pairs(Cut::of(seconds_a.min(seconds_b)))
        } else {
            Method::Blocks(Cut::of(seconds_a), Cut::of(seconds_b))
        }
    }

    /// Tests one difference; `None` if there is too little to say anything.
    pub(super) fn test(
        self,
        subject: &Subject<'_>,
        a: (&Report, &Figures),
        b: (&Report, &Figures),
    ) -> Option<Estimate> {
        match self {
            Method::Pairs(cut) => signed_rank(&differences(subject, a.0, b.0, cut)),
            Method::Blocks(cut_a, cut_b) => {
                rank_sum(&measured(subject, a.0, cut_a), &measured(subject, b.0, cut_b))
            }
            Method::Histograms => match subject.metric {
                Metric::Errors => whole::share((a.1.errors, a.1.count), (b.1.errors, b.1.count)),
                Metric::Throughput => None,
                Metric::P50 | Metric::P90 | Metric::P99 => {
                    whole::percentile(&a.1.histogram, &b.1.histogram, subject.metric.share()?)
                }
            },
        }
    }

    /// Its name, for people.
    pub(super) fn words(self, tests: usize) -> String {
        let how = match self {
            Method::Pairs(cut) => format!(
                "{} pairs of blocks of {} s, exact Wilcoxon signed-rank test{OF_WHAT}",
                cut.blocks, cut.block_s
            ),
            Method::Blocks(a, b) => format!(
                "{} blocks of {} s against {} of {} s, not paired because the schedules differ, Mann–Whitney \
                 rank-sum test{OF_WHAT}",
                a.blocks, a.block_s, b.blocks, b.block_s
            ),
            Method::Histograms => "whole histograms, because a report has no timeline: order statistics with \
                                   normal errors; it takes calls for independent, so it finds differences too easily"
                .to_owned(),
        };
        format!("{how}; 95 % intervals; verdicts hold together at 5 % (Holm, {tests} tests)")
    }
}

/// The values that blocks are compared by.
const OF_WHAT: &str = " of the mean logarithm of the percentiles of a block's seconds (those of few calls are their slowest), \
                       change by Hodges and Lehmann";

/// B less A, block by block.
fn differences(subject: &Subject<'_>, a: &Report, b: &Report, cut: Cut) -> Vec<f64> {
    let (a, b) = (blocks::values(a, subject, cut), blocks::values(b, subject, cut));
    a.into_iter().zip(b).filter_map(|(a, b)| Some(b? - a?)).collect()
}

/// The values of the blocks that have one; a rare operation has none in some.
fn measured(subject: &Subject<'_>, report: &Report, cut: Cut) -> Vec<f64> {
    blocks::values(report, subject, cut).into_iter().flatten().collect()
}
