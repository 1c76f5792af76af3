//! Threads that acquire two pthread mutexes from Rust in two orders, one after the other; and the same with the mutexes of Rust's
//! standard library, whose acquisitions make no call that a recorder could see.
use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::thread;

/// A `pthread_mutex_t`: zeros are its static initialiser.
#[repr(C, align(8))]
struct Native(UnsafeCell<[u8; 40]>);

// SAFETY: only the C library's functions touch it.
unsafe impl Sync for Native {}

unsafe extern "C" {
    fn pthread_mutex_lock(mutex: *mut u8) -> i32;
    fn pthread_mutex_unlock(mutex: *mut u8) -> i32;
}

static LEFT: Native = Native(UnsafeCell::new([0; 40]));
static RIGHT: Native = Native(UnsafeCell::new([0; 40]));
static STD_LEFT: Mutex<u32> = Mutex::new(0);
static STD_RIGHT: Mutex<u32> = Mutex::new(0);

fn both(first: &'static Native, second: &'static Native) {
    let (first, second) = (first.0.get().cast(), second.0.get().cast());
    // SAFETY: both are mutexes.
    unsafe {
        pthread_mutex_lock(first);
        pthread_mutex_lock(second);
        pthread_mutex_unlock(second);
        pthread_mutex_unlock(first);
    }
}

fn both_std(first: &'static Mutex<u32>, second: &'static Mutex<u32>) {
    let mut one = first.lock().unwrap();
    *one += *second.lock().unwrap();
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("inversion") => {
            thread::spawn(|| both(&LEFT, &RIGHT)).join().unwrap();
            thread::spawn(|| both(&RIGHT, &LEFT)).join().unwrap();
        }
        Some("std") => {
            thread::spawn(|| both_std(&STD_LEFT, &STD_RIGHT)).join().unwrap();
            thread::spawn(|| both_std(&STD_RIGHT, &STD_LEFT)).join().unwrap();
            // One that is seen, since a thread waits for it.
            let held = STD_LEFT.lock().unwrap();
            let waiter = thread::spawn(|| *STD_LEFT.lock().unwrap());
            thread::sleep(std::time::Duration::from_millis(50));
            drop(held);
            waiter.join().unwrap();
        }
        _ => std::process::exit(2),
    }
}
