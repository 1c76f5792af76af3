//! Hangs on purpose: two threads, each of which holds a `std::sync::Mutex` and waits for the other's.

use std::io::{Read, Write};
use std::sync::{Barrier, Mutex};

static JOURNAL: Mutex<u64> = Mutex::new(0);
static ACCOUNTS: Mutex<u64> = Mutex::new(0);

#[inline(never)]
fn both(first: &'static Mutex<u64>, second: &'static Mutex<u64>, all_hold: &Barrier) {
    let mut first = first.lock().unwrap();
    all_hold.wait();
    *first += *second.lock().unwrap();
}

fn main() {
    let all_hold: &'static Barrier = Box::leak(Box::new(Barrier::new(2)));
    std::thread::spawn(move || both(&JOURNAL, &ACCOUNTS, all_hold));
    std::thread::spawn(move || both(&ACCOUNTS, &JOURNAL, all_hold));
    println!("ready {}", std::process::id());
    std::io::stdout().flush().unwrap();
    let _ = std::io::stdin().read(&mut [0]);
    std::process::exit(0);
}
