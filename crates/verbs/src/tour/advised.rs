//! The fourth part: advice on the demonstration program, and whether it was right.

use locktoll_results::advice::{AdviceResult, RemedyKind};
use locktoll_results::profile::{Lock, Profile};
use locktoll_results::tour::AppliedAdvice;

/// The lock whose blocking call the demonstration program can move out of the hold.
const LOCK: &str = "log_lock";

/// Whether the first remedy is the one that the demonstration program can apply.
pub fn is_applicable(advice: &AdviceResult) -> bool {
    advice.remedies.first().is_some_and(|it| {
        it.kind == RemedyKind::MoveCall && it.name.as_deref() == Some(LOCK) && it.gain.is_some()
    })
}

/// Compares the program before and after the remedy; `None` if either recording does not have the lock.
pub fn applied(advice: &AdviceResult, before: &Profile, after: &Profile) -> Option<AppliedAdvice> {
    Some(AppliedAdvice {
        name: LOCK.to_owned(),
        predicted: advice.remedies.first()?.gain?,
        before_per_second: per_second(before)?,
        after_per_second: per_second(after)?,
    })
}

fn per_second(profile: &Profile) -> Option<f64> {
    let is_it = |lock: &&Lock| lock.name.rsplit("::").next() == Some(LOCK);
    let acquisitions = profile.locks.iter().find(is_it)?.acquisitions?;
    Some(acquisitions as f64 / profile.duration_ns.max(1) as f64 * 1e9)
}
