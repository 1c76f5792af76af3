//! Threads that a broadcast wakes, and that a lock then stops.
//!
//! A thread that a signal wakes needs the mutex of the condition before its wait returns. The recorder keeps that as a wait for
//! the mutex, from the signal on. Of threads that one broadcast wakes, all but the first wait for each other there.

use std::collections::HashMap;

use super::scene::{Scene, waited_ns};
use super::words;
use locktoll_results::profile::timeline::{
    Finding, FindingKind, Index, Signal, SignalKind, Wait, WaitEnd,
};
use locktoll_terminal::quantity::counted;

/// The fewest threads that wait for each other.
const THREADS: usize = 3;
/// The least waiting after one broadcast.
const LEAST_NS: u64 = 100_000;
/// The most waits that are examined for all broadcasts together.
const LOOKS_IN_ALL: usize = 10_000_000;
/// The time of a signal is read twice: once for the wait for the mutex, and once for the signal itself.
const APART_NS: u64 = 20_000;

/// The waits for one lock that followed one broadcast.
struct Herd {
    signal: Signal,
    woken: u64,
    waits: Vec<Wait>,
    wait_ns: u64,
}

/// Returns for each condition and lock the broadcast after which threads waited longest for each other.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let mut of_locks: HashMap<(u32, u32), Vec<Herd>> = HashMap::new();
    let mut broadcasts: HashMap<u32, u64> = HashMap::new();
    let woken = woken(scene);
    let mut looks = LOOKS_IN_ALL;
    for (row, signal) in (0_u32..).zip(scene.timeline.signals.iter()) {
        if signal.kind != SignalKind::All {
            continue;
        }
        *broadcasts.entry(signal.lock).or_default() += 1;
        let woken = woken.get(&row).map_or(&[][..], Vec::as_slice);
        for (lock, herd) in herds(scene, signal, woken, &mut looks) {
            of_locks.entry((signal.lock, lock)).or_default().push(herd);
        }
    }
    let found = of_locks.into_iter();
    found
        .filter_map(|((condition, lock), herds)| {
            finding(scene, condition, lock, broadcasts[&condition], &herds)
        })
        .collect()
}

/// Returns the waits that each broadcast ended, by its row.
fn woken(scene: &Scene<'_>) -> HashMap<u32, Vec<Wait>> {
    let signals = &scene.timeline.signals;
    let is_broadcast = |&row: &u32| signals.kind[row as usize] == SignalKind::All;
    let rows = (0..signals.len() as u32).filter(is_broadcast);
    let by_time: HashMap<(u32, u64), u32> = rows
        .map(|row| {
            let signal = signals.get(row as usize);
            ((signal.lock, signal.at_ns), row)
        })
        .collect();
    let mut woken: HashMap<u32, Vec<Wait>> = HashMap::new();
    let locks = 0..scene.timeline.locks.len() as u32;
    for lock in locks.filter(|&lock| !scene.is_lock(lock)) {
        for wait in scene.done(lock).filter(|it| it.released_by.get().is_some()) {
            if let Some(&row) = by_time.get(&(lock, wait.released_ns)) {
                woken.entry(row).or_default().push(wait);
            }
        }
    }
    woken
}

/// Returns the locks for which threads that a broadcast woke waited for each other.
fn herds(scene: &Scene<'_>, signal: Signal, woken: &[Wait], looks: &mut usize) -> Vec<(u32, Herd)> {
    if woken.len() < THREADS {
        return Vec::new();
    }
    let by_thread: HashMap<u32, &Wait> = woken.iter().map(|it| (it.thread, it)).collect();
    let mut by_lock: HashMap<u32, Vec<Wait>> = HashMap::new();
    for wait in begun_at(scene, signal.at_ns).take(*looks) {
        *looks -= 1;
        let signalled = by_thread.get(&wait.thread);
        // It is a part of the wait for the condition.
        let is_inside = |it: &&Wait| it.begin_ns <= wait.begin_ns && wait.end_ns <= it.end_ns;
        let is_for_lock = wait.end == WaitEnd::Done && scene.is_lock(wait.lock);
        if is_for_lock && signalled.is_some_and(is_inside) {
            by_lock.entry(wait.lock).or_default().push(wait);
        }
    }
    let is_woken = |thread: Index| {
        let thread = thread.get().map(|it| it as u32);
        thread.is_some_and(|it| by_thread.contains_key(&it))
    };
    let mut found = Vec::new();
    for (lock, waits) in by_lock {
        let by_each_other = || waits.iter().filter(|it| is_woken(it.released_by));
        if by_each_other().count() >= THREADS && waited_ns(by_each_other()) >= LEAST_NS {
            // The first of them may have waited for the thread that broadcast: it is among those that are counted.
            let herd = Herd {
                signal,
                woken: woken.len() as u64,
                wait_ns: waited_ns(waits.iter()),
                waits,
            };
            found.push((lock, herd));
        }
    }
    found
}

/// Returns the waits that began with a signal.
fn begun_at<'s>(scene: &'s Scene<'_>, at_ns: u64) -> impl Iterator<Item = Wait> + 's {
    let waits = &scene.timeline.waits;
    let from_ns = at_ns.saturating_sub(APART_NS);
    let until_ns = at_ns.saturating_add(APART_NS);
    let first = waits.begin_ns.partition_point(|&it| it < from_ns);
    let rows = first..waits.len();
    rows.take_while(move |&row| waits.begin_ns[row] <= until_ns)
        .map(|row| waits.get(row))
}

fn finding(
    scene: &Scene<'_>,
    condition: u32,
    lock: u32,
    broadcasts: u64,
    herds: &[Herd],
) -> Option<Finding> {
    let worst = herds.iter().max_by_key(|it| it.wait_ns)?;
    let wait_ns = herds
        .iter()
        .fold(0, |sum: u64, it| sum.saturating_add(it.wait_ns));
    if !scene.matters(wait_ns) {
        return None;
    }
    let end_ns = worst.waits.iter().map(|it| it.end_ns).max()?;
    let mut sentence = format!(
        "Thundering herd: a broadcast of {} woke {}; {} of these threads then waited for {}, one after the other. They waited {} in all, and the last one {}.",
        words::lock(scene, condition),
        counted(worst.woken, "thread", "threads"),
        worst.waits.len(),
        words::lock(scene, lock),
        words::lasting(worst.wait_ns),
        words::lasting(end_ns - worst.signal.at_ns.min(end_ns)),
    );
    if broadcasts > 1 {
        sentence.push_str(&format!(
            " {} of the {} broadcasts of this condition woke such a herd, with {} of waiting in all.",
            herds.len(),
            broadcasts,
            words::lasting(wait_ns)
        ));
    }
    let mut waits: Vec<&Wait> = worst.waits.iter().collect();
    waits.sort_by_key(|it| it.end_ns);
    let mut threads = vec![worst.signal.thread];
    threads.extend(waits.iter().map(|it| it.thread));
    Some(Finding {
        kind: FindingKind::ThunderingHerd,
        sentence,
        wait_ns,
        begin_ns: worst.signal.at_ns.min(end_ns),
        end_ns,
        lock: Index::new(lock as usize),
        threads,
    })
}
