//! The synchronisation of Rust's standard library, which calls futex(2) through the C library when it has to wait.
//!
//! `BUSY` is held, 10 times, until another thread waits and for 20 ms more: 10 waits of a lock. `TURN` and its condition,
//! parking, channels, barriers, once-cells and scoped threads are waited for as signals. Prints how long `BUSY` was waited for.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, OnceLock, RwLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

static BUSY: Mutex<u64> = Mutex::new(0);
/// The first thread is about to ask for `BUSY`.
static COMING: AtomicBool = AtomicBool::new(false);
static TURN: Mutex<u64> = Mutex::new(0);
static CHANGED: Condvar = Condvar::new();
static SHARED: RwLock<u64> = RwLock::new(0);
static ONCE: OnceLock<u64> = OnceLock::new();

fn is_first_thread_asleep() -> bool {
    let id = std::process::id();
    let stat = std::fs::read_to_string(format!("/proc/self/task/{id}/stat")).unwrap();
    // The state follows the name, which is in parentheses.
    stat.rsplit_once(") ").unwrap().1.starts_with('S')
}

#[inline(never)]
fn hold_busy(met: &Barrier) {
    let mut guard = BUSY.lock().unwrap();
    met.wait();
    // However long the processors belong to others, the first thread is in the lock before it is released.
    while !(COMING.load(Ordering::Acquire) && is_first_thread_asleep()) {
        thread::sleep(Duration::from_micros(50));
    }
    COMING.store(false, Ordering::Relaxed);
    thread::sleep(Duration::from_millis(20));
    *guard += 1;
}

#[inline(never)]
fn wait_for_busy(met: &Barrier) -> Duration {
    met.wait();
    COMING.store(true, Ordering::Release);
    let begin = Instant::now();
    *BUSY.lock().unwrap() += 1;
    begin.elapsed()
}

fn busy() -> Duration {
    let met = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..10 {
                hold_busy(&met);
                met.wait();
            }
        });
        let mut waited = Duration::ZERO;
        for _ in 0..10 {
            waited += wait_for_busy(&met);
            met.wait();
        }
        waited
    })
}

fn turns() {
    let other = thread::spawn(|| {
        for own in (1..20).step_by(2) {
            let mut turn = CHANGED.wait_while(TURN.lock().unwrap(), |turn| *turn != own).unwrap();
            *turn += 1;
            CHANGED.notify_all();
        }
    });
    for own in (0..20).step_by(2) {
        let mut turn = CHANGED.wait_while(TURN.lock().unwrap(), |turn| *turn != own).unwrap();
        *turn += 1;
        CHANGED.notify_all();
    }
    other.join().unwrap();
    let guard = TURN.lock().unwrap();
    let (guard, timeout) = CHANGED.wait_timeout(guard, Duration::from_millis(3)).unwrap();
    println!("turn {}, timed out {}", *guard, timeout.timed_out());
}

fn signals() {
    let woken = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&woken);
    let parked = thread::Builder::new()
        .name("parked".into())
        .spawn(move || {
            while !seen.load(Ordering::Acquire) {
                thread::park();
            }
            thread::park_timeout(Duration::from_millis(2));
        })
        .unwrap();
    thread::sleep(Duration::from_millis(3));
    woken.store(true, Ordering::Release);
    parked.thread().unpark();
    parked.join().unwrap();

    let (sender, receiver) = mpsc::channel();
    let producer = thread::spawn(move || {
        for number in 0..20_u64 {
            thread::sleep(Duration::from_micros(200));
            sender.send(number).unwrap();
        }
    });
    println!("received {}", receiver.iter().sum::<u64>());
    producer.join().unwrap();
    println!("timed out {}", mpsc::channel::<u8>().1.recv_timeout(Duration::from_millis(2)).is_err());

    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| ONCE.get_or_init(|| { thread::sleep(Duration::from_millis(2)); 42 }));
        }
    });
    println!("once {}", ONCE.get().unwrap());
}

fn readers() {
    thread::scope(|scope| {
        for own in 0..4 {
            scope.spawn(move || {
                for i in 0..200 {
                    if i % 50 == own { *SHARED.write().unwrap() += 1 } else { let _ = *SHARED.read().unwrap(); }
                }
            });
        }
    });
    println!("written {}", *SHARED.read().unwrap());
    let poisoned = thread::spawn(|| {
        let _guard = SHARED.write().unwrap();
        std::panic::set_hook(Box::new(|_| {}));
        panic!("poisons the lock");
    });
    println!("panicked {}, poisoned {}", poisoned.join().is_err(), SHARED.is_poisoned());
}

fn main() {
    let waited = busy();
    println!("busy {}", *BUSY.lock().unwrap());
    turns();
    signals();
    readers();
    eprintln!("waited {}", waited.as_nanos());
}
