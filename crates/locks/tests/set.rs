//! The set of locks as a whole: all can be shared, and all fit behind `lock_api`.
#![cfg(all(not(locktoll_loom), feature = "std"))]

use locktoll_locks::*;

macro_rules! listed {
    ($($lock:ident $name:literal,)+) => { &[$((stringify!($lock), $name)),+] };
}
const LISTED: &[(&str, &str)] = for_each_lock!(listed);

#[test]
fn names_are_distinct() {
    let mut names: Vec<_> = LISTED.iter().map(|(_, name)| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), LISTED.len());
}

#[test]
fn all_are_shared_sent_and_made_in_constants() {
    fn shared_and_sent<T: Send + Sync>() {}
    macro_rules! check {
        ($($lock:ident $name:literal,)+) => {
            $({
                static LOCK: Mutex<$lock, u32> = Mutex::new(0);
                *LOCK.lock() += 1;
                assert_eq!(*LOCK.lock(), 1, $name);
                assert!(LOCK.try_lock().is_some(), $name);
                shared_and_sent::<$lock>();
                shared_and_sent::<Mutex<$lock, u32>>();
                shared_and_sent::<Gate<$lock>>();
                shared_and_sent::<Striped<$lock, 4>>();
                shared_and_sent::<SeqLock<$lock>>();
                // Guards can go to another thread and be dropped there.
                shared_and_sent::<MutexGuard<'_, $lock, u32>>();
            })+
        };
    }
    for_each_lock!(check);
    shared_and_sent::<RwLock<RwFair, u32>>();
    shared_and_sent::<RwLock<RwReader, u32>>();
    shared_and_sent::<SeqCell<Ttas, [u64; 4]>>();
}

/// A type that is not `Send` makes the lock around it not `Sync`.
///
/// The trick: if `T: Sync`, both impls apply, and the call does not compile for ambiguity; so it
/// compiles exactly if `T` is not `Sync`.
#[test]
fn data_that_must_not_be_shared_is_not() {
    trait UnlessSync<A> {
        fn check() {}
    }
    impl<T: ?Sized> UnlessSync<()> for T {}
    struct IsSync;
    impl<T: ?Sized + Sync> UnlessSync<IsSync> for T {}
    <Mutex<Ticket, std::rc::Rc<u32>> as UnlessSync<_>>::check();
    <RwLock<RwFair, std::cell::Cell<u32>> as UnlessSync<_>>::check();
}

#[test]
fn sizes_that_cannot_work_are_refused() {
    use std::panic::catch_unwind;
    assert!(catch_unwind(|| Gate::<Ttas>::with_active(0)).is_err());
    assert!(catch_unwind(|| Gate::<Ttas>::with_active(u32::MAX)).is_err());
    assert!(catch_unwind(|| Striped::<Ttas, 8>::with_stripes(0)).is_err());
    assert!(catch_unwind(|| Striped::<Ttas, 8>::with_stripes(9)).is_err());
    assert_eq!(Striped::<Ttas, 8>::with_stripes(8).len(), 8);
}

/// The ways through a gate of each width, one after another: what has been left can be entered again.
#[test]
fn a_gate_gives_its_places_back() {
    let gate = Gate::<Ttas>::with_active(1);
    for _ in 0..3 {
        gate.lock();
        assert!(!gate.try_lock());
        // SAFETY: locked above.
        unsafe { gate.unlock() };
        assert!(gate.try_lock());
        // SAFETY: acquired above.
        unsafe { gate.unlock() };
    }
}
