//! The end of a thread's record, and files of the kernel that are made up.

use std::fs::File;
use std::io::Write;
use std::os::fd::AsRawFd;

use super::*;

/// The value of a field that has not been written.
const UNTOUCHED: u64 = u64::MAX;

fn life(start_ns: u64) -> ThreadRecord {
    // SAFETY: zeros are a valid record.
    let life: ThreadRecord = unsafe { core::mem::zeroed() };
    life.start_ns.store(start_ns, Relaxed);
    for field in [
        &life.cpu_ns,
        &life.run_delay_ns,
        &life.kernel_read_ns,
        &life.voluntary_switches,
        &life.involuntary_switches,
    ] {
        field.store(UNTOUCHED, Relaxed);
    }
    life
}

fn name(life: &ThreadRecord) -> String {
    let bytes = life.name.iter().map(|byte| byte.load(Relaxed));
    String::from_utf8(bytes.take_while(|&byte| byte != 0).collect()).unwrap()
}

/// Returns a file with this text, and a short path that leads to it.
fn made_up(text: &str) -> (File, Text<40>) {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(text.as_bytes()).unwrap();
    let mut path = Text::default();
    path.push(b"/proc/self/fd/");
    path.push_number(file.as_raw_fd() as u64);
    (file, path)
}

fn nowhere() -> Text<40> {
    let mut path = Text::default();
    path.push(b"/no/such/file");
    path
}

/// Ends a life in a thread with the name `worker`. `begin` returns when it began, given the time now.
fn ended(begin: fn(u64) -> u64) -> ThreadRecord {
    let thread = std::thread::Builder::new().name("worker".to_owned());
    let end = move || {
        // So that the kernel has something to say.
        std::thread::sleep(std::time::Duration::from_nanos(1));
        let before = (clock::monotonic_ns(), clock::thread_cpu_ns());
        let life = life(begin(before.0));
        life.waiting_since_ns.store(5, Relaxed);
        life.waiting_lock.store(0x1000, Relaxed);
        let switches = Usage::of_thread().unwrap().voluntary_switches;
        end(&life);
        let usage = Usage::of_thread().unwrap();
        let found = life.voluntary_switches.load(Relaxed);
        assert!((1..=usage.voluntary_switches).contains(&found) && found >= switches);
        assert!(life.involuntary_switches.load(Relaxed) <= usage.involuntary_switches);
        let end_ns = life.end_ns.load(Relaxed);
        assert!((before.0..=clock::monotonic_ns()).contains(&end_ns));
        assert_eq!(life.kernel_read_ns.load(Relaxed), end_ns);
        assert_eq!(name(&life), "worker");
        assert_eq!(life.waiting_since_ns.load(Relaxed), 0, "it was cancelled");
        life
    };
    thread.spawn(end).unwrap().join().unwrap()
}

#[test]
fn a_short_life_ends_without_a_file_and_a_long_one_with_its_delay() {
    // However long the thread is kept from a processor.
    let short = ended(|_| u64::MAX);
    assert_eq!(short.run_delay_ns.load(Relaxed), UNTOUCHED);
    assert!((1..UNTOUCHED).contains(&short.cpu_ns.load(Relaxed)));
    // Some kernels do not say how long a thread waited for a processor.
    if std::path::Path::new("/proc/thread-self/schedstat").exists() {
        let long = ended(|now_ns| now_ns - LONG_LIFE_NS);
        assert!(long.run_delay_ns.load(Relaxed) < UNTOUCHED);
        assert!((1..UNTOUCHED).contains(&long.cpu_ns.load(Relaxed)));
    }
}

#[test]
fn files_of_a_thread_are_found_by_its_number() {
    let path = path(1_204, b"/schedstat");
    assert_eq!(path.written(), b"/proc/self/task/1204/schedstat");
}

#[test]
fn the_schedule_is_the_first_two_numbers() {
    let life = life(0);
    let (_file, path) = made_up("309855 2777148 4\n");
    read_schedule(&life, &path, 77);
    assert_eq!(life.cpu_ns.load(Relaxed), 309_855);
    assert_eq!(life.run_delay_ns.load(Relaxed), 2_777_148);
    assert_eq!(life.kernel_read_ns.load(Relaxed), 77);
}

#[test]
fn switches_are_found_by_their_names() {
    let life = life(0);
    let status =
        "Name:\tx\nThreads:\t9\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n";
    let (_file, path) = made_up(status);
    read_switches(&life, &path);
    assert_eq!(life.voluntary_switches.load(Relaxed), 150);
    assert_eq!(life.involuntary_switches.load(Relaxed), 545);
    let (_file, path) = made_up("Name:\tx\n");
    read_switches(&life, &path);
    assert_eq!(life.voluntary_switches.load(Relaxed), 0);
    assert_eq!(life.involuntary_switches.load(Relaxed), 0);
}

#[test]
fn a_name_is_a_line_of_at_most_fifteen_bytes() {
    for (text, expected) in [
        ("worker\n", "worker"),
        ("exactly-fifteen\n", "exactly-fifteen"),
        ("more-than-fifteen\n", "more-than-fifte"),
        ("", ""),
    ] {
        let life = life(0);
        let (_file, path) = made_up(text);
        read_name(&life, &path);
        assert_eq!(name(&life), expected);
    }
}

#[test]
fn a_file_that_is_not_there_changes_nothing() {
    let life = life(0);
    life.name[0].store(b'x', Relaxed);
    read_schedule(&life, &nowhere(), 77);
    read_switches(&life, &nowhere());
    read_name(&life, &nowhere());
    for field in [&life.cpu_ns, &life.kernel_read_ns, &life.voluntary_switches] {
        assert_eq!(field.load(Relaxed), UNTOUCHED);
    }
    assert_eq!(name(&life), "x");
}
