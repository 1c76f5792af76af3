//! Finds the holder of a lock.

use core::sync::atomic::Ordering::Relaxed;

use crate::place::Place;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// Returns the holder of `lock`, and the place where it acquired the lock. The holder is thread `owner`, if the lock shows its
/// owner.
pub fn holder_of(recorder: &Recorder, lock: usize, owner: Option<u32>) -> Option<(u32, Place)> {
    let holds = |thread: &'static Thread| {
        let place = thread.held.place_of(lock)?;
        Some((thread.tid.load(Relaxed), place))
    };
    match owner {
        Some(owner) => recorder.holders.find(owner).and_then(holds),
        None => recorder.holders.iter().find_map(holds),
    }
}
