//! Busy waiting of the chosen program between two moments.

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::{Lock, Spinning};
use locktoll_sources::spun::{Report, charged, since};
use serde::Serialize;

use super::SpunReading;

/// CPU time in loops that wait.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Spun {
    /// The time to which the figures refer, nanoseconds.
    pub spin_window_ns: u64,
    /// The CPU time of all threads outside of locks that are known, nanoseconds; `None` if busy waiting is not seen.
    pub spin_cpu_ns: Option<Estimate>,
    /// By place and word, by CPU time. Rows without a sample are left out.
    pub spinning: Vec<Spinning>,
    /// The samples of the program in that time.
    #[serde(skip)]
    pub samples: u64,
}

/// Returns what happened between the two readings, and what is known since watching began.
pub fn between(
    before: Option<&SpunReading>,
    after: Option<&SpunReading>,
    locks: &[Lock],
) -> (Spun, Spun) {
    let Some(after) = after else {
        return Default::default();
    };
    let watched_ns = after.at_ns.saturating_sub(after.began_ns);
    let whole = of(after.report.as_ref().clone(), locks, watched_ns);
    let last = before.map(|before| {
        let window_ns = after.at_ns.saturating_sub(before.at_ns);
        of(since(&before.report, &after.report), locks, window_ns)
    });
    (last.unwrap_or_default(), whole)
}

fn of(report: Report, locks: &[Lock], window_ns: u64) -> Spun {
    let samples = report.samples.samples;
    let charged = charged(locks, report);
    Spun {
        spin_window_ns: window_ns,
        spin_cpu_ns: Some(charged.spin_cpu_ns),
        spinning: charged.spinning,
        samples,
    }
}
