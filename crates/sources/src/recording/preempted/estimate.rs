//! An estimate of preempted holders from the recorder's own holds.

use crate::recording::holds::Holds;
use locktoll_results::profile::{HolderPreemption, PreemptionSource};

/// Returns the estimate from timed holds; `None` if they show nothing: none was long enough to ask the kernel about, and none was
/// many times as long as the others.
pub fn estimate(holds: &Holds) -> Option<HolderPreemption> {
    let held = holds.while_held();
    let (gaps, gap_ns) = holds.gaps();
    if held.examined == 0 && gaps == 0 {
        return None;
    }
    Some(HolderPreemption {
        source: PreemptionSource::Estimate,
        count: held.involuntary_switches.saturating_add(gaps),
        total_ns: holds.off_cpu_ns().saturating_add(gap_ns),
        max_ns: None,
        log2: None,
        yielded: None,
        blocked: None,
        stolen: None,
        waited_meanwhile_ns: None,
        share_of_wait: None,
        examined: Some(held.examined),
        sites: Vec::new(),
        waiters: Vec::new(),
    })
}
