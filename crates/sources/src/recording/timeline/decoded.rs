//! The events of one process image, by thread and lock.

use locktoll_recording::layout::{EventKind, EventWords, LockKind, event_flags};
use locktoll_recording::reader::EventRun;
use locktoll_results::profile::timeline::{
    Block, EventLosses, Hold, HoldFlags, Index, Signal, SignalKind, TimelineThread, Wait, WaitEnd,
};

use super::locks::PartLocks;
use super::places::PartPlaces;
use super::threads::PartThreads;
use super::ticks::Ticks;

/// How many of a thread's last holds are searched for the one that a release belongs to.
const SEARCHED: usize = 16;

/// Events of all parts, in any order. Times are relative to the beginning of the recording.
#[derive(Default)]
pub struct Decoded {
    /// Waits. `released_ns` is the time that the waiter read, or zero; `released_by` is none.
    pub waits: Vec<Wait>,
    /// Holds; those that had not ended when the recording did have the flag, and no end.
    pub holds: Vec<Hold>,
    /// Signals.
    pub signals: Vec<Signal>,
    /// Calls that may block.
    pub blocks: Vec<Block>,
    /// Missing events.
    pub lost: EventLosses,
}

/// What the events of one part refer to.
pub struct PartDecoder<'a, 'l, 'v, 'p> {
    /// The locks.
    pub locks: PartLocks<'l, 'v, 'p>,
    /// The places.
    pub places: PartPlaces<'l, 'v, 'p>,
    /// The threads.
    pub threads: &'a PartThreads,
    /// The processor's counter.
    pub ticks: &'a Ticks,
    /// The beginning of the recording, `CLOCK_MONOTONIC`.
    pub start_ns: u64,
}

impl Decoded {
    /// Adds the events of a part, those of one thread slot together and in their order.
    pub fn add(
        &mut self,
        runs: Vec<EventRun>,
        with: &mut PartDecoder<'_, '_, '_, '_>,
        threads: &mut [TimelineThread],
    ) {
        let mut runs = runs.into_iter().peekable();
        while let Some(first) = runs.next() {
            let slot = first.slot;
            let mut of_slot = vec![first];
            while let Some(run) = runs.next_if(|run| run.slot == slot) {
                of_slot.push(run);
            }
            let mut next = 0;
            for run in &mut of_slot {
                let missing = run.first.saturating_sub(next);
                next = run.first.saturating_add(run.events.len() as u64);
                if missing > 0 {
                    self.lose(run, missing, with, threads);
                }
            }
            self.add_slot(slot, of_slot.iter().flat_map(|run| &run.events), with);
        }
    }

    /// Notes that events before those of `run` are missing. If the first half of a wait is among them, so is the second.
    fn lose(
        &mut self,
        run: &mut EventRun,
        missing: u64,
        with: &PartDecoder<'_, '_, '_, '_>,
        threads: &mut [TimelineThread],
    ) {
        self.lost.overwritten = self.lost.overwritten.saturating_add(missing);
        let is_half = |it: &EventWords| it.kind() == Some(EventKind::WaitDetail);
        if run.events.first().is_some_and(is_half) {
            run.events.remove(0);
        }
        let from_ns = run.events.first().map_or(0, |event| with.time(*event));
        let complete_from_ns = from_ns.saturating_sub(with.start_ns);
        if let Some(thread) = with.threads.in_slot(run.slot, from_ns) {
            let thread = &mut threads[thread as usize];
            thread.overwritten = thread.overwritten.saturating_add(missing);
        }
        for &(began_ns, thread) in with.threads.all_in_slot(run.slot) {
            if began_ns <= from_ns {
                let thread = &mut threads[thread as usize];
                thread.complete_from_ns = thread.complete_from_ns.max(complete_from_ns);
            }
        }
    }

