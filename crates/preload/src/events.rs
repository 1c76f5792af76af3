//! The ring of a thread's events by time: the timeline.
//!
//! A ring consists of chunks of the recording. It begins with one, and gets another when that is full, as long as there is room.
//! After that the oldest chunk is written again.
//!
//! # Invariants
//!
//! - **R1** The first `chunks` chunks are set, and stay mapped. Only the thread writes them.
//! - **R2** A signal handler may interrupt the thread anywhere. While the thread writes an event, or its end, or turns to another
//!   chunk, `state` says so, and the events of the handler are dropped. So nothing below changes between two steps of these.

use core::cell::Cell;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU64, compiler_fence};

use locktoll_recording::layout::{EventRecord, EventWords};
use locktoll_recording::writer::RingSegment;

mod series;

use series::Series;
pub use series::{APART_NS, Passed};

/// The number of chunks of one ring.
pub const MOST_CHUNKS: usize = 32;

/// What is kept: nothing, if zero.
const WAITS: u8 = 1;
const HOLDS: u8 = 2;
/// An event is being written, or the ring turns to another chunk.
const BUSY: u8 = 4;

/// The second pair of readings of both clocks follows this many ticks after the first. The distance then doubles up to a bound. So a
/// short process has several pairs, and a long one has a pair every few milliseconds if the counter runs at some gigahertz.
const FIRST_STEP_TICKS: u64 = 1 << 16;
const LAST_STEP_TICKS: u64 = 1 << 24;

/// The bytes of the room for events that have been used, by all threads. A forked child has a room of its own.
pub struct Room {
    /// Changed under the recorder's lock.
    pub used: AtomicU64,
}

/// The number of an event among those of the thread slot, plus one. Zero means none.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Mark(u64);

/// The ring. All zeros keeps nothing.
pub struct Events {
    state: Cell<u8>,
    /// The next record of the present chunk.
    position: Cell<u32>,
    capacity: Cell<u32>,
    present: Cell<Option<RingSegment>>,
    /// The number of the first event of the present chunk.
    first: Cell<u64>,
    chunks: Cell<u32>,
    turn: Cell<u32>,
    all: [Cell<Option<RingSegment>>; MOST_CHUNKS],
    /// When the next pair of both clocks is due, ticks; and the time since the last one.
    clock_due: Cell<u64>,
    clock_step: Cell<u64>,
    series: Series,
}

impl Events {
    /// Begins to keep waits, and holds too if `holds`.
    pub fn keep(&self, holds: bool) {
        self.state.set(if holds { WAITS | HOLDS } else { WAITS });
    }

    /// Whether waits are kept.
    #[inline(always)]
    pub fn keeps_waits(&self) -> bool {
        self.state.get() & WAITS != 0
    }

    /// Whether all holds are kept.
    #[inline(always)]
    pub fn keeps_holds(&self) -> bool {
        self.state.get() & HOLDS != 0
    }

    /// Whether a pair of both clocks is due. The first one is due at once.
    #[inline(always)]
    pub fn clock_is_due(&self, ticks: u64) -> bool {
        ticks >= self.clock_due.get()
    }

    /// Notes that a pair of both clocks was read.
    pub fn clock_is_kept(&self, ticks: u64) {
        let step = (self.clock_step.get() * 2).clamp(FIRST_STEP_TICKS, LAST_STEP_TICKS);
        self.clock_step.set(step);
        self.clock_due.set(ticks.saturating_add(step));
    }

