//! Notes a context that has not come by recently.

use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    CountRecord, DropReason, LockKind, OrderEvent, OrderRecord, THREADS_KEPT, order_flags,
};

use super::context::{Context, Link};
use crate::chains::Chained;
use crate::environment;
use crate::recorder::Recorder;
use crate::tally::add;
use crate::thread::Thread;

/// The number of contexts that a thread keeps by the locks themselves.
const SINGLE_OF_THREAD: u32 = 1024;
/// The number of contexts that a thread keeps altogether.
const ALL_OF_THREAD: u32 = 2048;
/// The number of contexts that all threads of a process keep together by the locks themselves; they take up 320 bytes each.
const SINGLE_OF_PROCESS: u32 = 1 << 14;
/// The number of contexts of a process altogether.
const ALL_OF_PROCESS: u32 = 1 << 15;
/// The number of a thread's acquisitions at new places whose stacks are kept, in case another lock is acquired in the meantime.
const STACKS_OF_THREAD: u32 = 1024;

/// The contexts that the threads of the process have kept. They are ordinary memory: the child of a fork keeps fewer.
static KEPT: AtomicU32 = AtomicU32::new(0);

/// Notes that `thread` has acquired the lock of `count`, which it pushed last, while it held others. `chain` is their number.
#[cold]
#[inline(never)]
pub fn note_acquisition(thread: &Thread, count: &CountRecord, chain: u64) {
    let Some(recorder) = ready(thread) else {
        return;
    };
    let depth = thread.held.depth().saturating_sub(1) as usize;
    let acquired = Link::of(count);
    let event = OrderEvent::Acquisition;
    let Some(context) = Context::of(event, acquired, &thread.held, depth) else {
        return;
    };
    // SAFETY: the thread has just acquired the lock, and is still inside the call.
    let flags = unsafe { flags(acquired) };
    match note(thread, recorder, &context, flags, 1) {
        Some(record) => thread.chains.note(chain, record),
        None => recorder.part().drop_one(DropReason::OrderTableFull),
    }
}

/// Notes that `thread` is about to wait for the lock of `count` while it holds others. The wait may never end, and then it is the
/// most important of all. It is counted once the lock is acquired.
pub fn note_wait(thread: &Thread, count: &CountRecord) {
    let depth = thread.held.depth() as usize;
    if depth == 0 || thread.chains.chained() == Chained::Off {
        return;
    }
    let chain = thread
        .held
        .chain_with(depth, count, thread.chains.chained());
    if thread.chains.find(chain).is_some() {
        return;
    }
    if let Some(recorder) = ready(thread)
        && let Some(context) = {
            let (event, acquired) = (OrderEvent::Acquisition, Link::of(count));
            Context::of(event, acquired, &thread.held, depth)
        }
    {
        // SAFETY: the thread is inside a call on the lock, which is not destroyed meanwhile.
        let flags = unsafe { flags(context.acquired) };
        note(thread, recorder, &context, flags, 0);
    }
}

/// Returns the recorder, if contexts are noted and `thread` can make records now.
pub fn ready(thread: &Thread) -> Option<&'static Recorder> {
    let recorder = Recorder::get()?;
    if !environment::notes_order() {
        thread.chains.set_chained(Chained::Off);
        return None;
    }
    (recorder.is_on() && !thread.is_busy()).then_some(recorder)
}

/// Counts the event this many times in the record of its context. Returns `None` if there is no room for it.
pub fn note(
    thread: &Thread,
    recorder: &'static Recorder,
    context: &Context,
    flags: u8,
    times: u64,
) -> Option<&'static OrderRecord> {
    let addresses = &recorder.addresses;
    let find = |context: &Context| {
        let found = thread.orders.index.find(context.key(addresses), addresses);
        found.filter(|record| context.is(record))
    };
    let record = match find(context) {
        Some(record) => {
            if is_known(record, thread) {
                thread.chains.had_forgotten();
            }
            record
        }
        None if has_room_for_single(thread) => make(thread, recorder, context, flags)?,
        None => {
            thread.chains.set_chained(Chained::Births);
            let pooled = context.pooled();
            match find(&pooled) {
                Some(record) => record,
                None => make(thread, recorder, &pooled, flags)?,
            }
        }
    };
    context.add_to(record);
    add(&record.times, times);
    add_thread(record, thread.tid.load(Relaxed));
    Some(record)
}

fn has_room_for_single(thread: &Thread) -> bool {
    // Relaxed: the bound need not be exact.
    thread.orders.index.used() < SINGLE_OF_THREAD && KEPT.load(Relaxed) < SINGLE_OF_PROCESS
}

fn make(
    thread: &Thread,
    recorder: &'static Recorder,
    context: &Context,
    flags: u8,
) -> Option<&'static OrderRecord> {
    // Relaxed, both: as above.
    if thread.orders.index.used() >= ALL_OF_THREAD || KEPT.load(Relaxed) >= ALL_OF_PROCESS {
        return None;
    }
    let key = context.key(&recorder.addresses);
    if thread.orders.index.find(key, &recorder.addresses).is_some() {
        // Another context has the same number.
        return None;
    }
    let stack = match context.acquired.site {
        0 => 0,
        site => recorder.stack(thread, recorder.addresses.get(site)),
    };
    let record = thread.make_order(key, recorder, |record| context.fill(record, flags, stack))?;
    KEPT.fetch_add(1, Relaxed);
    Some(record)
}

/// Whether the record is known to have come from this same thread.
fn is_known(record: &OrderRecord, thread: &Thread) -> bool {
    let tid = thread.tid.load(Relaxed);
    record.tids.iter().any(|it| it.load(Relaxed) == tid)
}

/// Adds the thread `tid` to those of the record, unless it was the last one that was added.
fn add_thread(record: &OrderRecord, tid: u32) {
    let threads = record.threads.load(Relaxed) as usize;
    let kept = &record.tids[..threads.min(THREADS_KEPT)];
    if kept.iter().any(|it| it.load(Relaxed) == tid) {
        return;
    }
    if let Some(field) = record.tids.get(threads) {
        field.store(tid, Relaxed);
    }
    record.threads.store(threads as u32 + 1, Relaxed);
}

/// Returns the bits of [`order_flags`] for a lock.
///
/// # Safety
/// The thread is inside a call on the lock.
unsafe fn flags(acquired: Link) -> u8 {
    /// The offset at which the GNU C library keeps the kind of a reader-writer lock, part of its binary interface, since static
    /// initialisers write it.
    const KIND: usize = 48;
    /// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`. The C library treats all other kinds alike.
    const PREFER_WRITER_NONRECURSIVE: u32 = 2;
    if acquired.kind != LockKind::RwLock.number() {
        return 0;
    }
    // SAFETY: the caller's promise; the word is within the object and aligned.
    let kind = unsafe { ((acquired.lock as usize + KIND) as *const u32).read_volatile() };
    match kind {
        PREFER_WRITER_NONRECURSIVE => order_flags::PREFERS_WRITERS,
        _ => 0,
    }
}

/// Keeps the stack with which `thread` has acquired the lock that it pushed last, at a place where it had not acquired it before.
/// Most inversions that a program makes once are made there.
pub fn keep_stack(thread: &Thread, count: &CountRecord) {
    if thread.counts.index.used() > STACKS_OF_THREAD {
        return;
    }
    if let Some(recorder) = ready(thread) {
        let address = recorder.addresses.get(count.site.load(Relaxed));
        thread.held.examined_last(recorder.stack(thread, address));
    }
}
