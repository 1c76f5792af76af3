//! Threads that queue for a lock in the same order, hold after hold.
//!
//! The waits for a lock, in the order in which they ended, are the *turns* of its threads. A turn keeps the order if the thread
//! got the lock from the thread that had the turn before, and if that thread is the same as in its own last turn. A convoy is a
//! long stretch of turns that mostly keep the order: each that does adds one, and each that does not takes `BROKEN` away.
//!
//! Among n threads that come at random, a turn keeps the order by chance once in n - 1 times. Of three threads, one stretch in
//! 300 million then counts 30 (exp(-0.66 * 30)). Two threads always keep the order, so they are not a convoy.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::scene::{Scene, waited_ns};
use super::words;
use locktoll_results::profile::timeline::{Finding, FindingKind, Index, Wait};
use locktoll_terminal::quantity::counted;

/// The locks that are examined.
const LOCKS: usize = 50;
/// The fewest threads.
const THREADS: usize = 3;
/// The least count of a stretch, and the fewest turns per thread.
const COUNT: i64 = 30;
const ROUNDS: usize = 5;
/// What a turn that does not keep the order takes away, and how much may be taken away before the stretch ends.
const BROKEN: i64 = 4;
const ENDS: i64 = 20;

/// Returns the convoys: of each lock the one with the most waiting.
pub fn find(scene: &Scene<'_>) -> Vec<Finding> {
    let locks = scene.worst_locks(LOCKS).into_iter();
    locks.filter_map(|lock| of_lock(scene, lock)).collect()
}

/// A stretch of turns, and its waiting.
struct Convoy<'w> {
    turns: &'w [Wait],
    /// Its threads, in the order of their turns.
    threads: Vec<u32>,
    wait_ns: u64,
}

fn of_lock(scene: &Scene<'_>, lock: u32) -> Option<Finding> {
    let mut turns: Vec<Wait> = scene.done(lock).collect();
    if (turns.len() as i64) < COUNT {
        return None;
    }
    turns.sort_by_key(|it| (it.end_ns, it.thread));
    let mut convoys: Vec<Convoy<'_>> = stretches(&turns)
        .filter_map(|stretch| convoy(&turns[stretch]))
        .collect();
    convoys.sort_by_key(|it| std::cmp::Reverse(it.wait_ns));
    let first = convoys.first()?;
    let (begin_ns, end_ns) = (first.turns[0].end_ns, first.turns.last()?.end_ns);
    let handed = first.turns.len() as u64 - 1;
    let mut sentence = format!(
        "Convoy: for {}, {} queued for {} in the same order, {} one after another. The lock changed hands every {}, and a thread waited {} for its turn (means).",
        words::lasting(end_ns - begin_ns),
        counted(first.threads.len() as u64, "thread", "threads"),
        words::lock(scene, lock),
        counted(handed + 1, "hold", "holds"),
        words::lasting((end_ns - begin_ns) / handed.max(1)),
        words::lasting(first.wait_ns / (handed + 1)),
    );
    if convoys.len() > 1 {
        let more = convoys[1..].iter();
        let more_ns = more.fold(0, |sum: u64, it| sum.saturating_add(it.wait_ns));
        sentence.push_str(&format!(
            " The same pattern occurred in {}, with {} of waiting.",
            counted(
                convoys.len() as u64 - 1,
                "other stretch of time",
                "other stretches of time"
            ),
            words::lasting(more_ns)
        ));
    }
    scene.matters(first.wait_ns).then(|| Finding {
        kind: FindingKind::Convoy,
        sentence,
        wait_ns: first.wait_ns,
        begin_ns,
        end_ns,
        lock: Index::new(lock as usize),
        threads: first.threads.clone(),
    })
}

/// Returns the stretches of turns most of which keep the order.
fn stretches(turns: &[Wait]) -> impl Iterator<Item = Range<usize>> + use<> {
    let mut last_turn: HashMap<u32, usize> = HashMap::new();
    let mut found = Vec::new();
    let mut present: Option<Stretch> = None;
    for at in 1..turns.len() {
        let before = turns[at - 1].thread;
        last_turn.insert(before, at - 1);
        let is_handed = turns[at].released_by == Index::new(before as usize);
        let last = last_turn.get(&turns[at].thread);
        // A first turn keeps no order yet, and breaks none.
        let Some(last) = last.and_then(|last| last.checked_sub(1)) else {
            if !is_handed {
                found.extend(present.take());
            }
            continue;
        };
        let keeps = is_handed && turns[last].thread == before;
        match (&mut present, keeps) {
            (None, false) => {}
            (None, true) => present = Some(Stretch::begun(at)),
            (Some(stretch), true) => stretch.go_on(at),
            (Some(stretch), false) => {
                if !stretch.survives() {
                    found.extend(present.take());
                }
            }
        }
    }
    found.extend(present);
    let convoys = found.into_iter().filter(|it| it.best >= COUNT);
    convoys.map(|it| it.begin..it.last + 1)
}

/// Turns that mostly keep the order: the last of them is the one at which the most had kept it.
struct Stretch {
    begin: usize,
    last: usize,
    score: i64,
    best: i64,
}

impl Stretch {
    fn begun(at: usize) -> Self {
        Self {
            begin: at - 1,
            last: at,
            score: 1,
            best: 1,
        }
    }

    fn go_on(&mut self, at: usize) {
        self.score += 1;
        if self.score > self.best {
            (self.best, self.last) = (self.score, at);
        }
    }

    /// Notes a turn that breaks the order. Returns `false` if the stretch ends.
    fn survives(&mut self) -> bool {
        self.score -= BROKEN;
        self.score >= 0 && self.best - self.score <= ENDS
    }
}

fn convoy(turns: &[Wait]) -> Option<Convoy<'_>> {
    let mut threads: Vec<u32> = Vec::new();
    let mut known = HashSet::new();
    for turn in turns {
        if known.insert(turn.thread) {
            threads.push(turn.thread);
        }
        // Each thread of a convoy has several turns.
        if threads.len() * ROUNDS > turns.len() {
            return None;
        }
    }
    let wait_ns = waited_ns(turns.iter());
    (threads.len() >= THREADS).then_some(Convoy {
        turns,
        threads,
        wait_ns,
    })
}