    /// Does `work` while events of signal handlers are dropped (R2). Returns `None` in such a handler.
    #[inline(always)]
    fn alone<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let state = self.state.get();
        if state & BUSY != 0 {
            return None;
        }
        // A handler that comes between these lines leaves the state as it found it.
        self.state.set(state | BUSY);
        compiler_fence(SeqCst);
        let result = work();
        compiler_fence(SeqCst);
        self.state.set(state);
        Some(result)
    }

    /// Adds an event. Returns `None` if the present chunk is full, or in a handler that has interrupted this.
    #[inline(always)]
    pub fn put(&self, event: EventWords) -> Option<Mark> {
        self.alone(|| self.put_alone(event).map(|it| it.0))?
    }

    /// Does the same while the events are busy. Returns the record too.
    #[inline(always)]
    fn put_alone(&self, event: EventWords) -> Option<(Mark, &EventRecord)> {
        let position = self.position.get();
        let chunk = self
            .present
            .get()
            .filter(|_| position < self.capacity.get())?;
        // SAFETY: the position is below the capacity, which is that of the present chunk (R2).
        let record = unsafe { chunk.record(position) };
        self.series.interrupt();
        event.store(record);
        self.position.set(position + 1);
        chunk.publish(position + 1);
        Some((Mark(self.first.get() + u64::from(position) + 1), record))
    }

    /// Sets the end of an event that was added with the end zero, unless it has been overwritten since. Returns whether it was
    /// still there; `false` too in a handler that has interrupted this.
    #[inline(always)]
    pub fn end(&self, mark: Mark, end: u64) -> bool {
        let is_ended = self.alone(|| {
            let index = mark.0.wrapping_sub(1).wrapping_sub(self.first.get());
            if index < u64::from(self.position.get())
                && let Some(chunk) = self.present.get()
            {
                // SAFETY: the position is not above the capacity of the present chunk (R2). Relaxed: a reader sees the event
                // with or without its end.
                unsafe { chunk.record(index as u32) }.words[2].store(end, Relaxed);
                return true;
            }
            self.end_in_another(mark, end)
        });
        is_ended.unwrap_or(false)
    }

    #[cold]
    #[inline(never)]
    fn end_in_another(&self, mark: Mark, end: u64) -> bool {
        let Some(number) = mark.0.checked_sub(1) else {
            return false;
        };
        for chunk in self.all.iter().filter_map(Cell::get) {
            let index = number.wrapping_sub(chunk.first());
            // In the present chunk, the later records are of an earlier round.
            let is_present = chunk.first() == self.first.get();
            if index < u64::from(chunk.capacity()) && !is_present {
                // SAFETY: the index is below the capacity. Relaxed: as in `end`.
                unsafe { chunk.record(index as u32) }.words[2].store(end, Relaxed);
                return true;
            }
        }
        false
    }

    /// Returns the number of the next event, and the number of chunks, for the one who makes another.
    pub fn next(&self) -> (u64, usize) {
        let number = self.first.get() + u64::from(self.position.get());
        (number, self.chunks.get() as usize)
    }

    /// Begins to turn to another chunk. Returns `false` if that is being done already.
    pub fn begin_turn(&self) -> bool {
        let state = self.state.get();
        self.state.set(state | BUSY);
        compiler_fence(SeqCst);
        state & BUSY == 0
    }

    /// Gives the turn up if the present chunk has room: a handler that came after `put` and before `begin_turn` has turned, and this
    /// thread would leave a chunk behind that is not full. Returns whether it was given up.
    pub fn has_turned(&self) -> bool {
        let has_room = self.position.get() < self.capacity.get();
        if has_room {
            compiler_fence(SeqCst);
            self.state.set(self.state.get() & !BUSY);
        }
        has_room
    }

    /// Continues in `new`, or else in the oldest chunk.
    pub fn turn(&self, new: Option<RingSegment>) {
        let (number, chunks) = self.next();
        let turned = match new {
            Some(chunk) if chunks < MOST_CHUNKS => {
                self.all[chunks].set(Some(chunk));
                self.chunks.set(chunks as u32 + 1);
                self.turn.set(chunks as u32);
                Some(chunk)
            }
            _ if chunks == 0 => None,
            _ => {
                let turn = (self.turn.get() + 1) % chunks as u32;
                self.turn.set(turn);
                let chunk = self.all[turn as usize].get();
                if let Some(chunk) = chunk {
                    chunk.restart(number);
                }
                chunk
            }
        };
        self.series.interrupt();
        // In this order: a handler that comes in between finds no room.
        self.capacity.set(0);
        compiler_fence(SeqCst);
        self.present.set(turned);
        self.first.set(number);
        self.position.set(0);
        compiler_fence(SeqCst);
        self.capacity.set(turned.map_or(0, RingSegment::capacity));
        self.state.set(self.state.get() & !BUSY);
    }
}

#[cfg(test)]
mod tests {
    use core::ptr::NonNull;

    use locktoll_recording::layout::{EventKind, LockKind};
    use locktoll_recording::writer::{capacity_of, segment_bytes};

    use super::*;

    fn event(time: u64) -> EventWords {
        let lock = (LockKind::Mutex, 0x1000, 1);
        EventWords::new(EventKind::TimedHold, lock, 0, [time, 0], 5)
    }

    pub(super) fn chunk(first: u64) -> RingSegment {
        let bytes = segment_bytes(100, 32);
        let memory = Box::leak(vec![0_u64; bytes as usize / 8].into_boxed_slice());
        // SAFETY: W1 to W3: the memory is this test's.
        unsafe { RingSegment::begin(NonNull::from(memory).cast(), bytes, 1, first) }
    }

