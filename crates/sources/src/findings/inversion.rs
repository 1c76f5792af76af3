//! Holders that had no CPU while others waited for their lock.
//!
//! The priorities of threads are not in a recording. Whatever they are, the threads that wait have to wait for those that the
//! kernel lets run in the holder's place.

use std::collections::{HashMap, HashSet};

use super::intervals::Intervals;
use super::scene::Scene;
use super::words;
use locktoll_results::profile::timeline::{Finding, FindingKind, Index, Switch};
use locktoll_terminal::quantity::counted;

/// The preemptions that are examined, the longest first.
const LOOKS: usize = 100_000;
/// The most holds and waits that are examined for all of them together.
const LOOKS_IN_ALL: usize = 10_000_000;
/// The shortest, and the least waiting of a lock.
const LEAST_NS: u64 = 1_000_000;

/// What preempted holders of one lock cost.
struct Lock {
    times: u64,
    wait_ns: u64,
    /// The preemption with the most waiting, that waiting, and the threads that waited.
    worst: (Switch, u64, Vec<u32>),
}

/// Returns for each lock the preempted holder for which threads waited longest.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let mut locks: HashMap<u32, Lock> = HashMap::new();
    let mut waits: HashMap<u32, Intervals> = HashMap::new();
    let mut looks = LOOKS_IN_ALL;
    for switch in preemptions(scene) {
        let of_thread = &scene.holds_by_thread()[switch.thread as usize];
        for hold in of_thread.overlapping(switch.out_ns, switch.in_ns) {
            let Some(left) = looks.checked_sub(1) else {
                break;
            };
            looks = left;
            let hold = scene.hold(hold);
            if !scene.is_lock(hold.lock) {
                continue;
            }
            let from_ns = switch.out_ns.max(hold.begin_ns);
            let to_ns = switch.in_ns.min(hold.end_ns);
            let of_lock = waits.entry(hold.lock);
            let of_lock = of_lock.or_insert_with(|| scene.intervals_of(hold.lock));
            let (mut wait_ns, mut threads) = (0_u64, HashSet::new());
            for row in of_lock.overlapping(from_ns, to_ns).take(left) {
                looks -= 1;
                let wait = scene.wait(row);
                let waited_ns = to_ns.min(wait.end_ns) - from_ns.max(wait.begin_ns);
                wait_ns = wait_ns.saturating_add(waited_ns);
                threads.insert(wait.thread);
            }
            if wait_ns > 0 {
                let mut threads: Vec<u32> = threads.into_iter().collect();
                threads.sort_unstable();
                add(&mut locks, hold.lock, (switch, wait_ns, threads));
            }
        }
    }
    let found = locks.into_iter();
    found
        .filter(|(_, it)| it.wait_ns >= LEAST_NS && scene.matters(it.wait_ns))
        .map(|(lock, it)| finding(scene, lock, it))
        .collect()
}

fn preemptions(scene: &Scene<'_>) -> Vec<Switch> {
    let length = |it: &Switch| it.in_ns - it.out_ns;
    let switches = scene.timeline.switches.iter();
    let mut preemptions: Vec<Switch> = switches
        .filter(|it| it.preempted && length(it) >= LEAST_NS)
        .collect();
    preemptions.sort_by_key(|it| (std::cmp::Reverse(length(it)), it.out_ns, it.thread));
    preemptions.truncate(LOOKS);
    preemptions
}

fn add(locks: &mut HashMap<u32, Lock>, lock: u32, new: (Switch, u64, Vec<u32>)) {
    let wait_ns = new.1;
    let entry = locks.entry(lock).or_insert_with(|| Lock {
        times: 0,
        wait_ns: 0,
        worst: new.clone(),
    });
    entry.times += 1;
    entry.wait_ns = entry.wait_ns.saturating_add(wait_ns);
    if wait_ns > entry.worst.1 {
        entry.worst = new;
    }
}

fn finding(scene: &Scene<'_>, lock: u32, of: Lock) -> Finding {
    let (switch, wait_ns, waiting) = of.worst;
    let mut sentence = format!(
        "Priority inversion: {} held {} and was without a CPU for {}, since other threads ran; in the meantime, {} waited {} for the lock.",
        words::thread(scene, switch.thread),
        words::lock(scene, lock),
        words::lasting(switch.in_ns - switch.out_ns),
        counted(waiting.len() as u64, "thread", "threads"),
        words::lasting(wait_ns),
    );
    if of.times > 1 {
        sentence.push_str(&format!(
            " Holders of this lock were preempted {}, with {} of waiting.",
            counted(of.times, "time", "times"),
            words::lasting(of.wait_ns),
        ));
    }
    let mut threads = vec![switch.thread];
    threads.extend(waiting.into_iter().filter(|&it| it != switch.thread));
    Finding {
        kind: FindingKind::PriorityInversion,
        sentence,
        wait_ns: of.wait_ns,
        begin_ns: switch.out_ns,
        end_ns: switch.in_ns,
        lock: Index::new(lock as usize),
        threads,
    }
}