    fn add_slot<'e>(
        &mut self,
        slot: u32,
        events: impl Iterator<Item = &'e EventWords>,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) {
        let first_hold = self.holds.len();
        let mut events = events.copied().peekable();
        while let Some(event) = events.next() {
            let added = match event.kind() {
                Some(EventKind::Wait) => {
                    let is_detail = |it: &EventWords| it.kind() == Some(EventKind::WaitDetail);
                    let detail = events.next_if(is_detail);
                    self.add_wait(slot, event, detail, with)
                }
                Some(EventKind::Hold) => self.add_hold(slot, event, with),
                Some(EventKind::TimedHold) => self.add_timed_hold(slot, event, with),
                Some(EventKind::Release) => {
                    self.add_release(event, with, first_hold);
                    Some(())
                }
                Some(EventKind::Signal) => self.add_signal(slot, event, with),
                Some(EventKind::Block) => self.add_block(slot, event, with),
                Some(EventKind::Clock) => Some(()),
                // The first half of a wait was overwritten; or nothing that this version knows.
                _ => None,
            };
            self.lost.damaged += u64::from(added.is_none());
        }
    }

    fn add_wait(
        &mut self,
        slot: u32,
        event: EventWords,
        detail: Option<EventWords>,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [begin, _, end, _] = event.0;
        let [released, stack, holder, holder_site] = detail.unwrap_or_default().0;
        let flags = event.flags();
        let end_of_wait = match flags {
            _ if flags & event_flags::TIMED_OUT != 0 => WaitEnd::TimedOut,
            _ if flags & event_flags::FAILED != 0 => WaitEnd::Failed,
            _ => WaitEnd::Done,
        };
        let wait = Wait {
            thread: with.threads.in_slot(slot, begin)?,
            lock: with.locks.of(event)?,
            begin_ns: with.relative(begin),
            end_ns: with.relative(end),
            end: end_of_wait,
            stack: with.places.stack(stack as u32, event.site()),
            holder: with.threads.with_tid(holder as u32, begin),
            holder_place: match holder {
                0 => Index::NONE,
                _ => with.places.site(holder_site as u32),
            },
            released_by: Index::NONE,
            released_ns: match released {
                0 => 0,
                at => with.relative(at),
            },
        };
        (wait.begin_ns <= wait.end_ns).then(|| self.waits.push(wait))
    }

    fn add_hold(
        &mut self,
        slot: u32,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [begin, _, end, _] = event.0;
        let mut flags = flags_of(event);
        if begin == 0 {
            flags = flags.with(HoldFlags::BEGAN_EARLIER);
        }
        let hold = Hold {
            thread: with.threads.in_slot(slot, end)?,
            lock: with.locks.of(event)?,
            begin_ns: with.relative(if begin == 0 { end } else { begin }),
            end_ns: with.relative(end),
            place: with.places.site(event.site()),
            flags,
        };
        (hold.begin_ns <= hold.end_ns).then(|| self.holds.push(hold))
    }

    fn add_timed_hold(
        &mut self,
        slot: u32,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [begin, _, end, _] = event.0;
        let began_ns = with.ticks.ns(begin);
        let mut flags = flags_of(event);
        let ended_ns = match end {
            0 => {
                // Units of semaphores need not be returned.
                if event.lock_kind() == Some(LockKind::Semaphore) {
                    return Some(());
                }
                flags = flags.with(HoldFlags::UNFINISHED);
                began_ns
            }
            end => with.ticks.ns(end).max(began_ns),
        };
        let hold = Hold {
            thread: with.threads.in_slot(slot, began_ns)?,
            lock: with.locks.of(event)?,
            begin_ns: with.relative(began_ns),
            end_ns: with.relative(ended_ns),
            place: with.places.site(event.site()),
            flags,
        };
        self.holds.push(hold);
        Some(())
    }

    /// Takes over the exact time of a release from the clock, since waiters have read it.
    fn add_release(
        &mut self,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
        first_hold: usize,
    ) {
        let [at_ns, _, ticks, _] = event.0;
        let by_ticks = with.relative(with.ticks.ns(ticks));
        let lock = with.locks.of(event);
        let recent = self.holds[first_hold..].iter_mut().rev().take(SEARCHED);
        for hold in recent {
            if Some(hold.lock) == lock && hold.end_ns == by_ticks {
                hold.end_ns = with.relative(at_ns).max(hold.begin_ns);
                hold.flags = hold.flags.with(HoldFlags::AWAITED);
                return;
            }
        }
    }

    fn add_signal(
        &mut self,
        slot: u32,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let at_ns = event.0[0];
        let kind = match (event.flags() & event_flags::ALL, event.lock_kind()?) {
            (0, LockKind::Semaphore) => SignalKind::Post,
            (0, _) => SignalKind::One,
            _ => SignalKind::All,
        };
        self.signals.push(Signal {
            thread: with.threads.in_slot(slot, at_ns)?,
            lock: with.locks.of(event)?,
            at_ns: with.relative(at_ns),
            kind,
            place: with.places.site(event.site()),
            woken: 0,
        });
        Some(())
    }

    fn add_block(
        &mut self,
        slot: u32,
        event: EventWords,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [at_ns, _, end, _] = event.0;
        let begin_ns = with.relative(at_ns);
        self.blocks.push(Block {
            thread: with.threads.in_slot(slot, at_ns)?,
            lock: with.locks.of(event)?,
            begin_ns,
            end_ns: with.relative(end).max(begin_ns),
        });
        Some(())
    }
}

impl PartDecoder<'_, '_, '_, '_> {
    fn relative(&self, ns: u64) -> u64 {
        ns.saturating_sub(self.start_ns)
    }

    /// Returns the time of an event of any kind, `CLOCK_MONOTONIC`.
    fn time(&self, event: EventWords) -> u64 {
        match event.kind() {
            Some(EventKind::TimedHold) => self.ticks.ns(event.0[0]),
            Some(EventKind::Hold) => event.0[2],
            _ => event.0[0],
        }
    }
}

fn flags_of(event: EventWords) -> HoldFlags {
    let mut flags = HoldFlags::default();
    if event.flags() & event_flags::SHARED != 0 {
        flags = flags.with(HoldFlags::SHARED);
    }
    if event.flags() & event_flags::AWAITED != 0 {
        flags = flags.with(HoldFlags::AWAITED);
    }
    flags
}
