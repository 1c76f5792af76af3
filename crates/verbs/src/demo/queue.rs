//! The hot lock: every worker searches the one queue, and searches it under the queue's lock.

use std::cell::UnsafeCell;

use super::{Guarded, StaticMutex};

/// Jobs in the queue. All are periodic: a dispatched job goes back with a later deadline.
const JOBS: usize = 16_384;

#[expect(
    non_upper_case_globals,
    reason = "named as a C program would, for the profile"
)]
static job_queue_lock: StaticMutex = StaticMutex::new();
static QUEUE: Guarded<[u64; JOBS]> = Guarded(UnsafeCell::new([0; JOBS]));

/// Takes the most urgent job out of the queue, and returns the value to work on.
#[inline(never)]
pub fn dispatch_job() -> u64 {
    // SAFETY: D1: locked and unlocked here, QUEUE touched in between.
    unsafe {
        libc::pthread_mutex_lock(job_queue_lock.get());
        let job = take_most_urgent(&mut *QUEUE.0.get());
        libc::pthread_mutex_unlock(job_queue_lock.get());
        job
    }
}

/// Searches linearly where a heap would do: the mistake that makes the lock hot.
#[inline(never)]
fn take_most_urgent(queue: &mut [u64; JOBS]) -> u64 {
    let mut best = 0;
    let mut best_urgency = 0;
    for (position, &runs) in queue.iter().enumerate() {
        let urgency = mix(runs ^ ((position as u64) << 32)) >> (runs % 32);
        if urgency >= best_urgency {
            (best, best_urgency) = (position, urgency);
        }
    }
    queue[best] += 1;
    best_urgency
}

/// Runs the job itself without holding a lock.
#[inline(never)]
pub fn run_job(job: u64) -> u64 {
    (0..8192).fold(job, |state, step| mix(state ^ step))
}

/// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, 2014): arithmetic that an optimizer cannot leave out.
fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dispatched_job_goes_back_with_its_run_counted() {
        let mut queue = [0; JOBS];
        for dispatched in 1..=10 {
            take_most_urgent(&mut queue);
            assert_eq!(queue.iter().sum::<u64>(), dispatched);
        }
    }
}
