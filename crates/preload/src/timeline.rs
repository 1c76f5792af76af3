//! Enters events into the calling thread's ring: the timeline.
//!
//! With waits alone, all times are of the clock, which the recorder reads anyway. With all holds, an uncontended hold is timed by
//! the processor's counter, and its record is made when it begins, so a process that is killed leaves the holds that lasted.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    CountRecord, DropReason, EntryPoint, EventKind, EventWords, Keeps, LockKind, event_flags,
};

use crate::clock;
use crate::contended::Contended;
use crate::environment;
use crate::events::{APART_NS, MOST_CHUNKS, Mark, Passed};
use crate::held::Kept;
use crate::index::Key;
use crate::recorder::Recorder;
use crate::thread::Thread;
use crate::ticks;
use crate::waited::{End, Waited};

/// The size of a thread's first chunk. Each is twice as long as the one before, up to a bound.
const FIRST_CHUNK_BYTES: u64 = 64 << 10;
/// No chunk is longer than this part of the room.
const LARGEST_CHUNK: u64 = 16;
/// This part of the room is kept for the first chunks of threads that begin later.
const KEPT_FOR_OTHERS: u64 = 4;
const PAGE_BYTES: u64 = 4096;

/// A wait that lasted this long has its stack walked, even if it is not in the sample: compared with the wait, that takes no time.
const STACK_FROM_NS: u64 = 50_000;

/// Begins to keep the events of `thread`, which has just got its slot.
pub fn begin(thread: &Thread) {
    if let Some((keeps, _)) = environment::timeline() {
        thread.events.keep(keeps == Keeps::Everything);
    }
}

/// Adds an event to the ring of the calling thread.
#[inline(always)]
fn put(thread: &Thread, recorder: &'static Recorder, event: EventWords) -> Mark {
    match thread.events.put(event) {
        Some(mark) => mark,
        None => put_into_another(thread, recorder, event),
    }
}

/// Does the same in the next chunk.
#[cold]
#[inline(never)]
fn put_into_another(thread: &Thread, recorder: &'static Recorder, event: EventWords) -> Mark {
    loop {
        if !thread.events.begin_turn() {
            recorder.part().drop_one(DropReason::EventsWithoutRoom);
            return Mark::default();
        }
        if !thread.events.has_turned() {
            break;
        }
        if let Some(mark) = thread.events.put(event) {
            return mark;
        }
    }
    let (number, chunks) = thread.events.next();
    let new = (recorder.is_on() && chunks < MOST_CHUNKS)
        .then(|| new_chunk(thread, recorder, number, chunks as u32))
        .flatten();
    thread.events.turn(new);
    if thread.events.keeps_holds() {
        let _ = thread.events.put(clocks(thread));
    }
    thread.events.put(event).unwrap_or_else(|| {
        recorder.part().drop_one(DropReason::EventsWithoutRoom);
        Mark::default()
    })
}

/// Reads both clocks, for the reader to convert ticks.
fn clocks(thread: &Thread) -> EventWords {
    let (ns, ticks) = ticks::with_clock();
    thread.events.clock_is_kept(ticks);
    EventWords::new(EventKind::Clock, (LockKind::Mutex, 0, 0), 0, [ns, ticks], 0)
}

/// Adds the time of both clocks, after a time in ticks that is far from the last one.
#[cold]
#[inline(never)]
fn put_clocks(thread: &Thread, recorder: &'static Recorder) {
    put(thread, recorder, clocks(thread));
}

/// Takes another chunk out of the room, if there is room for one.
fn new_chunk(
    thread: &Thread,
    recorder: &'static Recorder,
    number: u64,
    chunks: u32,
) -> Option<locktoll_recording::writer::RingSegment> {
    let (_, room) = environment::timeline()?;
    let largest = (room / LARGEST_CHUNK).max(PAGE_BYTES);
    let wanted = FIRST_CHUNK_BYTES
        .checked_shl(chunks)
        .map_or(largest, |it| it.min(largest))
        .next_multiple_of(PAGE_BYTES);
    let end = match chunks {
        0 => room,
        _ => room - room / KEPT_FOR_OTHERS,
    };
    // Relaxed: no room is ever given back, so if there is none now, there will be none under the lock. A thread without a chunk comes
    // here with each event, and must not take the lock in vain.
    if recorder.room.used.load(Relaxed) + wanted > end {
        return None;
    }
    let guard = recorder.lock();
    // Relaxed: the lock orders it.
    let used = recorder.room.used.load(Relaxed);
    if used + wanted > end {
        return None;
    }
    // SAFETY: the recorder's lock is P1.
    let (chunk, bytes) = unsafe { guard.shared().part.ring(thread.slot(), number, wanted) }?;
    recorder.room.used.store(used + bytes, Relaxed);
    Some(chunk)
}

