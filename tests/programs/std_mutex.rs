//! Counts to 40,000 on four threads under a `std::sync::Mutex`, whose futex a library under the C library's mutex
//! functions does not see.

use std::sync::Mutex;
use std::thread;

fn main() {
    let counter = Mutex::new(0_u64);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..10_000).for_each(|_| *counter.lock().unwrap() += 1));
        }
    });
    println!("{}", counter.into_inner().unwrap());
}
