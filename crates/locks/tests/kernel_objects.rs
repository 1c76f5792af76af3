//! Locks made of kernel objects take nothing before their first use, and leave nothing behind.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

use std::fs;

use locktoll_locks::*;

/// Whether the kernel knows the semaphore set `id`.
fn exists(id: i32) -> bool {
    let sets = fs::read_to_string("/proc/sysvipc/sem").unwrap();
    sets.lines()
        .skip(1)
        .any(|line| line.split_whitespace().nth(1) == Some(&id.to_string()))
}

#[test]
fn a_semaphore_is_made_late_and_removed() {
    let lock = SysvSemaphore::new();
    assert_eq!(lock.id(), None);
    assert!(!lock.is_locked());
    lock.lock();
    let id = lock.id().expect("made by the first use");
    assert!(exists(id));
    assert!(lock.is_locked());
    // SAFETY: locked above.
    unsafe { lock.unlock() };
    drop(lock);
    assert!(!exists(id), "semaphore {id} was left behind");
}

#[test]
fn threads_that_come_first_together_share_one_object() {
    for _ in 0..50 {
        let lock = Mutex::<SysvSemaphore, u32>::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| *lock.lock() += 1);
            }
        });
        assert_eq!(*lock.lock(), 4);
    }
}

#[test]
fn objects_are_made_at_once_on_demand() {
    let semaphore = SysvSemaphore::create().unwrap();
    assert!(semaphore.id().is_some_and(exists));
    let eventfd = Eventfd::create().unwrap();
    let pipe = PipeToken::create().unwrap();
    assert!(semaphore.try_lock() && eventfd.try_lock() && pipe.try_lock());
    assert!(!semaphore.try_lock() && !eventfd.try_lock() && !pipe.try_lock());
    // SAFETY: each was locked by its try.
    unsafe {
        semaphore.unlock();
        eventfd.unlock();
        pipe.unlock();
    }
    assert!(!semaphore.is_locked() && !eventfd.is_locked() && !pipe.is_locked());
}

#[test]
fn descriptors_are_closed() {
    for _ in 0..3000 {
        let eventfd = Eventfd::new();
        let pipe = PipeToken::new();
        assert!(eventfd.try_lock() && pipe.try_lock());
    }
    let open = fs::read_dir("/proc/self/fd").unwrap().count();
    assert!(open < 500, "{open} files are open");
}
