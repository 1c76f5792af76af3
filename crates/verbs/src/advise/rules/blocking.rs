//! Calls that block inside a hold: each waiter waits for the call too.

use locktoll_results::advice::{AdviceMethod, Gain, Remedy, RemedyKind};
use locktoll_terminal::quantity::{count, duration};

use super::nested;
use crate::advise::lock_use::{LockUse, Situation, bare};
use crate::advise::model::{Change, gain, ordered};
use crate::advise::words::{self, for_lock, with_gain};

/// Below this share of the threads' time, waiting for a lock is not worth a change of the code.
const LEAST_WAIT_SHARE: f64 = 0.01;

/// What a call waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WaitsFor {
    /// A disk, which may do such calls one after another, wherever they are made.
    Disk,
    /// Input that may not be there: a queue, a connection, a client.
    Input,
    /// A time, another process, another thread, the other end of a connection.
    Other,
}

const DISK: &[&str] = &[
    "fsync",
    "fdatasync",
    "msync",
    "write",
    "writev",
    "pwrite",
    "pwritev",
    "pread",
    "preadv",
    "open",
    "openat",
    "creat",
    "sendfile",
    "splice",
];
/// Of those, the calls that end once the data of a file is on the disk, whichever thread's call did that.
const SYNC: &[&str] = &["fsync", "fdatasync", "msync"];
const INPUT: &[&str] = &[
    "read",
    "readv",
    "recv",
    "recvfrom",
    "recvmsg",
    "recvmmsg",
    "accept",
    "accept4",
    "poll",
    "ppoll",
    "select",
    "pselect",
    "epoll_wait",
    "epoll_pwait",
    "pause",
];

fn waits_for(call: &str) -> WaitsFor {
    match call {
        it if DISK.contains(&it) => WaitsFor::Disk,
        it if INPUT.contains(&it) => WaitsFor::Input,
        _ => WaitsFor::Other,
    }
}

/// Whether the holders of a lock mostly wait for something, so that remedies for running holders do not apply.
pub fn holders_wait(lock: &LockUse<'_>) -> bool {
    lock.blocked_share().is_some_and(|share| share >= 0.5)
        || lock.main_call().is_some()
        || lock.holders_yield()
}

/// Moves the call out of the hold, or warns of a hold across a wait for input.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    if lock.wait_share < LEAST_WAIT_SHARE || !holders_wait(lock) {
        return None;
    }
    let Some((call, per_hold_ns)) = lock.main_call() else {
        return match lock.holders_yield() {
            true => Some(yields(situation, lock)),
            false => unnamed(situation, lock),
        };
    };
    let kind = waits_for(&call.call);
    let evidence = format!(
        "{} {} It takes {} in {}, {:.0} % of each hold ({} calls).",
        words::waiting(lock),
        words::holding(lock),
        duration(per_hold_ns),
        call.call,
        100.0 * per_hold_ns / lock.hold_ns.max(1.0),
        count(call.count),
    );
    if kind == WaitsFor::Input {
        return Some(for_input(situation, lock, &call.call, evidence));
    }
    let change = Change {
        shorter_ns: per_hold_ns,
        moved_ns: per_hold_ns,
        ..Change::default()
    };
    let mut expected = gain(lock, change);
    let mut evidence = evidence;
    if kind == WaitsFor::Disk {
        let is_sync = SYNC.contains(&call.call.as_str());
        let all_at_once = Change {
            moved_ns: if is_sync { 0.0 } else { per_hold_ns },
            ..change
        };
        expected = by_disk(lock, per_hold_ns, expected, gain(lock, all_at_once).high);
        evidence.push_str(match is_sync {
            true => {
                " The lower end of the gain is a disk that serves these calls one after another; the upper end is one call that serves \
                 all threads which wait for the same file."
            }
            false => {
                " The lower end of the gain is a disk that serves these calls one after another; the upper end is one that serves them \
                 together."
            }
        });
    }
    let name = lock.name();
    let advice = match nested::around(situation, lock) {
        None => format!("Move {} out of the hold of {name}.", call.call),
        Some(inner) => format!(
            "Move {} out of the hold of {name}, and of {}, which is held there too.",
            call.call,
            bare(&inner.name)
        ),
    };
    Some(with_gain(
        Remedy {
            site: words::longest_held(lock.lock),
            evidence,
            cost: format!(
                "Copy what {} needs under the lock, release it, then call. Check that no other thread relies on the call being done \
                 when it gets the lock.",
                call.call
            ),
            command: Some(words::whatif(lock, situation.profile)),
            ..for_lock(RemedyKind::MoveCall, lock, advice)
        },
        lock,
        expected,
        AdviceMethod::Model,
    ))
}

