// Threads that wait for a mutex and a condition variable of the standard library until standard input ends.
use std::io::Read;
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

static LEDGER: Mutex<u64> = Mutex::new(0);
static MAIL: Mutex<u64> = Mutex::new(0);
static MAIL_CAME: Condvar = Condvar::new();

#[inline(never)]
fn book_entry() {
    let mut ledger = LEDGER.lock().unwrap();
    thread::sleep(Duration::from_millis(1));
    *ledger += 1;
    drop(ledger);
    // What a function ends with may take its place on the stack: that is not the release.
    std::hint::black_box(());
}

#[inline(never)]
fn await_mail() {
    let mail = MAIL.lock().unwrap();
    let seen = *mail;
    drop(MAIL_CAME.wait_while(mail, |mail| *mail == seen).unwrap());
}

fn main() {
    for _ in 0..3 {
        thread::spawn(|| {
            loop {
                book_entry();
            }
        });
    }
    thread::spawn(|| {
        loop {
            await_mail();
        }
    });
    thread::spawn(|| {
        loop {
            thread::sleep(Duration::from_millis(5));
            *MAIL.lock().unwrap() += 1;
            MAIL_CAME.notify_all();
        }
    });
    println!("ready");
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
