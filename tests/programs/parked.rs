//! Threads that wait for each other by channels and by parking, and by no lock. Built without symbols, nothing but the values that they wait
//! for says so.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn main() {
    let (numbers, received) = mpsc::channel::<u32>();
    let (echoes, heard) = mpsc::channel::<u32>();
    let echo = thread::spawn(move || {
        while let Ok(number) = received.recv() {
            echoes.send(number).unwrap();
        }
    });
    let timed = thread::spawn(|| {
        for _ in 0..20 {
            thread::park_timeout(Duration::from_millis(5));
        }
    });
    let parked = thread::spawn(thread::park);
    for number in 0..50 {
        numbers.send(number).unwrap();
        thread::sleep(Duration::from_millis(2));
        assert_eq!(heard.recv().unwrap(), number);
    }
    parked.thread().unpark();
    drop(numbers);
    for thread in [echo, timed, parked] {
        thread.join().unwrap();
    }
}
