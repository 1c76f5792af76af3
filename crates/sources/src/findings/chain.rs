//! Threads that wait for threads that wait.
//!
//! A chain is a list of waits: the thread of each holds the lock of the one before, for as long as all of them last together. Each
//! of them but the first is the wait of a thread that holds a lock, so the search begins there.

use std::collections::HashMap;

use super::intervals::Intervals;
use super::scene::Scene;
use super::words;
use locktoll_results::profile::timeline::{Finding, FindingKind, HoldFlags, Index, Wait};
use locktoll_terminal::quantity::counted;

/// The shortest time that all waits of a chain last together.
const LEAST_NS: u64 = 100_000;
/// The most waits of threads that hold a lock that are examined, the longest first; and the most waits that are examined from each,
/// for what its thread holds. Many threads that hold many locks would otherwise have more chains than can be looked at. Looks at holds
/// count, too.
const ROOTS: usize = 100_000;
const LOOKS: usize = 1_000;
/// The most looks from all of them together.
const LOOKS_IN_ALL: usize = 10_000_000;
/// The most waits of a chain that are put into words.
const LISTED: usize = 6;

/// Returns the longest chain: the one with the most waits, or, of several with that many, the one that lasts longest.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let mut search = Search {
        scene,
        waits: HashMap::new(),
        looks: 0,
        path: Vec::new(),
        is_in_path: vec![false; scene.timeline.threads.len()],
        best: Chain::default(),
    };
    let mut left = LOOKS_IN_ALL;
    for root in roots(scene) {
        let wait = scene.wait(root);
        let looks = LOOKS.min(left);
        search.looks = looks;
        search.step(root, (wait.begin_ns, wait.end_ns));
        left -= looks - search.looks;
    }
    let best = search.best;
    finding(scene, &best).into_iter().collect()
}

/// Returns the waits of threads that hold a lock for which others may wait, the longest first.
fn roots(scene: &Scene<'_>) -> Vec<u32> {
    let waits = &scene.timeline.waits;
    let length = |row: u32| waits.end_ns[row as usize] - waits.begin_ns[row as usize];
    let rows = 0..waits.len() as u32;
    let mut rows: Vec<u32> = rows
        .filter(|&row| length(row) >= LEAST_NS && held(scene, &scene.wait(row)).next().is_some())
        .collect();
    rows.sort_unstable_by_key(|&row| (std::cmp::Reverse(length(row)), row));
    rows.truncate(ROOTS);
    rows
}

/// Returns the holds of a waiting thread that last for all of its wait: a thread that waits releases nothing. The mutex of a condition
/// is released when the wait for the condition begins, and acquired again before it ends, so its holds overlap the wait a little.
fn held<'s>(scene: &'s Scene<'_>, wait: &Wait) -> impl Iterator<Item = u32> + 's {
    let of_thread = &scene.holds_by_thread()[wait.thread as usize];
    let Wait {
        lock,
        begin_ns,
        end_ns,
        ..
    } = *wait;
    let last = of_thread.overlapping(end_ns.saturating_sub(1), end_ns);
    last.take(LOOKS).filter(move |&row| {
        let hold = scene.hold(row);
        let has_begun = hold.begin_ns <= begin_ns || hold.flags.has(HoldFlags::BEGAN_EARLIER);
        // The hold that the wait leads to begins at its end.
        hold.lock != lock && has_begun && hold.end_ns >= end_ns
    })
}

/// Waits, from the thread that is waited for to the one that waits first; and the time in which all of them last.
#[derive(Default)]
struct Chain {
    waits: Vec<u32>,
    from_ns: u64,
    to_ns: u64,
}

struct Search<'s, 't> {
    scene: &'s Scene<'t>,
    /// The waits for each lock that was looked at.
    waits: HashMap<u32, Intervals>,
    looks: usize,
    path: Vec<u32>,
    /// By thread.
    is_in_path: Vec<bool>,
    best: Chain,
}

impl Search<'_, '_> {
    /// Goes on from a wait, if its thread is not in the path already.
    fn step(&mut self, row: u32, times: (u64, u64)) {
        let thread = self.scene.timeline.waits.thread[row as usize] as usize;
        if self.is_in_path[thread] {
            return;
        }
        self.is_in_path[thread] = true;
        self.path.push(row);
        self.go_on(times);
        self.path.pop();
        self.is_in_path[thread] = false;
    }

