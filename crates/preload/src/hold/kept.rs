//! Holds that are all kept in the timeline, of which some are timed for the figures too.

use core::ptr::from_ref;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::CountRecord;

use super::period::gap;
use super::record::record;
use crate::recorder::Recorder;
use crate::thread::{RECENT_HOLDS, Thread};
use crate::timeline;

/// Adds the hold that begins to the timeline. Returns whether it is not to be timed besides.
///
/// A count's `until_timed` stays zero then, so that every acquisition comes here. The number of the next acquisition to be timed
/// is in the thread.
#[inline(never)]
pub fn keep(thread: &Thread, count: &'static CountRecord, recorder: &'static Recorder) -> bool {
    timeline::holds(thread, recorder, count);
    let (known, next) = place(thread, count).get();
    let acquisitions = count.acquisitions.load(Relaxed);
    if core::ptr::eq(known, count) {
        return acquisitions < next;
    }
    !is_chosen(thread, count, recorder)
}

/// Whether a hold is timed if the number of the next one to be timed is not known any more: with the same chance as any other.
#[cold]
#[inline(never)]
fn is_chosen(thread: &Thread, count: &'static CountRecord, recorder: &'static Recorder) -> bool {
    let period = record(thread, count, recorder).map_or(1, |hold| hold.period.load(Relaxed));
    if period <= 1 || thread.random().is_multiple_of(period) {
        return true;
    }
    pass(thread, count, gap(period, thread.random()));
    false
}

/// Notes that `holds` holds go by before the next timed one.
#[inline(always)]
pub fn pass(thread: &Thread, count: &CountRecord, holds: u16) {
    if thread.events.keeps_holds() {
        pass_kept(thread, count, holds);
    } else {
        count.until_timed.store(holds, Relaxed);
    }
}

#[cold]
#[inline(never)]
fn pass_kept(thread: &Thread, count: &CountRecord, holds: u16) {
    let next = count.acquisitions.load(Relaxed) + 1 + u64::from(holds);
    place(thread, count).set((count, next));
}

fn place<'t>(
    thread: &'t Thread,
    count: &CountRecord,
) -> &'t core::cell::Cell<(*const CountRecord, u64)> {
    &thread.next_timed[from_ref(count).addr() / size_of::<CountRecord>() % RECENT_HOLDS]
}
