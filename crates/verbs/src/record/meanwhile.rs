//! A thread of locktoll that works while the program runs.

use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

/// Runs the program by `run`, and `work` in another thread in the meantime, until the flag that it is given is set. Returns what both
/// return; `None` if the work panicked: the recording is made without it.
///
/// If `run` panics, the work ends too. Otherwise this would wait for the thread for ever.
pub fn meanwhile<T, W: Send>(
    work: impl FnOnce(&AtomicBool) -> W + Send,
    run: impl FnOnce() -> T,
) -> (T, Option<W>) {
    let has_ended = AtomicBool::new(false);
    thread::scope(|scope| {
        let ending = Ending(&has_ended);
        let work = scope.spawn(|| work(&has_ended));
        let ran = run();
        drop(ending);
        (ran, work.join().ok())
    })
}

/// Sets the flag in the end, whatever happens before.
struct Ending<'f>(&'f AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        // Relaxed: nothing else is passed on with it.
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn until(has_ended: &AtomicBool) -> u32 {
        while !has_ended.load(Relaxed) {
            thread::yield_now();
        }
        7
    }

    #[test]
    fn neither_side_takes_the_other_with_it() {
        assert_eq!(meanwhile(until, || 3), (3, Some(7)));
        let fails = |_: &AtomicBool| -> u32 { panic!("the work fails, as this test wants it") };
        assert_eq!(meanwhile(fails, || 3), (3, None));
        let run = || -> u32 { panic!("the run fails, as this test wants it") };
        let ended = catch_unwind(AssertUnwindSafe(|| meanwhile(until, run)));
        assert!(ended.is_err(), "and the work has ended");
    }
}
