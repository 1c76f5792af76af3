//! Waits that are much more frequent in one interval than in the rest of the time.
//!
//! If waits begin at random at a constant rate, the logarithm of the likelihood ratio of a rate that is `FASTER` times as high
//! is, for a gap of g, ln(FASTER) - (FASTER - 1) * rate * g. The interval with the largest sum of it is the candidate. The chance
//! that a sum exceeds ln(n) + x without a change of the rate is about exp(-x) (Karlin and Altschul, 1990).

use super::scene::{Scene, waited_ns};
use super::words;
use locktoll_results::profile::timeline::{Finding, FindingKind, Index};
use locktoll_terminal::quantity::{counted, share};

/// The locks that are examined.
const LOCKS: usize = 50;
const FASTER: f64 = 4.0;
/// Fewer than one in a hundred thousand locks without a burst get a sentence.
const BEYOND_CHANCE: f64 = 12.0;
/// The fewest waits, and the smallest share of all waits of the lock.
const WAITS: usize = 50;
const SHARE: f64 = 0.2;
/// How many times as frequent as in the rest of the time.
const TIMES: f64 = 5.0;
/// The least number of threads that wait at once, on average over the burst.
const WAITING: f64 = 0.1;

/// Returns the bursts: of each lock the one that is least likely by chance.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    // If only the time around chosen events was kept, waits are frequent there.
    if scene.timeline.kept.when.is_some() {
        return Vec::new();
    }
    let locks = scene.worst_locks(LOCKS).into_iter();
    locks.filter_map(|lock| of_lock(scene, lock)).collect()
}

fn of_lock(scene: &Scene<'_>, lock: u32) -> Option<Finding> {
    let waits = scene.waits_for(lock).iter().map(|&row| scene.wait(row));
    let waits: Vec<_> = waits.filter(|it| it.begin_ns >= scene.from_ns).collect();
    let span_ns = scene.timeline.end_ns.saturating_sub(scene.from_ns);
    if waits.len() < WAITS || span_ns == 0 {
        return None;
    }
    let begins: Vec<u64> = waits.iter().map(|it| it.begin_ns).collect();
    let (first, last, sum) = densest(&begins, span_ns);
    let inside = &waits[first..=last];
    let (begin_ns, end_ns) = (begins[first], begins[last]);
    let length_ns = end_ns.saturating_sub(begin_ns).max(1) as f64;
    let outside = (waits.len() - inside.len()) as f64;
    let rest_ns = (span_ns as f64 - length_ns).max(0.0);
    let is_frequent = inside.len() as f64 * rest_ns >= TIMES * outside * length_ns && rest_ns > 0.0;
    let is_large = inside.len() >= WAITS && inside.len() as f64 >= SHARE * waits.len() as f64;
    let is_no_chance = sum > (waits.len() as f64).ln() + BEYOND_CHANCE;
    let wait_ns = waited_ns(inside.iter());
    let is_felt = wait_ns as f64 >= WAITING * length_ns && scene.matters(wait_ns);
    if !(is_frequent && is_large && is_no_chance && is_felt) {
        return None;
    }
    let end_ns = inside.iter().map(|it| it.end_ns).max()?;
    let mut threads: Vec<u32> = inside.iter().map(|it| it.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    Some(Finding {
        kind: FindingKind::Burst,
        sentence: format!(
            "Burst: {} of the {} for {} ({}) began within {}, starting at {}. Together they lasted {}.",
            inside.len(),
            counted(waits.len() as u64, "wait", "waits"),
            words::lock(scene, lock),
            share(inside.len() as u64, waits.len() as u64),
            words::lasting(length_ns as u64),
            words::at(begin_ns),
            words::lasting(wait_ns),
        ),
        wait_ns,
        begin_ns,
        end_ns,
        lock: Index::new(lock as usize),
        threads,
    })
}

/// Returns the first and the last moment of the densest interval, and the logarithm of its likelihood ratio.
fn densest(begins: &[u64], span_ns: u64) -> (usize, usize, f64) {
    let rate = begins.len() as f64 / span_ns as f64;
    let (mut from, mut sum) = (0, 0.0);
    let mut best = (0, 0, 0.0);
    for at in 1..begins.len() {
        if sum <= 0.0 {
            (from, sum) = (at - 1, 0.0);
        }
        sum +=
            FASTER.ln() - (FASTER - 1.0) * rate * begins[at].saturating_sub(begins[at - 1]) as f64;
        if sum > best.2 {
            best = (from, at, sum);
        }
    }
    best
}