    pub(super) fn ring(chunks: usize) -> Events {
        // SAFETY: zeros keep nothing.
        let ring: Events = unsafe { core::mem::zeroed() };
        assert!(!ring.keeps_waits() && ring.put(event(0)).is_none());
        ring.keep(true);
        assert!(ring.keeps_holds());
        for number in 0.. {
            if ring.put(event(number)).is_none() {
                if ring.next().1 == chunks {
                    break;
                }
                assert!(ring.begin_turn());
                ring.turn(Some(chunk(ring.next().0)));
                assert!(ring.put(event(number)).is_some());
            }
        }
        ring
    }

    #[test]
    fn the_oldest_chunk_is_written_again_and_its_numbers_go_on() {
        let per_chunk = u64::from(capacity_of(segment_bytes(100, 32), 32));
        let ring = ring(3);
        assert_eq!(ring.next().0, 3 * per_chunk);
        assert!(ring.begin_turn() && !ring.begin_turn());
        ring.turn(None);
        let mark = ring.put(event(9)).unwrap();
        assert!(mark == Mark(3 * per_chunk + 1));
        let oldest = ring.all[0].get().unwrap();
        assert_eq!(oldest.first(), 3 * per_chunk);
    }

    /// A handler that interrupts the thread between two steps of an event must not write into the ring, or turn it.
    #[test]
    fn what_interrupts_an_event_adds_none() {
        let ring = ring(2);
        assert!(ring.begin_turn());
        ring.turn(None);
        let mark = ring.put(event(1)).unwrap();
        let next = ring.next();
        let inside = ring.alone(|| {
            let put = ring.put(event(2));
            (
                put.is_none(),
                ring.end(mark, 5),
                ring.begin_turn(),
                ring.next(),
            )
        });
        assert_eq!(inside, Some((true, false, false, next)));
        assert!(ring.put(event(3)).is_some() && ring.end(mark, 5) && ring.begin_turn());
    }

    /// A handler comes between a `put` that finds no room and the turn.
    #[test]
    fn a_chunk_to_which_a_handler_has_turned_is_filled_first() {
        let ring = ring(2);
        assert!(ring.put(event(1)).is_none());
        assert!(ring.begin_turn() && !ring.has_turned());
        ring.turn(None);
        let by_handler = ring.put(event(2)).unwrap();
        assert!(ring.begin_turn() && ring.has_turned());
        let mark = ring.put(event(1)).unwrap();
        assert!(mark.0 == by_handler.0 + 1);
        assert!(ring.begin_turn(), "the turn was given up");
    }

    #[test]
    fn an_event_is_ended_wherever_it_is_unless_it_was_overwritten() {
        let ring = ring(2);
        let per_chunk = u64::from(ring.all[0].get().unwrap().capacity());
        let end_of = |number: u64| {
            let chunk = ring.all[(number / per_chunk) as usize % 2].get().unwrap();
            // SAFETY: below the capacity.
            unsafe { chunk.record((number % per_chunk) as u32) }.words[2].load(Relaxed)
        };
        for number in [0, per_chunk - 1, per_chunk, 2 * per_chunk - 1] {
            assert!(ring.end(Mark(number + 1), 77));
            assert_eq!(end_of(number), 77, "{number}");
        }
        assert!(ring.begin_turn());
        ring.turn(None);
        let mark = ring.put(event(5)).unwrap();
        assert!(!ring.end(Mark(3), 88), "overwritten or about to be");
        assert!(ring.end(Mark(per_chunk + 3), 88) && ring.end(mark, 99));
        assert!(!ring.end(Mark(0), 1) && !ring.end(Mark(u64::MAX), 1));
    }

    #[test]
    fn clocks_are_due_at_once_soon_and_then_from_time_to_time() {
        // SAFETY: zeros keep nothing.
        let ring: Events = unsafe { core::mem::zeroed() };
        let mut kept = Vec::new();
        for ticks in (5..200_000_000).step_by(1 << 14) {
            if ring.clock_is_due(ticks) {
                ring.clock_is_kept(ticks);
                kept.push(ticks);
            }
        }
        let steps: Vec<u64> = kept.windows(2).map(|it| it[1] - it[0]).collect();
        assert_eq!(
            (kept[0], steps[0], steps[1]),
            (5, FIRST_STEP_TICKS, 2 * FIRST_STEP_TICKS)
        );
        assert_eq!(steps.last(), Some(&LAST_STEP_TICKS));
        assert!(steps.is_sorted());
    }
}
