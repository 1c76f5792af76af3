//! A reader-writer lock of the program, called as the exports call it.

use core::ffi::c_int;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;
use std::thread;

use libc::{EAGAIN, EBUSY, EDEADLK, EINVAL, EPERM, ETIMEDOUT, pthread_rwlock_t, timespec};
use locktoll_locks::{NotAcquired, Preference};

use super::object::RwObject;
use super::{lifetime, read, release, write};
use crate::{generation, real};

/// A lock of the program, which lives as long as the tests.
#[derive(Clone, Copy)]
struct Rw(usize);

type Timed = unsafe extern "C" fn(*mut pthread_rwlock_t, *const timespec) -> c_int;
type ByClock = unsafe extern "C" fn(*mut pthread_rwlock_t, c_int, *const timespec) -> c_int;

impl Rw {
    fn new() -> Self {
        assert!(generation::start());
        real::look_up_all();
        Self(Box::into_raw(Box::new(libc::PTHREAD_RWLOCK_INITIALIZER)).expose_provenance())
    }

    fn pointer(self) -> *mut pthread_rwlock_t {
        core::ptr::with_exposed_provenance_mut(self.0)
    }

    /// Sets a word of the object, as the C library's initialiser does.
    fn set(self, offset: usize, word: u32) -> Self {
        // SAFETY: within the test's own object, and aligned.
        let place = unsafe { AtomicU32::from_ptr(self.pointer().byte_add(offset).cast()) };
        place.store(word, Relaxed);
        self
    }

    fn object(self) -> &'static RwObject {
        // SAFETY: made in `new`, as a static initialiser makes it.
        unsafe { RwObject::of(self.pointer()) }
    }

    fn call(self, function: unsafe extern "C" fn(*mut pthread_rwlock_t) -> c_int) -> c_int {
        // SAFETY: the test's own lock, here and below.
        unsafe { function(self.pointer()) }
    }

    fn timed(self, function: Timed, tv_nsec: i64) -> c_int {
        let time = timespec { tv_sec: 0, tv_nsec };
        // SAFETY: as above, and its own time.
        unsafe { function(self.pointer(), &raw const time) }
    }

    fn by_clock(self, function: ByClock, clock: c_int) -> c_int {
        let time = timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: as above.
        unsafe { function(self.pointer(), clock, &raw const time) }
    }
}

/// Returns the result of `call` in another thread.
fn elsewhere(call: impl FnOnce() -> c_int + Send) -> c_int {
    thread::scope(|scope| scope.spawn(call).join().unwrap())
}

#[test]
fn a_writer_is_alone_and_gets_an_error_if_it_enters_again() {
    let lock = Rw::new();
    assert_eq!(lock.call(write::lock), 0);
    assert!(lock.object().mark.is_current() && lock.object().is_written_by_caller());
    assert_eq!(
        (lock.call(write::lock), lock.call(read::lock)),
        (EDEADLK, EDEADLK)
    );
    assert_eq!(
        (lock.call(write::try_lock), lock.call(read::try_lock)),
        (EBUSY, EBUSY)
    );
    assert_eq!(
        elsewhere(|| i32::from(lock.object().is_written_by_caller())),
        0
    );
    for function in [read::timed_lock as Timed, write::timed_lock] {
        assert_eq!(lock.timed(function, 0), EDEADLK);
        assert_eq!(elsewhere(|| lock.timed(function, 0)), ETIMEDOUT);
        assert_eq!(elsewhere(|| lock.timed(function, -1)), EINVAL);
    }
    for function in [read::clock_lock as ByClock, write::clock_lock] {
        assert_eq!(
            elsewhere(|| lock.by_clock(function, libc::CLOCK_MONOTONIC)),
            ETIMEDOUT
        );
        let other = libc::CLOCK_PROCESS_CPUTIME_ID;
        assert_eq!(elsewhere(|| lock.by_clock(function, other)), EINVAL);
    }
    assert_eq!(lock.call(release::unlock), 0);
    assert!(!lock.object().is_written_by_caller());
    assert_eq!(lock.call(release::unlock), EPERM);
    assert_eq!(
        (lock.call(write::try_lock), lock.call(write::lock)),
        (0, EDEADLK)
    );
    assert_eq!(
        (lock.call(release::unlock), lock.timed(write::timed_lock, 0)),
        (0, 0)
    );
    assert_eq!(lock.call(read::lock), EDEADLK);
}

#[test]
fn readers_are_inside_together() {
    let lock = Rw::new();
    assert_eq!((lock.call(read::lock), lock.call(read::try_lock)), (0, 0));
    assert_eq!(elsewhere(|| lock.timed(read::timed_lock, 0)), 0);
    assert_eq!(
        elsewhere(|| lock.by_clock(read::clock_lock, libc::CLOCK_REALTIME)),
        0
    );
    assert_eq!(lock.call(write::try_lock), EBUSY);
    assert_eq!(lock.timed(write::timed_lock, 0), ETIMEDOUT);
    assert_eq!([(); 3].map(|()| lock.call(release::unlock)), [0; 3]);
    assert_eq!(lock.call(write::try_lock), EBUSY, "one is left");
    assert_eq!(lock.call(release::unlock), 0);
    assert_eq!(
        (lock.call(release::unlock), lock.call(write::try_lock)),
        (EPERM, 0)
    );
}

#[test]
fn who_goes_first_is_as_the_program_has_set_it() {
    const KIND: usize = 48;
    for (kind, expected) in [
        (0, Preference::Readers),
        (1, Preference::Readers),
        (2, Preference::Writers),
    ] {
        let preference = Rw::new().set(KIND, kind).object().preference();
        assert!(
            core::mem::discriminant(&preference) == core::mem::discriminant(&expected),
            "{kind}"
        );
    }
}

#[test]
fn a_lock_of_several_processes_is_the_c_librarys() {
    const SHARED: usize = 28;
    let lock = Rw::new().set(SHARED, 1);
    assert!(lock.object().is_shared() && !Rw::new().object().is_shared());
    assert_eq!(
        (lock.call(write::lock), lock.call(read::try_lock)),
        (0, EBUSY)
    );
    assert_eq!(lock.call(write::try_lock), EBUSY);
    assert_eq!(elsewhere(|| lock.timed(read::timed_lock, 0)), ETIMEDOUT);
    assert_eq!(elsewhere(|| lock.timed(write::timed_lock, 0)), ETIMEDOUT);
    assert_eq!((lock.call(release::unlock), lock.call(read::lock)), (0, 0));
    assert_eq!(
        (lock.call(release::unlock), lock.call(lifetime::destroy)),
        (0, 0)
    );
    assert!(!lock.object().mark.is_used());
}

#[test]
fn a_lock_that_is_destroyed_is_made_anew() {
    let lock = Rw::new();
    assert_eq!(
        (lock.call(write::lock), lock.call(lifetime::destroy)),
        (0, 0)
    );
    assert!(!lock.object().mark.is_used());
    assert_eq!(
        (lock.call(write::try_lock), lock.call(release::unlock)),
        (0, 0)
    );
    // SAFETY: the test's own lock, and no attributes.
    let initialised = unsafe { lifetime::init(lock.pointer(), core::ptr::null()) };
    assert_eq!((initialised, lock.object().is_shared()), (0, false));
}

#[test]
fn results_are_those_of_posix() {
    let results = [
        Ok(()),
        Err(NotAcquired::Held),
        Err(NotAcquired::TimedOut),
        Err(NotAcquired::TooManyReaders),
    ];
    assert_eq!(results.map(read::answer), [0, EBUSY, ETIMEDOUT, EAGAIN]);
}
