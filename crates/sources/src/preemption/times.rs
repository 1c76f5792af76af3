//! Each time that a thread of the program had no CPU, for the timeline.

use std::collections::{HashMap, VecDeque};

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
    kept: VecDeque<raw::TimeOff>,
    most: usize,
    overwritten: u64,
}

/// The times without a CPU, by the process id and the sequence number of the part to which they belong.
pub type TimesByPart = HashMap<(u32, u32), EventRun>;

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
            kept: VecDeque::new(),
            most: usize::try_from(room_bytes).unwrap_or(usize::MAX) / size_of::<raw::TimeOff>(),
            overwritten: 0,
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
            if self.kept.len() >= self.most {
                self.kept.pop_front();
                self.overwritten += 1;
            }
            self.kept.push_back(time);
        }
    }

    /// Returns the times as events. The first number of each run says how many were dropped before.
    pub fn into_events(mut self) -> TimesByPart {
        self.drain();
        let mut by_part = TimesByPart::new();
        for time in &self.kept {
            let part = (time.process.pid, time.process.sequence);
            let run = by_part.entry(part).or_insert_with(|| EventRun {
                slot: EventRun::TIMES_OFF,
                ..EventRun::default()
            });
            run.events.push(event(time));
        }
        // All parts share the room, so it is not known whose times were dropped.
        if let Some(run) = by_part.values_mut().next() {
            run.first = self.overwritten;
        }
        by_part
    }
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

    #[test]
    fn a_waker_of_another_process_is_not_named() {
        let process = raw::Process {
            pid: 7,
            sequence: 0,
        };
        let time = raw::TimeOff {
            out_ns: 10,
            in_ns: 30,
            process,
            tid: 8,
            why: 3,
            waker_pid: 7,
            waker_tid: 9,
        };
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