/// Notes that a wait of the calling thread for the lock begins, or has ended with the lock.
#[inline]
pub fn turn(thread: &Thread, entry: &Contended) {
    if thread.events.keeps_waits() {
        entry.turn();
    }
}

/// Adds a wait that is over. `stack` walks the calls that led to it, which takes time.
pub fn waited(
    thread: &Thread,
    recorder: &'static Recorder,
    wait: &Waited,
    since_ns: u64,
    stack: impl FnOnce() -> u32,
) {
    if !thread.events.keeps_waits() {
        return;
    }
    let stack = match wait.stack {
        0 if wait.waited_ns >= STACK_FROM_NS && recorder.is_on() => stack(),
        known => known,
    };
    let flags = match wait.end {
        End::Done => 0,
        End::TimedOut => event_flags::TIMED_OUT,
        End::Failed => event_flags::FAILED,
    };
    let released_ns = wait
        .holders
        .map_or(0, |holders| holders.last_release.0)
        .max(since_ns);
    let (holder, place) = thread.life().map_or((0, 0), |life| {
        // Relaxed: this thread wrote them.
        let of = |field: &core::sync::atomic::AtomicU32| field.load(Relaxed);
        (of(&life.waiting_holder), of(&life.waiting_holder_site))
    });
    let site = thread.site(wait.key.site, recorder, None);
    let times = [since_ns, wait.now_ns];
    let first = EventWords::new(EventKind::Wait, lock_of(&wait.key), flags, times, site);
    let released_ns = if released_ns > since_ns {
        released_ns
    } else {
        0
    };
    put(thread, recorder, first);
    put(
        thread,
        recorder,
        EventWords::detail(released_ns, stack, holder, place),
    );
}

/// Adds a wait for `key` about which no more is known, from `since_ns` to `until_ns`.
pub fn waited_briefly(
    thread: &Thread,
    recorder: &'static Recorder,
    key: &Key,
    times: [u64; 2],
    stack: u32,
) {
    if thread.events.keeps_waits() {
        let site = thread.site(key.site, recorder, None);
        let first = EventWords::new(EventKind::Wait, lock_of(key), 0, times, site);
        put(thread, recorder, first);
        put(thread, recorder, EventWords::detail(times[1], stack, 0, 0));
    }
}

/// Adds the beginning of the hold of `count`, which the thread pushed last.
#[inline]
pub fn holds(thread: &Thread, recorder: &'static Recorder, count: &CountRecord) {
    let begin = ticks::now();
    let event = hold(EventKind::TimedHold, count, 0, [begin, 0]);
    let mark = put(thread, recorder, event);
    thread.held.keep_last(Kept { begin, mark });
    if thread.events.clock_is_due(begin) {
        put_clocks(thread, recorder);
    }
}

/// Notes that the thread has had `lock` since `now_ns`, after a wait.
pub fn holds_after_wait(thread: &Thread, lock: usize, now_ns: u64) {
    if thread.events.keeps_waits() && !thread.events.keeps_holds() {
        let mark = Mark::default();
        thread.held.keep_awaited(
            lock,
            Kept {
                begin: now_ns,
                mark,
            },
        );
    }
}

/// Ends the hold of `lock` if it was acquired last, and if its end is to be noted here only. Returns `false` if it is not.
#[inline(always)]
pub fn ends(thread: &Thread, lock: usize) -> bool {
    thread.events.keeps_holds() && ends_kept(thread, lock)
}

#[inline(never)]
fn ends_kept(thread: &Thread, lock: usize) -> bool {
    let Some((count, kept)) = thread.held.pop_kept(lock) else {
        return false;
    };
    end(thread, count, kept, ticks::now(), 0);
    true
}

fn end(thread: &Thread, count: &CountRecord, kept: Kept, now: u64, flags: u8) {
    let is_ended = thread.events.end(kept.mark, now);
    let is_due = thread.events.clock_is_due(now);
    if (!is_ended || is_due)
        && let Some(recorder) = Recorder::get()
    {
        if !is_ended && kept.begin != 0 {
            // Its beginning has been overwritten, or was not kept.
            let event = hold(EventKind::TimedHold, count, flags, [kept.begin, now]);
            put(thread, recorder, event);
        }
        if is_due {
            put_clocks(thread, recorder);
        }
    }
}

