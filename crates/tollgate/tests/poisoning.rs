//! The mutex with the interface of `std::sync`: whatever a test does here, it does to the standard library's mutex, too, and the
//! same must come of it.
#![cfg(not(locktoll_loom))]

macro_rules! tests {
    ($name:ident: $($module:tt)+) => {
        mod $name {
            use std::panic::{AssertUnwindSafe, catch_unwind};
            use std::sync::{Arc, TryLockError};
            use std::thread;
            use std::time::Duration;

            use $($module)+::{Condvar, Mutex, MutexGuard};

            /// A mutex that a thread has held while it panicked, having stored `data`.
            fn poisoned(data: u32) -> Arc<Mutex<u32>> {
                let mutex = Arc::new(Mutex::new(0));
                let theirs = Arc::clone(&mutex);
                let ended = thread::spawn(move || {
                    let mut held = theirs.lock().unwrap();
                    *held = data;
                    panic!("in the middle");
                });
                assert!(ended.join().is_err());
                mutex
            }

            #[test]
            fn a_panic_poisons_until_that_is_forgotten() {
                let mutex = poisoned(5);
                assert!(mutex.is_poisoned());
                assert_eq!(*mutex.lock().unwrap_err().into_inner(), 5);
                assert!(matches!(mutex.try_lock(), Err(TryLockError::Poisoned(_))));
                mutex.clear_poison();
                assert!(!mutex.is_poisoned());
                assert_eq!(*mutex.lock().unwrap(), 5);
            }

            #[test]
            fn the_data_of_a_poisoned_mutex_are_in_the_error() {
                let mut mutex = Arc::into_inner(poisoned(6)).unwrap();
                assert_eq!(*mutex.get_mut().unwrap_err().into_inner(), 6);
                assert_eq!(mutex.into_inner().unwrap_err().into_inner(), 6);
            }

            #[test]
            fn a_held_mutex_is_refused_in_another_way() {
                let mutex = Mutex::new(());
                let held = mutex.lock().unwrap();
                assert!(matches!(mutex.try_lock(), Err(TryLockError::WouldBlock)));
                drop(held);
                assert!(mutex.try_lock().is_ok());
            }

            /// A guard that is made and dropped in a destructor, while the thread panics for another reason.
            #[test]
            fn an_acquisition_during_a_panic_does_not_poison() {
                struct Late<'a>(&'a Mutex<u32>);
                impl Drop for Late<'_> {
                    fn drop(&mut self) {
                        *self.0.lock().unwrap() += 1;
                    }
                }
                let mutex = Mutex::new(0);
                let panicked = catch_unwind(|| {
                    let _late = Late(&mutex);
                    panic!("somewhere else");
                });
                assert!(panicked.is_err());
                assert!(!mutex.is_poisoned());
                assert_eq!(*mutex.lock().unwrap(), 1);
            }

            #[test]
            fn a_wait_says_that_the_mutex_was_poisoned() {
                let shared = Arc::new((Mutex::new(false), Condvar::new()));
                let theirs = Arc::clone(&shared);
                let (mutex, changed) = &*shared;
                let guard = mutex.lock().unwrap();
                let other = thread::spawn(move || {
                    let (mutex, changed) = &*theirs;
                    let mut ready = mutex.lock().unwrap();
                    *ready = true;
                    changed.notify_all();
                    panic!("in the middle");
                });
                let result = changed.wait_while(guard, |ready| !*ready);
                assert!(*result.unwrap_err().into_inner());
                assert!(other.join().is_err());
                let guard: MutexGuard<'_, bool> = mutex.lock().unwrap_err().into_inner();
                let result = changed.wait_timeout(guard, Duration::from_millis(1));
                assert!(result.unwrap_err().into_inner().1.timed_out());
            }

            /// The condition is not shown the data of a mutex that was poisoned during the wait, and is asked before any wait.
            #[test]
            fn a_timed_wait_ends_when_the_mutex_is_poisoned_but_not_before_it_begins() {
                let shared = Arc::new((Mutex::new(0), Condvar::new()));
                let theirs = Arc::clone(&shared);
                let (mutex, changed) = &*shared;
                let guard = mutex.lock().unwrap();
                let other = thread::spawn(move || {
                    let (mutex, changed) = &*theirs;
                    let _held = mutex.lock().unwrap();
                    changed.notify_all();
                    panic!("in the middle");
                });
                let mut asked = 0;
                let long = Duration::from_secs(60);
                let result = changed.wait_timeout_while(guard, long, |_| {
                    asked += 1;
                    true
                });
                let (guard, result) = result.unwrap_err().into_inner();
                assert_eq!((asked, result.timed_out()), (1, false));
                let result = changed.wait_timeout_while(guard, long, |_| false);
                assert!(!result.unwrap().1.timed_out(), "nothing was waited for");
                assert!(other.join().is_err());
            }

            #[test]
            fn guards_and_condition_variables_may_be_taken_across_a_caught_panic() {
                let (mutex, changed) = (Mutex::new(1), Condvar::new());
                let guard = mutex.lock().unwrap();
                let caught = catch_unwind(move || (*guard, changed));
                assert_eq!(caught.unwrap().0, 1);
            }

            #[test]
            fn a_wait_with_an_end_says_whether_its_time_was_over() {
                let (mutex, changed) = (Mutex::new(1), Condvar::new());
                let moment = Duration::from_millis(1);
                let guard = mutex.lock().unwrap();
                let (guard, result) = changed.wait_timeout_while(guard, moment, |it| *it == 1).unwrap();
                assert!(result.timed_out());
                let (guard, result) = changed.wait_timeout_while(guard, moment, |it| *it == 2).unwrap();
                assert!(!result.timed_out());
                let (_guard, result) = changed.wait_timeout(guard, moment).unwrap();
                assert!(result.timed_out());
            }

            #[test]
            fn it_may_be_used_after_a_panic_was_caught() {
                let mutex = Mutex::new(1);
                // Compiles only if it may be taken across a caught panic.
                let caught = catch_unwind(|| *mutex.lock().unwrap());
                assert_eq!(caught.unwrap(), 1);
                let caught = catch_unwind(AssertUnwindSafe(|| ()));
                assert!(caught.is_ok());
            }

            #[test]
            fn it_is_shown_alike() {
                let mutex = Mutex::new(1);
                assert_eq!(format!("{mutex:?}"), "Mutex { data: 1, poisoned: false, .. }");
                let held = mutex.lock().unwrap();
                assert_eq!(format!("{held:?} {held}"), "1 1");
                // Versions of std differ in whether the word is quoted.
                assert!(format!("{mutex:?}").contains("<locked>"));
            }
        }
    };
}

tests!(of_tollgate: tollgate::poisoning);
tests!(of_std: std::sync);
