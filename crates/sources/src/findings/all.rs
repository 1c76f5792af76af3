//! Every finding of a timeline.

use std::cmp::Reverse;

use super::scene::Scene;
use super::{burst, chain, convoy, herd, inversion, worst_second};
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Finding, FindingKind, Timeline};

/// The most findings of one kind.
const OF_A_KIND: usize = 3;

/// Adds the findings to the timeline of a profile, if it has one.
pub fn add(profile: &mut Profile) {
    if let Some(timeline) = profile.timeline.as_deref_mut() {
        timeline.findings = of(timeline);
    }
}

/// Returns what the timeline shows; findings with the most waiting first. The timeline must be sound.
#[must_use]
pub fn of(timeline: &Timeline) -> Vec<Finding> {
    let scene = Scene::of(timeline);
    let mut all = Vec::new();
    for find in [
        convoy::find,
        burst::find,
        worst_second::find,
        chain::find,
        inversion::find,
        herd::find,
    ] {
        let mut found = find(&scene);
        found.sort_by_key(|it| (Reverse(it.wait_ns), it.begin_ns, it.lock));
        found.truncate(OF_A_KIND);
        all.extend(found);
    }
    leave_out_seconds_with_bursts(&mut all);
    all.sort_by_key(|it| (Reverse(it.wait_ns), it.kind, it.begin_ns, it.lock));
    all
}

/// A burst says more than the worst second in which it lies.
fn leave_out_seconds_with_bursts(all: &mut Vec<Finding>) {
    let bursts: Vec<Finding> = all
        .iter()
        .filter(|it| it.kind == FindingKind::Burst)
        .cloned()
        .collect();
    all.retain(|it| {
        let overlaps = |burst: &Finding| {
            burst.lock == it.lock && burst.begin_ns < it.end_ns && it.begin_ns < burst.end_ns
        };
        it.kind != FindingKind::WorstSecond || !bursts.iter().any(overlaps)
    });
}
