//! Busy waiting of the chosen program between two moments.

use locktoll_results::profile::Lock;
use locktoll_results::top::Spun;
use locktoll_sources::spun::{Report, charged, since};

use super::SpunReading;

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
