//! One interval of a thread.

use locktoll_results::profile::Use;
use locktoll_results::profile::timeline::{Index, Timeline};

/// The kinds of intervals, by their numbers in the page (`assets/timeline/data.js`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    Hold = 0,
    Wait = 1,
    /// A wait for an event, which is not contention.
    Event = 2,
    /// In a call that may block, while the thread held a lock.
    Blocked = 3,
    /// Asleep.
    Off = 4,
    /// Ready to run, without a CPU.
    Preempted = 5,
    /// A signal; it has no length.
    Signal = 6,
}

/// One interval of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    pub kind: Kind,
    /// Four bits: `HoldFlags` of a hold, `WaitEnd` of a wait.
    pub flags: u8,
    pub thread: u32,
    /// The lock; `u32::MAX` if it is about none.
    pub lock: u32,
    pub begin_ns: u64,
    pub end_ns: u64,
    /// The calls that led to it.
    pub stack: Index,
    /// The thread whose release or signal ended it, or that woke it.
    pub from: Index,
    /// When that was, of a wait.
    pub released_ns: Option<u64>,
    /// The thread that held the lock as a wait began, and the place where it had acquired the lock.
    pub holder: Index,
    pub holder_place: Index,
}

/// A row in one of the timeline's tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    Wait(u32),
    Hold(u32),
    Block(u32),
    Switch(u32),
    Signal(u32),
}

impl Row {
    pub fn thread(self, of: &Timeline) -> u32 {
        match self {
            Self::Wait(row) => of.waits.thread[row as usize],
            Self::Hold(row) => of.holds.thread[row as usize],
            Self::Block(row) => of.blocks.thread[row as usize],
            Self::Switch(row) => of.switches.thread[row as usize],
            Self::Signal(row) => of.signals.thread[row as usize],
        }
    }

    pub fn begin_ns(self, of: &Timeline) -> u64 {
        match self {
            Self::Wait(row) => of.waits.begin_ns[row as usize],
            Self::Hold(row) => of.holds.begin_ns[row as usize],
            Self::Block(row) => of.blocks.begin_ns[row as usize],
            Self::Switch(row) => of.switches.out_ns[row as usize],
            Self::Signal(row) => of.signals.at_ns[row as usize],
        }
    }

    pub fn interval(self, of: &Timeline) -> Interval {
        let thread = self.thread(of);
        let begin_ns = self.begin_ns(of);
        let plain = Interval {
            kind: Kind::Hold,
            flags: 0,
            thread,
            lock: u32::MAX,
            begin_ns,
            end_ns: begin_ns,
            stack: Index::NONE,
            from: Index::NONE,
            released_ns: None,
            holder: Index::NONE,
            holder_place: Index::NONE,
        };
        match self {
            Self::Wait(row) => wait(of, row as usize, plain),
            Self::Hold(row) => {
                let hold = of.holds.get(row as usize);
                Interval {
                    kind: Kind::Hold,
                    flags: hold.flags.0 & 15,
                    lock: hold.lock,
                    end_ns: hold.end_ns,
                    stack: hold.place,
                    ..plain
                }
            }
            Self::Block(row) => {
                let block = of.blocks.get(row as usize);
                Interval {
                    kind: Kind::Blocked,
                    lock: block.lock,
                    end_ns: block.end_ns,
                    ..plain
                }
            }
            Self::Switch(row) => {
                let switch = of.switches.get(row as usize);
                Interval {
                    kind: match switch.preempted {
                        true => Kind::Preempted,
                        false => Kind::Off,
                    },
                    end_ns: switch.in_ns,
                    from: switch.waker,
                    ..plain
                }
            }
            Self::Signal(row) => {
                let signal = of.signals.get(row as usize);
                Interval {
                    kind: Kind::Signal,
                    flags: u8::from(signal.kind),
                    lock: signal.lock,
                    stack: signal.place,
                    ..plain
                }
            }
        }
    }
}

fn wait(of: &Timeline, row: usize, plain: Interval) -> Interval {
    let wait = of.waits.get(row);
    let is_event = of.locks[wait.lock as usize].used_as == Use::Signal;
    Interval {
        kind: match is_event {
            true => Kind::Event,
            false => Kind::Wait,
        },
        flags: u8::from(wait.end),
        lock: wait.lock,
        end_ns: wait.end_ns,
        stack: wait.stack,
        from: wait.released_by,
        released_ns: wait.released_by.get().map(|_| wait.released_ns),
        holder: wait.holder,
        holder_place: wait.holder_place,
        ..plain
    }
}
