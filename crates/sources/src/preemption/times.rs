//! Each time that a thread of the program had no CPU, for the timeline.

use std::collections::{BTreeMap, VecDeque};

use anyhow::Context;
use aya::maps::{MapData, RingBuf};
use locktoll_recording::layout::{EventKind, EventWords, LockKind, OffCpu, event_flags};
use locktoll_recording::reader::EventRun;

use super::raw;
use crate::ebpf::Loaded;

/// The name of the ring in `bpf/preemption_maps.bpf.h`.
pub const RING: &str = "times_off";
/// Its size, bytes. It is emptied every few milliseconds.
pub const RING_BYTES: u32 = 1 << 20;

/// The last times without a CPU. The kernel's ring must be emptied often: it drops the newest ones when it is full.
pub struct TimesOff {
    ring: RingBuf<MapData>,
    kept: Kept,
}

/// Times without a CPU, of which the oldest are dropped if there are too many.
struct Kept {
    times: VecDeque<raw::TimeOff>,
    most: usize,
    /// How many were dropped, by part.
    dropped: BTreeMap<PartOf, u64>,
}

/// The process id and the sequence number of a part.
type PartOf = (u32, u32);

/// The times without a CPU, by the part to which they belong.
pub type TimesByPart = BTreeMap<PartOf, EventRun>;

impl TimesOff {
    /// Takes the ring. At most `room_bytes` of the last times are kept.
    ///
    /// # Errors
    /// If the object for the kernel has no ring of times.
    pub(super) fn new(loaded: &mut Loaded, room_bytes: u64) -> anyhow::Result<Self> {
        let map = loaded
            .take(RING)
            .context("the object has no ring of times")?;
        Ok(Self {
            ring: RingBuf::try_from(map)?,
            kept: Kept {
                times: VecDeque::new(),
                most: usize::try_from(room_bytes).unwrap_or(usize::MAX) / size_of::<raw::TimeOff>(),
                dropped: BTreeMap::new(),
            },
        })
    }

    /// Empties the kernel's ring.
    pub fn drain(&mut self) {
        while let Some(item) = self.ring.next() {
            if item.len() < size_of::<raw::TimeOff>() {
                continue;
            }
            // SAFETY: it is long enough, and any bytes are a value.
            let time = unsafe { item.as_ptr().cast::<raw::TimeOff>().read_unaligned() };
            self.kept.add(time);
        }
    }

    /// Returns the times as events. The first number of each run says how many were dropped before.
    pub fn into_events(mut self) -> TimesByPart {
        self.drain();
        self.kept.into_events()
    }
}

impl Kept {
    fn add(&mut self, time: raw::TimeOff) {
        if self.times.len() >= self.most
            && let Some(oldest) = self.times.pop_front()
        {
            *self.dropped.entry(part_of(&oldest)).or_default() += 1;
        }
        self.times.push_back(time);
    }

    fn into_events(self) -> TimesByPart {
        let mut by_part = TimesByPart::new();
        for time in &self.times {
            run_of(&mut by_part, part_of(time)).events.push(event(time));
        }
        for (part, dropped) in self.dropped {
            add_missing(&mut by_part, part, dropped);
        }
        by_part
    }
}

/// Counts times that the kernel had no room for as missing in the first part: it is not known whose they were.
pub fn count_unkept(times: &mut TimesByPart, unkept: u64) {
    if let Some(&part) = times.keys().next() {
        add_missing(times, part, unkept);
    }
}

/// Adds to the number of times that are missing in a part; in the first one if the part has none left.
fn add_missing(by_part: &mut TimesByPart, part: PartOf, missing: u64) {
    let part = if by_part.contains_key(&part) {
        Some(part)
    } else {
        by_part.keys().next().copied()
    };
    if let Some(part) = part {
        let run = run_of(by_part, part);
        run.first = run.first.saturating_add(missing);
    }
}

fn run_of(by_part: &mut TimesByPart, part: PartOf) -> &mut EventRun {
    by_part.entry(part).or_insert_with(|| EventRun {
        slot: EventRun::TIMES_OFF,
        ..EventRun::default()
    })
}

fn part_of(time: &raw::TimeOff) -> PartOf {
    (time.process.pid, time.process.sequence)
}

fn event(time: &raw::TimeOff) -> EventWords {
    let why = u8::try_from(time.why).ok().and_then(OffCpu::from_number);
    let flags = match why {
        Some(OffCpu::Preempted) => event_flags::PREEMPTED,
        _ => 0,
    };
    // Ids of threads are those of their process.
    let waker = match time.waker_pid == time.process.pid {
        true => time.waker_tid,
        false => 0,
    };
    let nothing = (LockKind::Mutex, 0, waker);
    let times = [time.out_ns, time.in_ns];
    EventWords::new(EventKind::OffCpu, nothing, flags, times, time.tid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(pid: u32, out_ns: u64) -> raw::TimeOff {
        raw::TimeOff {
            out_ns,
            in_ns: out_ns + 20,
            process: raw::Process { pid, sequence: 0 },
            tid: pid + 1,
            why: 3,
            waker_pid: pid,
            waker_tid: pid + 2,
        }
    }

    #[test]
    fn the_oldest_times_are_dropped_and_counted_where_they_belong() {
        let mut kept = Kept {
            times: VecDeque::new(),
            most: 3,
            dropped: BTreeMap::new(),
        };
        for (pid, out_ns) in [(5, 1), (7, 2), (5, 3), (6, 4), (7, 5), (7, 6)] {
            kept.add(time(pid, out_ns));
        }
        let mut events = kept.into_events();
        let of = |events: &TimesByPart| -> Vec<(u32, u64, usize)> {
            let runs = events.iter();
            runs.map(|(part, run)| (part.0, run.first, run.events.len()))
                .collect()
        };
        // Process 5 has none left, so the first part counts those that it lost.
        assert_eq!(of(&events), [(6, 2, 1), (7, 1, 2)]);
        count_unkept(&mut events, 10);
        assert_eq!(of(&events)[0], (6, 12, 1));
    }

    #[test]
    fn a_waker_of_another_process_is_not_named() {
        let time = time(7, 10);
        let blocked = event(&time);
        assert_eq!(blocked.kind(), Some(EventKind::OffCpu));
        assert_eq!((blocked.site(), blocked.generation()), (8, 9));
        assert_eq!((blocked.0[0], blocked.0[2], blocked.flags()), (10, 30, 0));
        let preempted = event(&raw::TimeOff {
            why: 1,
            waker_pid: 70,
            ..time
        });
        assert_eq!(preempted.generation(), 0);
        assert_eq!(preempted.flags(), event_flags::PREEMPTED);
    }
}
