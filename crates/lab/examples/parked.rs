//! A program to be watched: threads wait for two locks of parking_lot, each at a place of its own, until standard input ends.

use std::io::Read;
use std::thread;
use std::time::Duration;

use parking_lot::{Mutex, RwLock};

static STAMP: Mutex<u64> = Mutex::new(0);
static FILE: RwLock<u64> = RwLock::new(0);

#[inline(never)]
fn stamp_letter() {
    let mut stamp = STAMP.lock();
    thread::sleep(Duration::from_millis(1));
    *stamp += 1;
}

#[inline(never)]
fn file_letter() {
    let mut file = FILE.write();
    thread::sleep(Duration::from_millis(1));
    *file += 1;
}

fn main() {
    for work in [
        stamp_letter,
        stamp_letter,
        stamp_letter,
        file_letter,
        file_letter,
        file_letter,
    ] {
        thread::spawn(move || {
            loop {
                work();
            }
        });
    }
    println!("ready");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
