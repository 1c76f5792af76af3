//! Who holds a lock.

use core::sync::atomic::Ordering::Relaxed;

use crate::place::Place;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// The holder of `lock`, and where it acquired it: the thread `owner` if the lock says who that is.
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
