//! Timed waits under more threads than processors: none may end too early, admit two holders, or lose another thread's
//! wake-up. A lost one leaves a thread waiting for ever, which a guard ends.
#![cfg(all(not(locktoll_loom), feature = "std"))]

use locktoll_lock_checks::guard::Guard;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locktoll_locks::*;

const LENGTH: Duration = Duration::from_millis(150);

/// The moment `ahead` from now; the time of day as the standard library has it.
fn deadline_in(clock: DeadlineClock, ahead: Duration) -> Deadline {
    match clock {
        DeadlineClock::Realtime => {
            let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap() + ahead;
            Deadline::new(clock, at.as_secs().cast_signed(), at.subsec_nanos().into()).unwrap()
        }
        DeadlineClock::Monotonic => Deadline::after(clock, ahead),
    }
}

/// What a lock's holders do: look whether they are alone.
#[derive(Default)]
struct Witness {
    holders: AtomicU32,
    count: AtomicU64,
}

impl Witness {
    /// # Safety
    /// The caller has just acquired `lock`.
    unsafe fn hold_and_release<R: RawLock>(&self, lock: &R) {
        assert_eq!(self.holders.fetch_add(1, Relaxed), 0, "two holders at once");
        // In two steps, so that a lost update shows.
        self.count.store(self.count.load(Relaxed) + 1, Relaxed);
        assert_eq!(self.holders.fetch_sub(1, Relaxed), 1, "two holders at once");
        // SAFETY: the caller's promise.
        unsafe { lock.unlock() };
    }
}

/// Waiters with deadlines of up to 300 us and waiters without.
fn storm<R: TimedLock>(lock: &R) {
    let _guard = Guard::new();
    let witness = Witness::default();
    let stop = AtomicBool::new(false);
    let contend = |thread: u64| {
        let mut acquired = 0;
        let mut round = thread;
        while acquired == 0 || !stop.load(Relaxed) {
            round = round
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let has_it = if thread.is_multiple_of(2) {
                lock.lock();
                true
            } else {
                let clock = match round >> 62 {
                    0 => DeadlineClock::Realtime,
                    _ => DeadlineClock::Monotonic,
                };
                let ahead = Duration::from_nanos((round >> 33) % 300_000);
                let deadline = deadline_in(clock, ahead);
                let has_it = lock.try_lock_until(&deadline);
                assert!(has_it || deadline.has_passed(), "it gave up too early");
                has_it
            };
            if has_it {
                // SAFETY: acquired above.
                unsafe { witness.hold_and_release(lock) };
                acquired += 1;
            }
        }
        acquired
    };
    let acquired: u64 = thread::scope(|scope| {
        let threads: Vec<_> = (0..6).map(|i| scope.spawn(move || contend(i))).collect();
        thread::sleep(LENGTH);
        stop.store(true, Relaxed);
        threads.into_iter().map(|it| it.join().unwrap()).sum()
    });
    assert_eq!(
        witness.count.load(Relaxed),
        acquired,
        "acquisitions were lost"
    );
    assert!(!lock.is_locked());
    assert!(lock.try_lock(), "nobody is in the way any more");
}

/// A held lock is waited for as long as was said, a free one is acquired even when the time is up.
fn keeps_time<R: TimedLock>(lock: &R) {
    for clock in [DeadlineClock::Realtime, DeadlineClock::Monotonic] {
        let past = Deadline::new(clock, 0, 0).unwrap();
        assert!(lock.try_lock_until(&past), "free");
        assert!(!lock.try_lock_until(&past), "held");
        let ahead = Duration::from_millis(5);
        let begin = Instant::now();
        assert!(!lock.try_lock_until(&deadline_in(clock, ahead)), "held");
        // By another clock, which may tick a little faster.
        assert!(begin.elapsed() > ahead / 2, "it gave up too early");
        // SAFETY: acquired above.
        unsafe { lock.unlock() };
    }
}

/// The tests of a lock, in a module of its name.
macro_rules! timed {
    ($($module:ident: $make:expr;)+) => {
        $(
            mod $module {
                use super::*;

                #[test]
                fn no_wait_with_a_deadline_harms_the_others() {
                    storm(&$make);
                }

                #[test]
                fn waits_until_the_deadline() {
                    keeps_time(&$make);
                }
            }
        )+
    };
}

macro_rules! timed_by_type {
    ($($lock:ident $name:literal,)+) => {
        timed! { $($lock: locktoll_locks::$lock::new();)+ }
    };
}

/// Every lock with its default parameter.
mod each {
    use super::{keeps_time, storm};

    locktoll_locks::for_each_timed_lock!(timed_by_type);
}

timed! {
    futex3_spinning: Futex3::with_spin(100);
    designated_waker_parking: DesignatedWaker::with_spin(0);
    one_spinner_parking: OneSpinner::with_spin(0);
    gate_of_one: Gate::<Futex3>::with_active(1);
    gate_of_two: Gate::<Futex3>::with_active(2);
    gate_before_a_queue: Gate::<McsPark>::with_active(2);
}
