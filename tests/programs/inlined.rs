//! Takes a C library's mutex 20 times through a wrapper that is inlined into `outer_function`.

use std::cell::UnsafeCell;

/// Larger than any pthread_mutex_t; zeros are an unlocked one.
#[repr(align(16))]
struct Mutex(UnsafeCell<[u8; 64]>);

unsafe impl Sync for Mutex {}

unsafe extern "C" {
    fn pthread_mutex_lock(mutex: *mut u8) -> i32;
    fn pthread_mutex_unlock(mutex: *mut u8) -> i32;
}

static RUST_LOCK: Mutex = Mutex(UnsafeCell::new([0; 64]));

#[inline(always)]
fn inlined_wrapper() {
    unsafe {
        pthread_mutex_lock(RUST_LOCK.0.get().cast());
        pthread_mutex_unlock(RUST_LOCK.0.get().cast());
    }
}

#[inline(never)]
fn outer_function(turns: u32) {
    for _ in 0..turns {
        inlined_wrapper();
    }
}

fn main() {
    outer_function(20);
}
