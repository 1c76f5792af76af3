//! Events other than acquisitions while locks are held.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind, OrderEvent};

use super::context::{Context, Link};
use super::note::{note, ready};
use crate::sys;
use crate::thread::Thread;

/// Notes that a wait for the condition of `count` begins, whose mutex has been removed from the held locks.
pub fn note_condition_wait(thread: &Thread, count: &CountRecord) {
    let depth = thread.held.depth() as usize;
    if depth == 0 {
        return;
    }
    if let Some(recorder) = ready(thread)
        && let Some(context) = {
            let event = OrderEvent::ConditionWait;
            Context::of(event, Link::of(count), &thread.held, depth)
        }
    {
        note(thread, recorder, &context, 0, 1);
    }
}

/// Notes that the process is about to be forked by `thread`, in the call that returns to `site`: threads that hold locks now do
/// not exist in the child, and their locks stay held there.
pub fn note_fork(thread: &Thread, site: usize) {
    let Some(recorder) = ready(thread) else {
        return;
    };
    let mut call = None;
    for other in recorder.holders.all() {
        let depth = other.held.depth() as usize;
        if depth == 0 || core::ptr::eq(other, thread) {
            continue;
        }
        let call = *call.get_or_insert_with(|| Link {
            site: thread.site(site, recorder, None),
            entry: EntryPoint::Wait.number(),
            kind: LockKind::Mutex.number(),
            ..Link::default()
        });
        if let Some(context) = Context::of(OrderEvent::Fork, call, &other.held, depth) {
            note(thread, recorder, &context, 0, 1);
        }
    }
}

/// Notes the locks that `thread` holds at its end.
pub fn note_thread_end(thread: &Thread) {
    let depth = thread.held.depth() as usize;
    if depth == 0 {
        return;
    }
    let tid = thread.tid.load(Relaxed);
    if !thread.held.iter().any(|count| is_held_by(count, tid)) {
        return;
    }
    if let Some(recorder) = ready(thread)
        && let Some(context) = {
            let nothing = Link {
                entry: EntryPoint::Wait.number(),
                kind: LockKind::Mutex.number(),
                ..Link::default()
            };
            Context::of(OrderEvent::ThreadEnd, nothing, &thread.held, depth)
        }
    {
        note(thread, recorder, &context, 0, 1);
    }
}

/// Whether the lock says that the thread `tid` holds it. The list of held locks may have locks that other threads have released,
/// and that no longer exist, so the kernel is asked for the words. A robust mutex is made to be left held.
fn is_held_by(count: &CountRecord, tid: u32) -> bool {
    /// Offsets in the GNU C library's objects: the owner and the kind of a mutex, the writer of a reader-writer lock.
    const OWNER: usize = 8;
    const KIND: usize = 16;
    const WRITER: usize = 24;
    const ROBUST: u32 = 16;
    let mut object = [0_u8; 32];
    let read = sys::read_memory(count.lock.load(Relaxed), &mut object);
    if read != Ok(object.len()) {
        return false;
    }
    let word = |offset: usize| {
        let bytes = [0, 1, 2, 3].map(|byte| object[offset + byte]);
        u32::from_ne_bytes(bytes)
    };
    match LockKind::from_number(count.kind.load(Relaxed)) {
        Some(LockKind::Mutex) => word(OWNER) == tid && word(KIND) & ROBUST == 0,
        Some(LockKind::RwLock) => word(WRITER) == tid,
        _ => false,
    }
}
