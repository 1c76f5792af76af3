//! The second in which threads waited longest for a lock.
//!
//! The waiting in the second that begins at t is a sum of straight lines in t. It is largest at a t where a wait begins, or where
//! a wait ends at t + 1 s, so looking at those times finds the maximum exactly.

use super::scene::Scene;
use super::words;
use locktoll_results::profile::timeline::{Finding, FindingKind, Index};
use locktoll_terminal::quantity::share;

/// The locks that are examined.
const LOCKS: usize = 20;
const SECOND: u64 = 1_000_000_000;
/// The shortest recording in which one second is only a part, in seconds.
const SECONDS: u64 = 3;
/// How many times as much waiting as in the average of the other seconds.
const TIMES: u64 = 2;
/// The least waiting: one thread waits for a tenth of the second.
const LEAST_NS: u64 = SECOND / 10;

/// Returns the worst second of each lock, if it stands out.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    if scene.timeline.kept.when.is_some() {
        return Vec::new();
    }
    let locks = scene.worst_locks(LOCKS).into_iter();
    locks.filter_map(|lock| of_lock(scene, lock)).collect()
}

fn of_lock(scene: &Scene<'_>, lock: u32) -> Option<Finding> {
    let end_ns = scene.timeline.end_ns;
    let span_ns = end_ns.saturating_sub(scene.from_ns);
    if span_ns < SECONDS * SECOND {
        return None;
    }
    let waits = scene.waits_for(lock).iter().map(|&row| scene.wait(row));
    let waits = waits.filter(|it| it.end_ns > scene.from_ns);
    let waits: Vec<(u64, u64, u32)> = waits
        .map(|it| (it.begin_ns.max(scene.from_ns), it.end_ns, it.thread))
        .collect();
    let lengths = waits.iter().map(|it| it.1 - it.0);
    let all_ns = lengths.fold(0, u64::saturating_add);
    let waiting = Waiting::of(&waits);
    let begins = waits.iter().map(|it| it.0);
    let ends = waits.iter().map(|it| it.1.saturating_sub(SECOND));
    let candidates = begins
        .chain(ends)
        .map(|at| at.clamp(scene.from_ns, end_ns - SECOND));
    let (wait_ns, begin_ns) = candidates
        .map(|at| (waiting.between(at, at + SECOND), at))
        .max_by_key(|&(wait_ns, at)| (wait_ns, std::cmp::Reverse(at)))?;
    // Compared without a division: the mean of the rest is (all - worst) / (span - 1 s).
    let rest = u128::from(all_ns.saturating_sub(wait_ns)) * u128::from(SECOND) * u128::from(TIMES);
    let stands_out = u128::from(wait_ns) * u128::from(span_ns - SECOND) >= rest;
    if !stands_out || wait_ns < LEAST_NS || !scene.matters(wait_ns) {
        return None;
    }
    let inside = waits
        .iter()
        .filter(|it| it.0 < begin_ns + SECOND && it.1 > begin_ns);
    let mut threads: Vec<u32> = inside.map(|it| it.2).collect();
    threads.sort_unstable();
    threads.dedup();
    Some(Finding {
        kind: FindingKind::WorstSecond,
        sentence: format!(
            "Worst second: from {} to {}, threads waited {} for {}: {} of all waiting for this lock in {}.",
            words::at(begin_ns),
            words::at(begin_ns + SECOND),
            words::lasting(wait_ns),
            words::lock(scene, lock),
            share(wait_ns, all_ns),
            words::lasting(span_ns),
        ),
        wait_ns,
        begin_ns,
        end_ns: begin_ns + SECOND,
        lock: Index::new(lock as usize),
        threads,
    })
}

/// How long threads had waited by any time.
struct Waiting {
    /// Sorted, with the sum of each and those before it.
    begins: Vec<(u64, u128)>,
    ends: Vec<(u64, u128)>,
}

impl Waiting {
    fn of(waits: &[(u64, u64, u32)]) -> Self {
        Self {
            begins: sums(waits.iter().map(|it| it.0).collect()),
            ends: sums(waits.iter().map(|it| it.1).collect()),
        }
    }

    fn between(&self, from_ns: u64, to_ns: u64) -> u64 {
        let by = |at_ns: u64| since(&self.begins, at_ns) - since(&self.ends, at_ns);
        u64::try_from(by(to_ns) - by(from_ns)).unwrap_or(u64::MAX)
    }
}

fn sums(mut times: Vec<u64>) -> Vec<(u64, u128)> {
    times.sort_unstable();
    let mut sum = 0;
    let with_sum = times.into_iter().map(|at| {
        sum += u128::from(at);
        (at, sum)
    });
    with_sum.collect()
}

/// Returns the distances from all times before `at_ns` to it, added up.
fn since(times: &[(u64, u128)], at_ns: u64) -> u128 {
    let before = times.partition_point(|it| it.0 <= at_ns);
    let sum = before.checked_sub(1).map_or(0, |last| times[last].1);
    before as u128 * u128::from(at_ns) - sum
}
