//! Runtimes that put threads to sleep on words of their own: Go, Java, Python and PostgreSQL.
//!
//! Goroutines and Java's parked threads wait for each other without a futex in the lock: the kernel sees only a thread that
//! sleeps on its own word. Such a wait is for an event, unless the calls show that it is for a lock.

use super::purpose::{By, Purpose};
use crate::recording::named_use_of_postgres;
use locktoll_results::profile::{Frame, LockKind, Use};

/// How many frames from the system call outwards are looked at.
const DEEPEST: usize = 40;

/// Returns what a runtime waits for; `None` if no runtime is on the stack.
pub fn purpose(frames: &[Frame]) -> Option<Purpose> {
    let names = || {
        frames
            .iter()
            .take(DEEPEST)
            .filter_map(|frame| frame.function.as_deref())
    };
    postgres(frames)
        .or_else(|| go(names()))
        .or_else(|| java(names()))
        .or_else(|| python(names()))
}

fn of_place(used_as: Use) -> Purpose {
    Purpose {
        kind: LockKind::Futex,
        used_as: Some(used_as),
        by: By::Place,
    }
}

/// PostgreSQL: its processes sleep on semaphores of their own.
fn postgres(frames: &[Frame]) -> Option<Purpose> {
    Some(Purpose {
        kind: LockKind::Semaphore,
        ..of_place(named_use_of_postgres(frames)?)
    })
}

/// Go: its runtime sleeps in `futexsleep`, for one of its own locks in `lock2`, otherwise for work.
fn go<'f>(mut names: impl Iterator<Item = &'f str> + Clone) -> Option<Purpose> {
    let first = names.next()?;
    if !first.starts_with("runtime.futex") {
        return None;
    }
    let of_a_lock = |name: &str| {
        matches!(
            name,
            "runtime.lock2" | "runtime.unlock2" | "runtime.lockWithRank"
        )
    };
    Some(of_place(
        match names
            .take_while(|name| name.starts_with("runtime."))
            .any(of_a_lock)
        {
            true => Use::Lock,
            false => Use::Signal,
        },
    ))
}

/// Java: functions of the virtual machine, for a monitor, and for threads parked by java.util.concurrent, whose own calls show
/// the purpose.
fn java<'f>(names: impl Iterator<Item = &'f str> + Clone) -> Option<Purpose> {
    let any = |words: &[&str]| {
        names
            .clone()
            .any(|name| words.iter().any(|word| name.contains(word)))
    };
    if any(&[
        "JavaThread::sleep",
        "JVM_Sleep",
        "ObjectMonitor::wait",
        "ObjectMonitor::Wait",
        "JVM_MonitorWait",
    ]) {
        return Some(of_place(Use::Signal));
    }
    if any(&[
        "ObjectMonitor::enter",
        "ObjectMonitor::Enter",
        "ObjectMonitor::ReenterI",
        "ObjectMonitor::exit",
        "SharedRuntime::monitor_enter",
        "SharedRuntime::complete_monitor_locking",
    ]) {
        return Some(of_place(Use::Lock));
    }
    // Other programs have a Parker, too, as part of a longer name.
    let is_parker = names.clone().any(|name| name.starts_with("Parker::park("));
    if any(&[
        "Unsafe_Park",
        "Unsafe.park",
        "Unsafe::park",
        "LockSupport.park",
        "LockSupport::park",
    ]) || is_parker
    {
        let condition = any(&[
            "ConditionObject",
            "SynchronousQueue",
            "LinkedTransferQueue",
            "CountDownLatch",
            "FutureTask",
            "CyclicBarrier",
        ]);
        let lock = any(&[
            "AbstractQueuedSynchronizer",
            "AbstractQueuedLongSynchronizer",
            "ReentrantLock",
            "ReadWriteLock",
            "StampedLock",
        ]);
        return Some(of_place(match lock && !condition {
            true => Use::Lock,
            false => Use::Signal,
        }));
    }
    None
}

/// Python: its threads wait for the interpreter's lock on a condition variable.
fn python<'f>(mut names: impl Iterator<Item = &'f str>) -> Option<Purpose> {
    names
        .any(|name| matches!(name, "take_gil" | "drop_gil"))
        .then_some(Purpose {
            kind: LockKind::Mutex,
            used_as: Some(Use::Lock),
            by: By::Word,
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(functions: &[&str]) -> Option<Use> {
        let frame = |name: &&str| Frame {
            function: Some((*name).to_owned()),
            ..Frame::default()
        };
        let frames: Vec<Frame> = functions.iter().map(frame).collect();
        purpose(&frames)?.used_as
    }

    #[test]
    fn go_sleeps_for_work_and_for_its_own_locks() {
        let idle = [
            "runtime.futex.abi0",
            "runtime.futexsleep",
            "runtime.notesleep",
            "runtime.stopm",
            "runtime.schedule",
        ];
        assert_eq!(used(&idle), Some(Use::Signal));
        let lock = [
            "runtime.futex.abi0",
            "runtime.futexsleep",
            "runtime.semasleep",
            "runtime.lock2",
            "runtime.chansend",
            "main.main",
        ];
        assert_eq!(used(&lock), Some(Use::Lock));
        assert_eq!(used(&["syscall", "runtime.lock2"]), None);
    }

    #[test]
    fn postgres_sleeps_on_a_semaphore_for_what_its_calls_say() {
        let lock = ["sem_wait", "PGSemaphoreLock", "LWLockAcquire"];
        assert_eq!(used(&lock), Some(Use::Lock));
        let frames = lock.map(|name| Frame {
            function: Some(name.to_owned()),
            ..Frame::default()
        });
        assert_eq!(purpose(&frames).unwrap().kind, LockKind::Semaphore);
        assert_eq!(
            used(&["sem_wait", "PGSemaphoreLock", "ProcSleep"]),
            Some(Use::Signal)
        );
    }

    #[test]
    fn python_waits_for_the_interpreter() {
        let wait = ["pthread_cond_timedwait", "take_gil", "PyEval_RestoreThread"];
        assert_eq!(used(&wait), Some(Use::Lock));
        assert_eq!(used(&["pthread_cond_timedwait", "PyThread_acquire"]), None);
    }

    #[test]
    fn java_waits_for_monitors_and_parks_for_what_its_calls_say() {
        let park = ["pthread_cond_wait", "os::PlatformEvent::park()"];
        let with = |more: &[&str]| used(&[&park[..], more].concat());
        assert_eq!(
            with(&[
                "ObjectMonitor::EnterI(JavaThread*)",
                "ObjectMonitor::enter(JavaThread*)"
            ]),
            Some(Use::Lock)
        );
        assert_eq!(
            with(&["ObjectMonitor::wait(long, bool, JavaThread*)"]),
            Some(Use::Signal)
        );
        let acquire = "java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(int)";
        assert_eq!(
            used(&["Parker::park(bool, long)", "Unsafe_Park", acquire]),
            Some(Use::Lock)
        );
        let awaits =
            "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject.await()";
        assert_eq!(
            used(&["Parker::park(bool, long)", "Unsafe_Park", awaits]),
            Some(Use::Signal)
        );
        assert_eq!(
            used(&["Parker::park(bool, long)", "Unsafe_Park"]),
            Some(Use::Signal)
        );
        assert_eq!(used(&park), None);
    }
}
