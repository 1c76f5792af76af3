//! The requirements for every lock that lives in an object, tested on all of them in the room of a mutex.

use std::cell::UnsafeCell;
use std::sync::Barrier;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::Duration;

use super::InPlace;

/// A `pthread_mutex_t` with a lock in its room.
#[repr(C, align(8))]
struct Object<L> {
    libc_words: UnsafeCell<[u64; 3]>,
    room: UnsafeCell<[u64; 2]>,
    lock: core::marker::PhantomData<L>,
}

// SAFETY: used only through the lock in its room, which all threads may use.
unsafe impl<L> Sync for Object<L> {}

impl<L: InPlace> Object<L> {
    fn new(parameter: u32) -> Box<Self> {
        crate::real::look_up_all();
        L::prepare();
        let object = Box::new(Self {
            libc_words: UnsafeCell::new([0; 3]),
            // The lock must not rely on the previous contents of the memory.
            room: UnsafeCell::new([0xa5a5_a5a5_a5a5_a5a5; 2]),
            lock: core::marker::PhantomData,
        });
        let _ = core::ptr::from_ref(&*object).expose_provenance();
        let _ = object.libc_words.get();
        // SAFETY: `InPlace`: it fits.
        unsafe {
            object
                .room
                .get()
                .cast::<L>()
                .write(L::with_parameter(parameter))
        };
        object
    }

    fn lock(&self) -> &L {
        // SAFETY: made in `new`.
        unsafe { &*self.room.get().cast::<L>() }
    }

    /// Acquires and releases the lock once, without waiting, and returns whether that worked.
    fn is_usable(&self) -> bool {
        let lock = self.lock();
        let acquired = !lock.is_locked() && lock.try_lock();
        let held = acquired && lock.is_locked() && !lock.try_lock();
        if acquired {
            // SAFETY: acquired above.
            unsafe { lock.unlock() };
        }
        held && !lock.is_locked()
    }
}

/// Runs `child` in a forked child with a time limit, and returns whether it found everything right.
fn right_in_child(child: impl FnOnce() -> bool) -> bool {
    // SAFETY: the child only calls locks in place, which neither allocate nor use the C library's locks.
    let id = unsafe { libc::fork() };
    if id == 0 {
        // SAFETY: both may be called in the child of a threaded process.
        unsafe {
            libc::alarm(20);
            libc::_exit(if child() { 42 } else { 1 })
        };
    }
    let mut status = 0;
    // SAFETY: this process's own child.
    assert_eq!(unsafe { libc::waitpid(id, &raw mut status, 0) }, id);
    libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 42
}

/// Runs `inside` while this thread holds the lock and two others wait for it; all get the lock in the end.
fn with_waiters<L: InPlace>(object: &Object<L>, inside: impl FnOnce() -> bool) -> bool {
    let lock = object.lock();
    lock.lock();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                lock.lock();
                // SAFETY: acquired above.
                unsafe { lock.unlock() };
            });
        }
        // Long enough for them to spin, enlist and sleep; if not, the test sees them in an earlier state.
        thread::sleep(Duration::from_millis(15));
        let right = inside();
        // SAFETY: acquired above.
        unsafe { lock.unlock() };
        right
    })
}

/// Releases a lock that is held, and uses it a few times.
fn release_and_use<L: InPlace>(object: &Object<L>) -> bool {
    let lock = object.lock();
    let mut right = lock.is_locked() && !lock.try_lock();
    // SAFETY: held by this thread.
    unsafe { lock.unlock() };
    for _ in 0..3 {
        right &= object.is_usable();
        lock.lock();
        right &= lock.is_locked();
        // SAFETY: acquired above.
        unsafe { lock.unlock() };
    }
    right
}

/// The holder forks while others wait. In the child nobody waits, and the lock is bit by bit like one that nobody has waited
/// for.
fn fork_by_the_holder<L: InPlace>(parameter: u32) {
    let object = Object::<L>::new(parameter);
    let fresh = Object::<L>::new(parameter);
    fresh.lock().lock();
    let lock = object.lock();
    let right = with_waiters(&object, || {
        right_in_child(|| {
            // SAFETY: no other thread uses it.
            unsafe { lock.forget_waiters() };
            // If another fork interrupts this, it is done again.
            // SAFETY: no other thread uses it.
            unsafe { lock.forget_waiters() };
            let right = release_and_use(&object) & release_and_use(&fresh);
            // SAFETY: this process has one thread.
            right && unsafe { *object.room.get() == *fresh.room.get() }
        })
    });
    assert!(right, "the child of the holder");
    assert!(object.is_usable(), "the parent goes on");
}

/// Another thread forks: in the child the lock is held forever.
fn fork_by_another<L: InPlace>(parameter: u32) {
    let object = Object::<L>::new(parameter);
    let lock = object.lock();
    let right = with_waiters(&object, || {
        thread::scope(|scope| {
            let forks = scope.spawn(|| {
                right_in_child(|| {
                    // SAFETY: no other thread uses it.
                    unsafe { lock.forget_waiters() };
                    lock.is_locked() && !lock.try_lock()
                })
            });
            forks.join().unwrap()
        })
    });
    assert!(right, "the child of a bystander");
    assert!(object.is_usable(), "the parent goes on");
}

/// Forks at arbitrary moments: a lock that is free in the child can be used there.
fn fork_in_a_storm<L: InPlace>(parameter: u32) {
    let object = Object::<L>::new(parameter);
    let lock = object.lock();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    lock.lock();
                    // SAFETY: acquired above.
                    unsafe { lock.unlock() };
                }
            });
        }
        for _ in 0..20 {
            let right = right_in_child(|| {
                // SAFETY: no other thread uses it.
                unsafe { lock.forget_waiters() };
                lock.is_locked() || (object.is_usable() && object.is_usable())
            });
            if !right {
                stop.store(true, Relaxed);
            }
            assert!(right, "a child of the storm");
        }
        stop.store(true, Relaxed);
    });
    assert!(object.is_usable(), "the parent goes on");
}

