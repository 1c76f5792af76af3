//! Timelines that are made event by event.

use locktoll_results::profile::timeline::{
    Hold, HoldFlags, Index, Signal, SignalKind, Switch, Timeline, TimelineLock, TimelineThread,
    Wait, WaitEnd,
};
use locktoll_results::profile::{LockKind, Use};

/// The number of the condition variable; the locks are numbered before it.
pub const CONDITION: u32 = 4;

/// Events in any order.
#[derive(Default)]
pub struct Made {
    waits: Vec<Wait>,
    holds: Vec<Hold>,
    signals: Vec<Signal>,
    switches: Vec<Switch>,
    /// The time before which events of the first thread are missing, nanoseconds.
    pub missing_until_ns: u64,
    /// The condition of a recorder that keeps chosen times.
    pub when: Option<String>,
}

impl Made {
    /// A thread waits for a lock, which `by` then releases.
    pub fn wait(&mut self, thread: u32, lock: u32, times: [u64; 2], by: Option<u32>) {
        self.waits.push(Wait {
            thread,
            lock,
            begin_ns: times[0],
            end_ns: times[1],
            end: WaitEnd::Done,
            stack: Index::NONE,
            holder: Index::NONE,
            holder_place: Index::NONE,
            released_by: by.map(|it| it as usize).into(),
            released_ns: by.map_or(0, |_| times[1]),
        });
    }

    /// A thread holds a lock.
    pub fn hold(&mut self, thread: u32, lock: u32, times: [u64; 2]) {
        self.holds.push(Hold {
            thread,
            lock,
            begin_ns: times[0],
            end_ns: times[1],
            place: Index::NONE,
            flags: HoldFlags::default(),
        });
    }

    /// A thread signals the condition.
    pub fn signal(&mut self, thread: u32, kind: SignalKind, at_ns: u64) {
        self.signals.push(Signal {
            thread,
            lock: CONDITION,
            at_ns,
            kind,
            place: Index::NONE,
            woken: 0,
        });
    }

    /// A thread has no CPU.
    pub fn off(&mut self, thread: u32, times: [u64; 2], preempted: bool) {
        self.switches.push(Switch {
            thread,
            out_ns: times[0],
            in_ns: times[1],
            waker: Index::NONE,
            preempted,
        });
    }

    /// Returns the timeline: sixteen threads, four locks and a condition.
    pub fn timeline(mut self) -> Timeline {
        let mut timeline = Timeline::default();
        timeline.kept.when = self.when;
        for number in 0..16 {
            timeline.threads.push(TimelineThread {
                pid: 100,
                tid: 100 + number,
                name: "worker".to_owned(),
                ..TimelineThread::default()
            });
        }
        timeline.threads[0].complete_from_ns = self.missing_until_ns;
        timeline.threads[0].overwritten = self.missing_until_ns.min(1);
        for (name, number) in ["a", "b", "c", "d", "filled"].iter().zip(0..) {
            let is_condition = number == CONDITION;
            timeline.locks.push(TimelineLock {
                id: format!("lock:{name}"),
                name: (*name).to_owned(),
                kind: match is_condition {
                    true => LockKind::Condvar,
                    false => LockKind::Mutex,
                },
                used_as: match is_condition {
                    true => Use::Signal,
                    false => Use::Lock,
                },
                pid: 100,
                address: u64::from(number) * 64,
            });
        }
        self.waits.sort_by_key(|it| it.begin_ns);
        self.holds.sort_by_key(|it| it.begin_ns);
        self.signals.sort_by_key(|it| it.at_ns);
        self.switches.sort_by_key(|it| it.out_ns);
        let ends = self.waits.iter().map(|it| it.end_ns);
        let ends = ends.chain(self.holds.iter().map(|it| it.end_ns));
        timeline.end_ns = ends.max().unwrap_or(0);
        self.waits
            .into_iter()
            .for_each(|it| timeline.waits.push(it));
        self.holds
            .into_iter()
            .for_each(|it| timeline.holds.push(it));
        self.signals
            .into_iter()
            .for_each(|it| timeline.signals.push(it));
        self.switches
            .into_iter()
            .for_each(|it| timeline.switches.push(it));
        assert!(timeline.is_sound());
        timeline
    }
}

/// Pseudo-random numbers: xorshift64 (Marsaglia, 2003).
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % bound
    }

    /// Returns a gap between events that begin at random, `mean` apart.
    pub fn gap(&mut self, mean: f64) -> u64 {
        let part = (self.below(1 << 30) + 1) as f64 / f64::from(1 << 30);
        (-part.ln() * mean) as u64
    }
}
