//! The mutex after a wait for a condition.

use super::course::add_wait;
use crate::index::Key;
use crate::ledger::Ledger;
use crate::tally::add;
use crate::timeline;

/// Enters the re-lock after a wait for a condition that was signalled at `signalled_ns` and returned at `now_ns`. The part of
/// it in which others had the mutex is entered as contention of the mutex.
///
/// `stack` is the stack of the wait for the condition.
pub fn relock(
    ledger: &Ledger,
    condition: Key,
    mutex: Key,
    stack: u32,
    signalled_ns: u64,
    now_ns: u64,
) {
    let relock_ns = now_ns.saturating_sub(signalled_ns);
    ledger.contention(condition, |contention| {
        add(&contention.relock_ns, relock_ns);
    });
    let Some(entry) = ledger.recorder.contended.find(mutex.lock) else {
        return;
    };
    if let Some(thread) = ledger.own {
        timeline::turn(thread, entry);
    }
    let (released_ns, holder) = entry.last_release();
    let Some(waited_ns) = held_meanwhile_ns(released_ns, signalled_ns, now_ns) else {
        return;
    };
    ledger.contention(mutex, |contention| {
        add(&contention.contended, 1);
        add_wait(contention, waited_ns);
    });
    if let Some(thread) = ledger.own {
        let times = [signalled_ns, signalled_ns + waited_ns];
        timeline::waited_briefly(thread, ledger.recorder, &mutex, times, stack);
        let key = Key {
            other: holder.number(),
            ..mutex
        };
        if let Some(blame) = thread.make_blame(key, ledger.recorder) {
            add(&blame.waits, 1);
            add(&blame.wait_ns, waited_ns);
        }
        let key = Key {
            other: stack,
            ..mutex
        };
        if let Some(by_stack) = thread.make_stack_wait(key, ledger.recorder) {
            add(&by_stack.waits, 1);
            add(&by_stack.wait_ns, waited_ns);
        }
    }
}

/// Returns how long others had a mutex between a signal and the return of the wait, or `None` if it was free. The mutex was
/// last released at `released_ns`.
fn held_meanwhile_ns(released_ns: u64, signalled_ns: u64, now_ns: u64) -> Option<u64> {
    (released_ns > signalled_ns).then(|| released_ns.min(now_ns) - signalled_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutex_is_waited_for_from_the_signal_until_it_is_released() {
        let held = |released_ns| held_meanwhile_ns(released_ns, 1_000, 1_700);
        assert_eq!(held(0), None, "nobody ever waited for it");
        assert_eq!(held(1_000), None);
        assert_eq!(held(1_001), Some(1));
        assert_eq!(held(1_600), Some(600), "the rest is the wake-up");
        // Released by the next holder, before this thread read the clock.
        assert_eq!(held(1_900), Some(700));
    }
}