/// Limits a gain by a disk that serves calls of this length one after another. If calls for one file serve each other, it is `most`.
fn by_disk(lock: &LockUse<'_>, call_ns: f64, together: Gain, most: f64) -> Gain {
    let cycle_ns = lock.duration_ns / lock.acquisitions;
    let one_by_one = (cycle_ns / call_ns.max(1.0)).clamp(1.0, together.median);
    let median = (one_by_one * together.median).sqrt();
    ordered(
        one_by_one.min(together.low),
        median,
        together.high.max(most),
    )
}

/// Waits that are for input end when the input is there: no gain can be computed from them.
fn for_input(
    situation: &Situation<'_>,
    lock: &LockUse<'_>,
    call: &str,
    evidence: String,
) -> Remedy {
    let name = lock.name();
    let advice = format!("Do not hold {name} while waiting for input in {call}.");
    Remedy {
        site: words::longest_held(lock.lock),
        evidence: format!(
            "{evidence} If no input is there, the threads would wait anyway, so the recording does not show a gain: it shows that a \
             thread that needs {name} for something else waits as long as the input takes."
        ),
        cost: format!(
            "Call {call} before the lock is taken, and take the lock for what has arrived."
        ),
        command: Some(words::whatif(lock, situation.profile)),
        ..for_lock(RemedyKind::NoWaitForInput, lock, advice)
    }
}

/// Holders call sched_yield(2). The thread that gets the CPU then may itself wait for the lock.
fn yields(situation: &Situation<'_>, lock: &LockUse<'_>) -> Remedy {
    let name = lock.name();
    let advice = format!("Do not yield the CPU (sched_yield) while holding {name}.");
    Remedy {
        site: words::longest_held(lock.lock),
        evidence: format!(
            "{} {} Its holders yield in nearly every hold. The recording does not show how the other threads use the CPU in the meantime, so no \
             gain is computed.",
            words::waiting(lock),
            words::holding(lock)
        ),
        cost: "Yield before the lock is taken, or after it is released.".to_owned(),
        command: Some(words::whatif(lock, situation.profile)),
        ..for_lock(RemedyKind::MoveCall, lock, advice)
    }
}

/// Holders block, and no call of the C library explains it: page faults, standard output, an own system call.
fn unnamed(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let held = lock.lock.while_held.as_ref()?;
    let name = lock.name();
    let all = Change {
        shorter_ns: lock.hold_ns,
        moved_ns: lock.hold_ns,
        ..Change::default()
    };
    let most = gain(lock, all);
    let advice = format!("Find what blocks while {name} is held, and move it out of the hold.");
    Some(with_gain(
        Remedy {
            site: words::longest_held(lock.lock),
            evidence: format!(
                "{} {} Its holders blocked in {} of {} examined holds, and the recording does not name a call that takes most of the \
                 time.",
                words::waiting(lock),
                words::holding(lock),
                count(held.blocked),
                count(held.examined),
            ),
            cost: "Depends on the call; `strace -f -k` of a short run names it.".to_owned(),
            command: Some(words::whatif(lock, situation.profile)),
            ..for_lock(RemedyKind::MoveCall, lock, advice)
        },
        lock,
        words::bound(most.high),
        AdviceMethod::Bound,
    ))
}
