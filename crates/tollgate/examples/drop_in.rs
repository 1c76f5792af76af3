//! A stack of jobs and its workers. It was written for `std::sync`; one line is changed.

use std::sync::Arc;
use std::thread;

// Before: use std::sync::{Condvar, Mutex};
use tollgate::poisoning::{Condvar, Mutex};

#[derive(Default)]
struct Jobs {
    waiting: Mutex<Vec<u64>>,
    changed: Condvar,
}

/// The sum of the squares of all numbers below `jobs`, by this many workers.
pub fn sum_of_squares(jobs: u64, workers: usize) -> u64 {
    let shared = Arc::new(Jobs::default());
    let workers: Vec<_> = (0..workers)
        .map(|_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut sum = 0;
                loop {
                    let waiting = shared.waiting.lock().unwrap();
                    let mut waiting = shared
                        .changed
                        .wait_while(waiting, |waiting| waiting.is_empty())
                        .unwrap();
                    match waiting.pop() {
                        // `u64::MAX` is not a job: it ends the worker.
                        Some(u64::MAX) | None => return sum,
                        Some(job) => sum += job * job,
                    }
                }
            })
        })
        .collect();
    for job in 0..jobs {
        shared.waiting.lock().unwrap().push(job);
        shared.changed.notify_one();
    }
    // Workers take jobs from the end of the vector, so they come by these last.
    let ends = vec![u64::MAX; workers.len()];
    shared.waiting.lock().unwrap().splice(0..0, ends);
    shared.changed.notify_all();
    workers
        .into_iter()
        .map(|worker| worker.join().unwrap())
        .sum()
}

fn main() {
    println!("{}", sum_of_squares(1000, 4));
}
