//! The events of one process image, by thread and lock.

use std::collections::HashMap;

use locktoll_recording::layout::{EventKind, EventWords, LockKind, event_flags};
use locktoll_recording::reader::EventRun;
use locktoll_results::profile::timeline::{
    Block, EventLosses, Hold, Index, Signal, SignalKind, Switch, Wait, WaitEnd,
};

use super::chosen::Gap;
use super::locks::PartLocks;
use super::places::PartPlaces;
use super::threads::PartThreads;
use super::ticks::Ticks;

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
    /// Times without a CPU.
    pub switches: Vec<Switch>,
    /// Missing events, without those that were overwritten.
    pub lost: EventLosses,
    /// Events that were overwritten.
    pub gaps: Vec<Gap>,
}

/// A thread slot whose events are being read.
#[derive(Default)]
pub(super) struct Slot {
    pub(super) number: u32,
    /// The number of the next event.
    next: u64,
    /// The number of holds of other slots.
    pub(super) first_hold: usize,
    /// The last hold of each lock.
    pub(super) last_holds: HashMap<u32, usize>,
    /// The first half of a wait.
    wait: Option<EventWords>,
    written: Written,
}

/// How far a thread is known to have come: its last events were not written before these times.
#[derive(Clone, Copy, Default)]
struct Written {
    /// `CLOCK_MONOTONIC`.
    ns: u64,
    /// The processor's counter.
    ticks: u64,
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
        runs: impl Iterator<Item = EventRun>,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) {
        let mut slot = Slot::default();
        for mut run in runs {
            if run.slot != slot.number {
                self.end_wait(&mut slot, None, with);
                slot = Slot {
                    number: run.slot,
                    first_hold: self.holds.len(),
                    ..Slot::default()
                };
            }
            // Copies that were made while the program ran have events that the rings may have too.
            let again = slot.next.saturating_sub(run.first);
            run.events
                .drain(..again.min(run.events.len() as u64) as usize);
            run.first = run.first.max(slot.next);
            let missing = run.first.saturating_sub(slot.next);
            slot.next = run.first.saturating_add(run.events.len() as u64);
            if missing > 0 {
                self.end_wait(&mut slot, None, with);
                let last_ns = with.relative(slot.written.ns(with.ticks));
                self.lose(&mut run, missing, last_ns, with);
            }
            self.add_run(&mut slot, &run.events, with);
        }
        self.end_wait(&mut slot, None, with);
    }

    /// Notes that events before those of `run` are missing. If the first half of a wait is among them, the second is left out too.
    fn lose(
        &mut self,
        run: &mut EventRun,
        missing: u64,
        last_ns: u64,
        with: &PartDecoder<'_, '_, '_, '_>,
    ) {
        let is_clock = |it: &EventWords| it.kind() == Some(EventKind::Clock);
        let first = run.events.iter().position(|it| !is_clock(it));
        let is_half = |&at: &usize| run.events[at].kind() == Some(EventKind::WaitDetail);
        if let Some(half) = first.filter(is_half) {
            run.events.remove(half);
        }
        let from_ns = with.first_written(&run.events);
        if run.slot == EventRun::TIMES_OFF {
            self.lost.overwritten = self.lost.overwritten.saturating_add(missing);
        }
        let last = with.threads.in_slot(run.slot, from_ns);
        // A thread that had the slot before may have had all of them.
        for &(began_ns, thread) in with.threads.all_in_slot(run.slot) {
            if began_ns <= from_ns || last == Some(thread) {
                self.gaps.push(Gap {
                    thread,
                    events: if last == Some(thread) { missing } else { 0 },
                    from_ns: last_ns,
                    to_ns: with.relative(from_ns),
                });
            }
        }
    }

    fn add_run(
        &mut self,
        slot: &mut Slot,
        events: &[EventWords],
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) {
        for &event in events {
            let kind = event.kind();
            slot.written.note(event);
            // A ring's next segment may begin with the clocks, and so separate the halves of a wait.
            if kind == Some(EventKind::Clock) {
                continue;
            }
            if kind == Some(EventKind::WaitDetail) && slot.wait.is_some() {
                self.end_wait(slot, Some(event), with);
                continue;
            }
            self.end_wait(slot, None, with);
            let number = slot.number;
            let added = match kind {
                Some(EventKind::Wait) => {
                    slot.wait = Some(event);
                    Some(())
                }
                Some(EventKind::Hold) => self.add_hold(number, event, with),
                Some(EventKind::TimedHold) => self.add_timed_hold(slot, event, with),
                Some(EventKind::Release) => {
                    self.add_release(event, with, slot);
                    Some(())
                }
                Some(EventKind::Signal) => self.add_signal(number, event, with),
                Some(EventKind::Block) => self.add_block(number, event, with),
                Some(EventKind::OffCpu) => self.add_time_off(event, with),
                // The first half of a wait was overwritten; or nothing that this version knows.
                _ => None,
            };
            self.lost.damaged += u64::from(added.is_none());
        }
    }

    /// Adds the wait whose first half was read last, if there is one.
    fn end_wait(
        &mut self,
        slot: &mut Slot,
        detail: Option<EventWords>,
        with: &mut PartDecoder<'_, '_, '_, '_>,
    ) {
        if let Some(first) = slot.wait.take() {
            let added = self.add_wait(slot.number, first, detail, with);
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

    fn add_time_off(
        &mut self,
        event: EventWords,
        with: &PartDecoder<'_, '_, '_, '_>,
    ) -> Option<()> {
        let [out_ns, _, in_ns, _] = event.0;
        let thread = with.threads.with_tid(event.site(), out_ns).get()?;
        let out_relative = with.relative(out_ns);
        self.switches.push(Switch {
            thread: thread as u32,
            out_ns: out_relative,
            in_ns: with.relative(in_ns).max(out_relative),
            waker: with.threads.with_tid(event.generation(), in_ns),
            preempted: event.flags() & event_flags::PREEMPTED != 0,
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

impl Written {
    /// Notes an event. Its time may be long ago: a hold in ticks, if its first event has been overwritten, is added again when it ends.
    fn note(&mut self, event: EventWords) {
        let (ns, ticks) = match event.kind() {
            Some(EventKind::TimedHold) => (0, event.0[0]),
            Some(EventKind::OffCpu) => (event.0[0], 0),
            _ => (event.written_ns().unwrap_or(0), 0),
        };
        self.ns = self.ns.max(ns);
        self.ticks = self.ticks.max(ticks);
    }

    fn ns(self, ticks: &Ticks) -> u64 {
        let by_ticks = match self.ticks {
            0 => 0,
            at => ticks.ns(at),
        };
        self.ns.max(by_ticks)
    }
}

impl PartDecoder<'_, '_, '_, '_> {
    /// Returns a time relative to the beginning of the recording.
    pub(super) fn relative(&self, ns: u64) -> u64 {
        ns.saturating_sub(self.start_ns)
    }

    /// Returns when an event of any kind was written. Of a hold in ticks only its beginning is taken: it may have got its end later.
    fn written(&self, event: EventWords) -> u64 {
        event.written_ns().unwrap_or_else(|| self.time(event))
    }

    /// Returns the time of the first of these events. A hold in ticks that has its end may have been added again when it ended: of such
    /// a hold, the latest time at which it can have been written, since it was written before the others.
    fn first_written(&self, events: &[EventWords]) -> u64 {
        let has_ended = |it: &EventWords| it.kind() == Some(EventKind::TimedHold) && it.0[2] != 0;
        let Some(&first) = events.first() else {
            return 0;
        };
        let begin_ns = self.time(first);
        if !has_ended(&first) {
            return begin_ns;
        }
        let times = events.iter().filter_map(|event| match event.kind() {
            // The second half of a wait has no time of its own.
            Some(EventKind::WaitDetail) => None,
            _ if has_ended(event) => Some(self.ticks.ns(event.0[2])),
            _ => Some(self.written(*event)),
        });
        times.min().unwrap_or(0).max(begin_ns)
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
