//! The mutex after a wait for a condition.

use super::course::add_wait;
use crate::index::Key;
use crate::ledger::Ledger;
use crate::tally::add;

/// A wait for a condition that was signalled at `signalled_ns` returned at `now_ns`: enters the re-lock, and as contention of the
/// mutex that part of it in which others had the mutex.
///
/// `stack` is that of the wait for the condition.
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
    let (released_ns, holder) = entry.last_release();
    if released_ns <= signalled_ns {
        return;
    }
    let waited_ns = released_ns.min(now_ns) - signalled_ns;
    ledger.contention(mutex, |contention| {
        add(&contention.contended, 1);
        add_wait(contention, waited_ns);
    });
    if let Some(thread) = ledger.own {
        let key = Key {
            other: holder,
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