    /// Adds waits for what the thread of the last one holds between two times.
    fn go_on(&mut self, (from_ns, to_ns): (u64, u64)) {
        let longer = (self.path.len(), to_ns - from_ns);
        if longer > (self.best.waits.len(), self.best.to_ns - self.best.from_ns) {
            self.best = Chain {
                waits: self.path.clone(),
                from_ns,
                to_ns,
            };
        }
        let Some(&last) = self.path.last() else {
            return;
        };
        let wait = self.scene.wait(last);
        let holds: Vec<u32> = held(self.scene, &wait).take(self.looks).collect();
        self.looks -= holds.len();
        for hold in holds {
            let hold = self.scene.hold(hold);
            let (from_ns, to_ns) = (from_ns.max(hold.begin_ns), to_ns.min(hold.end_ns));
            if !self.scene.is_lock(hold.lock) || to_ns < from_ns.saturating_add(LEAST_NS) {
                continue;
            }
            for row in self.waiting(hold.lock, (from_ns, to_ns)) {
                let wait = self.scene.wait(row);
                let (from_ns, to_ns) = (from_ns.max(wait.begin_ns), to_ns.min(wait.end_ns));
                if to_ns >= from_ns.saturating_add(LEAST_NS) {
                    self.step(row, (from_ns, to_ns));
                }
            }
        }
    }

    fn waiting(&mut self, lock: u32, (from_ns, to_ns): (u64, u64)) -> Vec<u32> {
        let scene = self.scene;
        let of_lock = self.waits.entry(lock);
        let of_lock = of_lock.or_insert_with(|| scene.intervals_of(lock));
        let found = of_lock.overlapping(from_ns, to_ns).take(self.looks);
        let found: Vec<u32> = found.collect();
        self.looks -= found.len();
        found
    }
}

/// Puts a chain into words, from the thread that waits first.
fn finding(scene: &Scene<'_>, chain: &Chain) -> Option<Finding> {
    if chain.waits.len() < 2 {
        return None;
    }
    let waits: Vec<Wait> = chain
        .waits
        .iter()
        .rev()
        .map(|&row| scene.wait(row))
        .collect();
    let mut threads: Vec<u32> = waits.iter().map(|it| it.thread).collect();
    let last = waits.last()?;
    let released_by = last.released_by.get().map(|it| it as u32);
    threads.extend(released_by.filter(|it| !threads.contains(it)));
    let mut steps: Vec<String> = Vec::new();
    for (at, wait) in waits.iter().enumerate().take(LISTED) {
        let waited = format!(
            "waited {} for {}",
            words::lasting(wait.end_ns - wait.begin_ns),
            words::lock(scene, wait.lock)
        );
        let by = match (waits.get(at + 1), released_by) {
            (Some(next), _) => format!(", held by {}, which ", words::thread(scene, next.thread)),
            (None, Some(by)) => {
                let did = match scene.is_lock(wait.lock) {
                    true => "released",
                    false => "signalled",
                };
                format!(", which {} {did}", words::thread(scene, by))
            }
            (None, None) => String::new(),
        };
        steps.push(waited + &by);
    }
    if waits.len() > LISTED {
        let more = (waits.len() - LISTED) as u64;
        steps.push(counted(more, "more wait", "more waits"));
    }
    let wait_ns = waits.iter().map(|it| it.end_ns - it.begin_ns);
    Some(Finding {
        kind: FindingKind::ChainOfWaits,
        sentence: format!(
            "Longest chain of waits: {} {}. All {} waits overlapped for {}, starting at {}.",
            words::thread(scene, waits[0].thread),
            steps.concat(),
            waits.len(),
            words::lasting(chain.to_ns - chain.from_ns),
            words::at(chain.from_ns),
        ),
        wait_ns: wait_ns.fold(0, u64::saturating_add),
        begin_ns: waits.iter().map(|it| it.begin_ns).min()?,
        end_ns: waits.iter().map(|it| it.end_ns).max()?,
        lock: Index::new(waits[0].lock as usize),
        threads,
    })
}
