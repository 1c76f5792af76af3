//! Each kind of finding, where it must speak and where it must be silent.

mod anything;
mod chains;
mod convoys;
mod herds;
mod made;
mod many;
mod preempted;
mod rates;

use locktoll_results::profile::timeline::{Finding, FindingKind, Timeline};

/// Returns the findings of one kind.
fn of_kind(timeline: &Timeline, kind: FindingKind) -> Vec<Finding> {
    let all = super::of(timeline).into_iter();
    all.filter(|it| it.kind == kind).collect()
}