/// Threads that lock, try, and wait until a deadline.
fn exclude<L: InPlace>(parameter: u32) {
    let object = Object::<L>::new(parameter);
    let lock = object.lock();
    let (inside, count, stop) = (AtomicU64::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let acquired: u64 = thread::scope(|scope| {
        let threads: Vec<_> = (0..6_u32)
            .map(|way| {
                let (inside, count, stop) = (&inside, &count, &stop);
                scope.spawn(move || {
                    let past = locktoll_locks::Deadline::new(
                        locktoll_locks::DeadlineClock::Monotonic,
                        0,
                        0,
                    )
                    .unwrap();
                    let mut acquired = 0;
                    while acquired == 0 || !stop.load(Relaxed) {
                        let has_it = match way % 3 {
                            0 => lock.try_lock(),
                            1 => lock.try_lock_until(&past),
                            _ => {
                                lock.lock();
                                true
                            }
                        };
                        if !has_it {
                            thread::yield_now();
                            continue;
                        }
                        assert_eq!(inside.fetch_add(1, Relaxed), 0, "two holders at once");
                        count.store(count.load(Relaxed) + 1, Relaxed);
                        assert_eq!(inside.fetch_sub(1, Relaxed), 1, "two holders at once");
                        // SAFETY: acquired above.
                        unsafe { lock.unlock() };
                        acquired += 1;
                    }
                    acquired
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(60));
        stop.store(true, Relaxed);
        threads.into_iter().map(|it| it.join().unwrap()).sum()
    });
    assert_eq!(count.load(Relaxed), acquired, "acquisitions were lost");
    assert!(object.is_usable());
}

/// The next holder uses the room for something else while the last holder is still in its release: the room must not be
/// written to.
fn reuse_the_room<L: InPlace>(parameter: u32) {
    const OTHER: [u64; 2] = [0x1122_3344_5566_7788, 0x99aa_bbcc_ddee_ff00];
    let rounds = 150;
    let objects: Vec<_> = (0..rounds).map(|_| Object::<L>::new(parameter)).collect();
    let (begin, end) = (Barrier::new(2), Barrier::new(2));
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        scope.spawn(|| {
            for (round, object) in objects.iter().enumerate() {
                object.lock().lock();
                begin.wait();
                // Now and then the next holder is asleep, or about to be.
                if round % 3 == 0 {
                    thread::sleep(Duration::from_micros(200));
                }
                // SAFETY: acquired above.
                unsafe { object.lock().unlock() };
                next.store(round as u64 + 1, Release);
                end.wait();
            }
        });
        for (round, object) in objects.iter().enumerate() {
            begin.wait();
            object.lock().lock();
            // SAFETY: nobody needs the lock any longer.
            unsafe { object.room.get().write_volatile(OTHER) };
            while next.load(Acquire) != round as u64 + 1 {
                thread::yield_now();
            }
            // SAFETY: nobody writes it.
            let found = unsafe { object.room.get().read_volatile() };
            assert_eq!(found, OTHER, "round {round}");
            end.wait();
        }
    });
}

/// One thread locks, another one releases.
fn release_elsewhere<L: InPlace>(parameter: u32) {
    let object = Object::<L>::new(parameter);
    let lock = object.lock();
    let held = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..200 {
                lock.lock();
                held.store(true, Release);
                while held.load(Acquire) {
                    thread::yield_now();
                }
            }
        });
        for _ in 0..200 {
            while !held.load(Acquire) {
                thread::yield_now();
            }
            // SAFETY: the other thread holds it and waits for this.
            unsafe { lock.unlock() };
            held.store(false, Release);
        }
    });
    assert!(object.is_usable());
}

macro_rules! tested {
    ($($module:ident: $lock:ident, $parameter:expr;)+) => {
        $(
            mod $module {
                use crate::in_place::$lock;

                #[test]
                fn excludes() {
                    crate::in_place::tests::exclude::<$lock>($parameter);
                }

                #[test]
                fn goes_on_in_the_child_of_its_holder() {
                    crate::in_place::tests::fork_by_the_holder::<$lock>($parameter);
                }

                #[test]
                fn stays_held_in_the_child_of_another() {
                    crate::in_place::tests::fork_by_another::<$lock>($parameter);
                }

                #[test]
                fn is_whole_in_a_child_of_any_moment() {
                    crate::in_place::tests::fork_in_a_storm::<$lock>($parameter);
                }

                #[test]
                fn leaves_its_room_with_the_release() {
                    crate::in_place::tests::reuse_the_room::<$lock>($parameter);
                }

                #[test]
                fn is_released_by_any_thread() {
                    crate::in_place::tests::release_elsewhere::<$lock>($parameter);
                }
            }
        )+
    };
}

/// Returns the default parameter of the candidate with this name.
fn default_of(name: &str) -> u32 {
    let candidate = crate::candidate::parse(name.as_bytes());
    candidate.expect("the list has it").parameter
}

/// Tests every lock with its default parameter, in a module of its name.
#[expect(non_snake_case, reason = "the modules are named as the types are")]
mod each {
    macro_rules! by_type {
        ($($lock:ident $name:literal,)+) => {
            tested! { $($lock: $lock, crate::in_place::tests::default_of($name);)+ }
        };
    }
    crate::candidate::for_each_algorithm!(by_type);
}

tested! {
    futex3_spinning: Futex3, 100;
    gate_of_one: Gate, 1;
}
