//! A timeline of any length: threads that take turns at a few locks, first come, first served.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use locktoll_results::profile::timeline::{
    Hold, HoldFlags, Index, Keeps, Signal, SignalKind, Timeline, TimelineLock, TimelineThread,
    Wait, WaitEnd,
};
use locktoll_results::profile::{Frame, LockKind, Use};

const THREADS: u32 = 12;
const LOCKS: u32 = 5;
/// The last of the locks is a condition variable.
const CONDITION: u32 = LOCKS - 1;

/// Makes a timeline of about `events` events; the same `seed` makes the same one.
///
/// A hold never overlaps another of the same lock, a wait ends when the hold before it does, and every tenth wait is one for a
/// condition. The last hold of all is unfinished.
pub fn timeline(events: usize, seed: u64) -> Timeline {
    let mut timeline = empty();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut next: BinaryHeap<Reverse<(u64, u32)>> = (0..THREADS)
        .map(|thread| Reverse((1_000 * u64::from(thread + 1), thread)))
        .collect();
    let mut free_from = [(0_u64, Index::NONE, Index::NONE); LOCKS as usize];
    let (mut holds, mut signals) = (Vec::new(), Vec::new());
    while timeline.waits.len() + holds.len() + signals.len() < events {
        let Some(Reverse((at_ns, thread))) = next.pop() else {
            break;
        };
        if random.below(40) == 0 {
            let waited_ns = 10_000 + random.below(200_000);
            let signaller = (thread + 1) % THREADS;
            let mut wait = wait_of(thread, CONDITION, at_ns, at_ns + waited_ns);
            wait.released_by = Index::new(signaller as usize);
            wait.released_ns = at_ns + waited_ns - 2_000;
            timeline.waits.push(wait);
            signals.push(Signal {
                thread: signaller,
                lock: CONDITION,
                at_ns: wait.released_ns,
                kind: SignalKind::One,
                place: Index::new(3),
                woken: 1,
            });
            next.push(Reverse((wait.end_ns, thread)));
            continue;
        }
        // The first lock is the busiest.
        let lock = (random.below(u64::from(CONDITION)) * random.below(3) / 2) as u32;
        let (free_ns, last, place) = free_from[lock as usize];
        let begin_ns = at_ns.max(free_ns);
        if free_ns > at_ns {
            let mut wait = wait_of(thread, lock, at_ns, free_ns + 500);
            (wait.released_by, wait.released_ns) = (last, free_ns);
            (wait.holder, wait.holder_place) = (last, place);
            timeline.waits.push(wait);
        }
        let begin_ns = begin_ns + if free_ns > at_ns { 500 } else { 0 };
        let end_ns = begin_ns + 2_000 + random.below(8_000);
        holds.push(Hold {
            thread,
            lock,
            begin_ns,
            end_ns,
            place: Index::new(lock as usize % 3),
            flags: HoldFlags::default(),
        });
        let holder = Index::new(thread as usize);
        free_from[lock as usize] = (end_ns, holder, Index::new(lock as usize % 3));
        next.push(Reverse((end_ns + 1_000 + random.below(20_000), thread)));
    }
    if let Some(last) = holds.iter_mut().max_by_key(|it| it.end_ns) {
        last.flags = HoldFlags::UNFINISHED;
    }
    holds.sort_by_key(|it| it.begin_ns);
    signals.sort_by_key(|it| it.at_ns);
    let ends = timeline.waits.end_ns.iter();
    let end_ns = ends.copied().chain(holds.iter().map(|it| it.end_ns)).max();
    timeline.end_ns = end_ns.unwrap_or(0);
    holds.into_iter().for_each(|it| timeline.holds.push(it));
    signals.into_iter().for_each(|it| timeline.signals.push(it));
    timeline
}

fn wait_of(thread: u32, lock: u32, begin_ns: u64, end_ns: u64) -> Wait {
    Wait {
        thread,
        lock,
        begin_ns,
        end_ns,
        end: WaitEnd::Done,
        stack: Index::new(3 + lock as usize % 3),
        holder: Index::NONE,
        holder_place: Index::NONE,
        released_by: Index::NONE,
        released_ns: 0,
    }
}

/// Returns threads, locks and stacks without events.
fn empty() -> Timeline {
    let mut timeline = Timeline {
        begin_ns: 0,
        ..Timeline::default()
    };
    timeline.kept.events = Keeps::Everything;
    timeline.kept.room_bytes = 64 << 20;
    for number in 0..THREADS {
        timeline.threads.push(TimelineThread {
            pid: 4_000,
            tid: 4_001 + number,
            name: format!("worker-{number}"),
            begin_ns: u64::from(number),
            ..TimelineThread::default()
        });
    }
    for number in 0..LOCKS {
        let is_condition = number == CONDITION;
        timeline.locks.push(TimelineLock {
            id: format!("lock{number}"),
            name: ["queue.lock", "cache", "log", "sessions", "queue.filled"][number as usize]
                .to_owned(),
            kind: if is_condition {
                LockKind::Condvar
            } else {
                LockKind::Mutex
            },
            used_as: if is_condition { Use::Signal } else { Use::Lock },
            pid: 4_000,
            address: 0x55AA_0000_1000 + 64 * u64::from(number),
        });
    }
    for (line, function) in ["take", "put", "flush", "serve", "main"].iter().enumerate() {
        timeline.frames.push(Frame {
            function: Some((*function).to_owned()),
            file: Some("src/server.c".to_owned()),
            line: Some(10 + line as u32),
            module: Some("/usr/bin/server".to_owned()),
            offset: Some(0x1000 + 16 * line as u64),
        });
    }
    timeline.stacks = vec![
        vec![0],
        vec![1],
        vec![2],
        vec![0, 3, 4],
        vec![1, 3, 4],
        vec![2, 3, 4],
    ];
    timeline
}

/// Pseudo-random numbers: xorshift64 (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound.max(1)
    }
}