/// Adds the end of a hold. `awaited` is the time, and the lock's turns then, if a thread waits for the lock.
#[inline(always)]
pub fn released(
    thread: &Thread,
    recorder: &'static Recorder,
    (count, kept): (&'static CountRecord, Kept),
    held_ns: Option<u64>,
    awaited: Option<(u64, Option<u32>)>,
) {
    if let Some((at_ns, Some(turns))) = awaited
        && kept.begin == 0
        && held_ns.is_none_or(|it| it < APART_NS)
    {
        // Most releases while a thread waits admit nobody, and the next waiter is kept waiting by all that is done here.
        let passed = Passed::new(count, turns, at_ns);
        if !thread.events.prolong(&passed) {
            put_passed(thread, recorder, count, held_ns, &passed);
        }
        return;
    }
    released_once(
        thread,
        recorder,
        (count, kept),
        held_ns,
        awaited.map(|it| it.0),
    );
}

/// Adds the end of a hold that is an event of its own.
#[inline(never)]
fn released_once(
    thread: &Thread,
    recorder: &'static Recorder,
    (count, kept): (&CountRecord, Kept),
    held_ns: Option<u64>,
    at_ns: Option<u64>,
) {
    if thread.events.keeps_holds() {
        let now = ticks::now();
        end(thread, count, kept, now, 0);
        if let Some(at_ns) = at_ns {
            let event = hold(
                EventKind::Release,
                count,
                event_flags::AWAITED,
                [at_ns, now],
            );
            put(thread, recorder, event);
        }
    } else if thread.events.keeps_waits() && (at_ns.is_some() || kept.begin != 0) {
        let now_ns = at_ns.unwrap_or_else(clock::monotonic_ns);
        let flags = at_ns.map_or(0, |_| event_flags::AWAITED);
        let begin_ns = match (kept.begin, held_ns) {
            (0, Some(held_ns)) => now_ns.saturating_sub(held_ns),
            (begin_ns, _) => begin_ns,
        };
        let event = hold(EventKind::Hold, count, flags, [begin_ns, now_ns]);
        put(thread, recorder, event);
    }
}

/// Adds the end of a hold that may begin a series.
#[inline(never)]
fn put_passed(
    thread: &Thread,
    recorder: &'static Recorder,
    count: &'static CountRecord,
    held_ns: Option<u64>,
    passed: &Passed,
) {
    let at_ns = passed.at_ns();
    let begin_ns = held_ns.map_or(0, |it| at_ns.saturating_sub(it));
    let times = [begin_ns, at_ns];
    let event = hold(EventKind::Hold, count, event_flags::AWAITED, times);
    let is_lock = matches!(
        event.lock_kind(),
        Some(LockKind::Mutex | LockKind::RwLock | LockKind::Spin)
    );
    if thread.events.keeps_holds() || !is_lock || !thread.events.put_passed(event, passed) {
        let hold = (count, Kept::default());
        released_once(thread, recorder, hold, held_ns, Some(at_ns));
    }
}

/// Adds a signal to other threads.
pub fn signalled(thread: Option<&Thread>, recorder: &'static Recorder, key: &Key) {
    if let Some(thread) = thread.filter(|it| it.events.keeps_waits()) {
        let flags = match key.entry {
            EntryPoint::Broadcast => event_flags::ALL,
            _ => 0,
        };
        let site = thread.site(key.site, recorder, None);
        let times = [clock::monotonic_ns(), 0];
        let event = EventWords::new(EventKind::Signal, lock_of(key), flags, times, site);
        put(thread, recorder, event);
    }
}

/// Adds a call that may block, made while the thread holds locks, which has returned after `took_ns`.
pub fn blocked(thread: &Thread, recorder: &'static Recorder, took_ns: u64) {
    if thread.events.keeps_waits()
        && let Some(count) = thread.held.iter().last()
    {
        let now_ns = clock::monotonic_ns();
        let times = [now_ns.saturating_sub(took_ns), now_ns];
        put(thread, recorder, hold(EventKind::Block, count, 0, times));
    }
}

fn lock_of(key: &Key) -> (LockKind, u64, u32) {
    (key.kind, key.lock as u64, key.generation)
}

/// Makes an event about the lock and the site of `count`.
#[inline(always)]
fn hold(kind: EventKind, count: &CountRecord, flags: u8, times: [u64; 2]) -> EventWords {
    let number = count.kind.load(Relaxed);
    let lock_kind = LockKind::from_number(number).unwrap_or(LockKind::Mutex);
    let shared = match EntryPoint::from_number(count.entry.load(Relaxed)) {
        Some(EntryPoint::ReadLock | EntryPoint::TryReadLock | EntryPoint::TimedReadLock) => {
            event_flags::SHARED
        }
        _ => 0,
    };
    let lock = (
        lock_kind,
        count.lock.load(Relaxed),
        count.generation.load(Relaxed),
    );
    EventWords::new(kind, lock, flags | shared, times, count.site.load(Relaxed))
}
