//! The traits of the crate `lock_api`.
#![cfg(all(not(locktoll_loom), feature = "lock_api"))]

use std::thread;
use std::time::{Duration, Instant};

use lock_api::{Mutex, MutexGuard};
use tollgate::RawMutex;

static COUNT: Mutex<RawMutex, u32> = Mutex::new(0);

#[test]
fn a_mutex_of_lock_api_excludes_waits_and_hands_over() {
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..1_000 {
                    let mut count = COUNT.lock();
                    *count += 1;
                    MutexGuard::bump(&mut count);
                    MutexGuard::unlock_fair(count);
                }
            });
        }
    });
    let held = COUNT.lock();
    assert_eq!(*held, 4_000);
    let moment = Duration::from_millis(1);
    assert!(COUNT.try_lock().is_none());
    assert!(COUNT.try_lock_for(moment).is_none());
    assert!(COUNT.try_lock_until(Instant::now() + moment).is_none());
    drop(held);
    assert!(COUNT.try_lock_for(moment).is_some());
}
