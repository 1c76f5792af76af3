//! Tests of events that end a wait and come at the same moment, in an order that the tests decide.

use core::cell::{Cell, RefCell};
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;

use libc::{EOWNERDEAD, EPERM};
use locktoll_locks::{DeadlineClock, Waiter};

use super::*;
use crate::entries::{self, COUNT, Table};
use crate::generation;

/// The initial entries of the exports' table.
unsafe extern "C" fn nothing() {}

/// Replaces the table of the exports, and leads to the mutex of these tests.
static TABLE: Table = Table {
    places: [const { AtomicPtr::new(null_mut()) }; COUNT],
    first: [nothing; COUNT],
};

/// What happens while the mutex is released, and what the release returns.
type Meanwhile = Box<dyn FnOnce() -> c_int>;

thread_local! {
    /// What happens during the next release.
    static MEANWHILE: RefCell<Option<Meanwhile>> = const { RefCell::new(None) };
    /// What each acquisition returns.
    static ON_LOCK: Cell<c_int> = const { Cell::new(0) };
    /// Successful acquisitions minus successful releases.
    static HELD: Cell<i32> = const { Cell::new(1) };
}

unsafe extern "C" fn unlock(_: *mut pthread_mutex_t) -> c_int {
    let meanwhile = MEANWHILE.take();
    let answer = meanwhile.map_or(0, |happens| happens());
    HELD.set(HELD.get() - i32::from(answer == 0));
    answer
}

unsafe extern "C" fn lock(_: *mut pthread_mutex_t) -> c_int {
    HELD.set(HELD.get() + 1);
    ON_LOCK.get()
}

/// A condition, its mutex, and another thread's waiter that stands behind the test's own. All live as long as the process.
struct Scene {
    condition: &'static Condition,
    mutex: *mut pthread_mutex_t,
    behind: &'static Waiter,
}

fn late() -> Option<Deadline> {
    Deadline::new(DeadlineClock::Monotonic, 0, 0)
}

impl Scene {
    fn new() -> Self {
        assert!(generation::start());
        entries::use_table(&TABLE);
        // SAFETY: both have the signature of their names (E1).
        unsafe {
            entries::send(Entry::MutexUnlock, unlock as *mut c_void);
            entries::send(Entry::MutexLock, lock as *mut c_void);
        }
        ON_LOCK.set(0);
        Self {
            condition: Box::leak(Box::new(Condition::new())),
            mutex: Box::into_raw(Box::new(libc::PTHREAD_MUTEX_INITIALIZER)),
            behind: Box::leak(Box::new(Waiter::new())),
        }
    }

    /// Returns a wait that has released the mutex, and is to be enlisted.
    fn wait(&self) -> Wait<'static> {
        HELD.set(0);
        Wait {
            enrolled: Enrolled::new(),
            condition: self.condition,
            mutex: self.mutex,
        }
    }

    /// Puts `wait` into its queues, and the other waiter behind it. `wait` stays where it is until it ends.
    fn enlist(&self, wait: &Wait<'_>) {
        // SAFETY: struck off by the end of the wait. A thread of another test may be cancelled meanwhile.
        while !unsafe { wait.enrolled.enrol(cancellation::requests_seen()) } {}
        // SAFETY: new waiters, which stay where they are until they have left or have been let go.
        unsafe {
            self.condition.enlist(&wait.enrolled.waiter);
            self.condition.enlist(self.behind);
        }
    }

    /// Makes a whole call, and runs `happens` when the mutex is released.
    fn call(&self, happens: impl FnOnce() -> c_int + 'static) -> u64 {
        HELD.set(1);
        MEANWHILE.set(Some(Box::new(happens)));
        loop {
            let kept = Kept {
                requests: cancellation::requests_seen(),
                was_asynchronous: 0,
            };
            // SAFETY: the mutex is only passed to the functions above.
            let answer = unsafe { wait_until(self.condition, self.mutex, late().as_ref(), kept) };
            if answer != AGAIN {
                return answer;
            }
        }
    }

    /// Whether a signal has gone to the waiter behind. Afterwards it is out of the queue.
    fn is_other_told(&self) -> bool {
        let told = self.behind.sleep(late().as_ref()) == Woken::Signalled;
        // SAFETY: enlisted, and not let go.
        assert!(told || unsafe { self.condition.leave(self.behind) });
        told
    }
}

/// Requests to cancel the calling thread, as a wait sees it. The C library has no request.
fn request() {
    // SAFETY: has no conditions.
    cancellation::requested(unsafe { libc::pthread_self() }, 0);
}

#[test]
fn a_signal_that_comes_with_the_deadline_is_no_time_out() {
    for (signals, expected) in [(false, answer(ETIMEDOUT)), (true, 0)] {
        let scene = Scene::new();
        let wait = scene.wait();
        scene.enlist(&wait);
        assert_eq!(wait.sleep(late().as_ref()), Woken::TimedOut);
        if signals {
            scene.condition.signal();
        }
        // SAFETY: it counts as released.
        assert_eq!(unsafe { wait.end(Woken::TimedOut) }, expected);
        assert_eq!(HELD.get(), 1);
        assert!(!scene.is_other_told(), "{signals}");
    }
}

#[test]
fn a_signal_that_comes_with_a_request_to_cancel_is_not_used_up() {
    for (signals, expected) in [(false, CANCELLED), (true, 0)] {
        let scene = Scene::new();
        let wait = scene.wait();
        scene.enlist(&wait);
        request();
        assert_eq!(wait.sleep(late().as_ref()), Woken::Poked);
        if signals {
            scene.condition.signal();
        }
        // SAFETY: it counts as released.
        assert_eq!(unsafe { wait.end(Woken::Poked) }, expected);
        assert_eq!(HELD.get(), 1);
        assert!(!scene.is_other_told(), "{signals}");
    }
}

#[test]
fn a_wait_that_has_left_takes_no_signal_from_those_behind() {
    for woken in [Woken::TimedOut, Woken::Poked] {
        let scene = Scene::new();
        let wait = scene.wait();
        scene.enlist(&wait);
        // SAFETY: it counts as released.
        unsafe { wait.end(woken) };
        scene.condition.signal();
        assert!(scene.is_other_told(), "{woken:?}");
    }
}

#[test]
fn a_wait_that_gives_up_hands_its_signal_to_the_next_and_makes_none() {
    for signals in [false, true] {
        let scene = Scene::new();
        let wait = scene.wait();
        scene.enlist(&wait);
        if signals {
            scene.condition.signal();
        }
        // SAFETY: a wait, as it is when pushed.
        unsafe { abandon((&raw const wait).cast_mut().cast()) };
        assert_eq!(HELD.get(), 1, "handlers of the program's run with it held");
        assert_eq!(scene.is_other_told(), signals);
    }
}

#[test]
fn a_mutex_that_is_not_the_callers_costs_nobody_a_signal() {
    for signals in [false, true] {
        let scene = Scene::new();
        let (condition, behind) = (scene.condition, scene.behind);
        let error = scene.call(move || {
            // SAFETY: a new waiter, which stays where it is.
            unsafe { condition.enlist(behind) };
            if signals {
                condition.signal();
            }
            EPERM
        });
        assert_eq!((error, HELD.get()), (answer(EPERM), 1));
        assert_eq!(scene.is_other_told(), signals);
    }
}

#[test]
fn a_thread_that_acts_on_no_request_goes_on_waiting() {
    unsafe extern "C" {
        safe fn pthread_setcancelstate(state: c_int, before: &mut c_int) -> c_int;
    }
    const PTHREAD_CANCEL_ENABLE: c_int = 0;
    const PTHREAD_CANCEL_DISABLE: c_int = 1;
    for (state, expected) in [
        (PTHREAD_CANCEL_ENABLE, CANCELLED),
        (PTHREAD_CANCEL_DISABLE, answer(ETIMEDOUT)),
    ] {
        let scene = Scene::new();
        let mut before = 0;
        assert_eq!(pthread_setcancelstate(state, &mut before), 0);
        let answer = scene.call(|| {
            request();
            0
        });
        assert_eq!(pthread_setcancelstate(before, &mut before), 0);
        assert_eq!((answer, HELD.get()), (expected, 1));
    }
}

#[test]
fn what_the_acquisition_returns_counts_more_than_the_deadline_and_less_than_a_request() {
    for (asks, signals, expected) in [
        (false, false, answer(EOWNERDEAD)),
        (false, true, answer(EOWNERDEAD)),
        (true, false, CANCELLED),
        (true, true, answer(EOWNERDEAD)),
    ] {
        let scene = Scene::new();
        ON_LOCK.set(EOWNERDEAD);
        let condition = scene.condition;
        let answer = scene.call(move || {
            if asks {
                request();
            }
            if signals {
                condition.signal();
            }
            0
        });
        assert_eq!((answer, HELD.get()), (expected, 1), "{asks}, {signals}");
    }
}
