//! Switches by cause, as the program in the kernel counts them, of processes whose threads switch for a known cause.
//!
//! Such a process is this test binary, started again with one word that says what to do. If the kernel does not accept our
//! programs, these tests are skipped.
#![cfg(target_os = "linux")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write, pipe};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Release};
use std::sync::mpsc::sync_channel;
use std::thread::{self, Thread};
use std::time::Duration;

use locktoll_sources::ebpf::in_outermost_namespace;
use locktoll_sources::switches::{SwitchCause, SwitchCounts, Watch};

/// Where a process that is to be watched finds its task.
const TASK: &str = "LOCKTOLL_TEST_TASK";

/// How long switches are counted.
const WINDOW: Duration = Duration::from_millis(300);

/// A process with a task, which it carries out until it is killed.
struct Watched(Child);

impl Watched {
    fn start(task: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_watched_process", "--ignored", "--nocapture"])
            .env(TASK, task)
            .stdout(Stdio::piped())
            .spawn()
            .expect("this binary starts again");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(lines.any(|line| line.unwrap().contains("at work")));
        // The harness's own start is over, and the threads have had time to reach their work.
        thread::sleep(Duration::from_millis(50));
        Self(child)
    }

    /// Switches of all threads, as `/proc` counts them.
    fn by_proc(&self) -> u64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.0.id())).unwrap();
        let of_task = |path: std::path::PathBuf| {
            let status = fs::read_to_string(path.join("status")).unwrap();
            let fields = status.lines().filter(|line| line.contains("ctxt_switches"));
            let counts = fields.map(|line| line.rsplit('\t').next().unwrap().parse::<u64>());
            counts.map(Result::unwrap).sum::<u64>()
        };
        tasks.map(|task| of_task(task.unwrap().path())).sum()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Keeps the calling thread, and those that it starts, on the first CPU that it may use, so that they must share it.
fn on_one_cpu() {
    // SAFETY: a set of zeroes is a valid set, and the kernel writes only to the set that we own.
    unsafe {
        let mut all: libc::cpu_set_t = std::mem::zeroed();
        libc::sched_getaffinity(0, size_of_val(&all), &raw mut all);
        let first = (0..libc::CPU_SETSIZE as usize).find(|cpu| libc::CPU_ISSET(*cpu, &all));
        let mut one: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(first.expect("one CPU may be used"), &mut one);
        libc::sched_setaffinity(0, size_of_val(&one), &raw const one);
    }
}

fn two_threads(work: fn()) {
    for _ in 0..2 {
        thread::spawn(move || {
            loop {
                work();
            }
        });
    }
}

/// Takes turns with another thread, by parking and unparking.
fn hand_over(turn: &AtomicU32, mine: u32, other: &Thread) {
    loop {
        while turn.load(Acquire) != mine {
            thread::park();
        }
        turn.store(1 - mine, Release);
        other.unpark();
    }
}

/// Not a test: the watched process.
#[test]
#[ignore = "run by the tests, with a task"]
fn the_watched_process() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    match task.as_str() {
        "futex" => {
            // Not a channel, which yields before it waits.
            let turn = Arc::new(AtomicU32::new(0));
            let (to_a, from_main) = sync_channel::<Thread>(1);
            let a = thread::spawn({
                let turn = Arc::clone(&turn);
                move || hand_over(&turn, 0, &from_main.recv().unwrap())
            });
            let a = a.thread().clone();
            let b = thread::spawn(move || hand_over(&turn, 1, &a));
            to_a.send(b.thread().clone()).unwrap();
        }
        "pipe" => {
            let ((mut from_b, mut to_a), (mut from_a, mut to_b)) =
                (pipe().unwrap(), pipe().unwrap());
            thread::spawn(move || {
                loop {
                    to_b.write_all(b"x").unwrap();
                    from_b.read_exact(&mut [0]).unwrap();
                }
            });
            thread::spawn(move || {
                loop {
                    from_a.read_exact(&mut [0]).unwrap();
                    to_a.write_all(b"x").unwrap();
                }
            });
        }
        "sleep" => two_threads(|| thread::sleep(Duration::from_micros(200))),
        "yield" => {
            on_one_cpu();
            two_threads(thread::yield_now);
        }
        "compute" => {
            on_one_cpu();
            two_threads(std::hint::spin_loop);
        }
        other => panic!("no such task: {other}"),
    }
    println!("at work");
    thread::park();
}

/// The counts of a process at `task` for some time; `None` if this user cannot count.
fn counted(task: &str) -> Option<SwitchCounts> {
    if !in_outermost_namespace() {
        locktoll_needs::refused("processes have other numbers here than in the kernel");
        return None;
    }
    let watch = match Watch::begin() {
        Ok(watch) => watch,
        Err(failure) => {
            locktoll_needs::refused(&failure.to_string());
            return None;
        }
    };
    let watched = Watched::start(task);
    let missed = watch.missed().unwrap();
    let read = || watch.of_process(watched.0.id()).unwrap();
    let proc_first = watched.by_proc();
    let before = read();
    let proc_then = watched.by_proc();
    thread::sleep(WINDOW);
    let proc_now = watched.by_proc();
    let after = read();
    let proc_last = watched.by_proc();
    let counted = after.since(&before);
    let missed = watch.missed().unwrap() - missed;
    // The kernel counts a switch for /proc a moment before the program runs: one on each processor may lie between.
    let between = thread::available_parallelism().unwrap().get() as u64;
    let (least, most) = (proc_now - proc_then, proc_last - proc_first);
    assert!(
        counted.all() + missed + between >= least && counted.all() <= most + between,
        "{counted:?} and {missed} missed; /proc counts {least} to {most}"
    );
    assert!(counted.all() >= 10, "{counted:?}");
    Some(counted)
}

/// Asserts that at least this share of the switches have one of these causes.
fn assert_share(counted: &SwitchCounts, least: f64, causes: &[SwitchCause]) {
    let found: u64 = causes.iter().map(|cause| counted.of(*cause)).sum();
    let share = found as f64 / counted.all() as f64;
    assert!(share >= least, "{causes:?}: {share} of {counted:?}");
}

/// A thread that wakes another may be made to give way to it, and then wait later: half of the switches may be such.
const WAITS: f64 = 0.4;
const NEARLY_ALL: f64 = 0.95;
const TAKEN_OFF: [SwitchCause; 2] = [SwitchCause::SliceOver, SwitchCause::WokenOver];

#[test]
fn threads_that_wait_for_a_futex() {
    if let Some(counted) = counted("futex") {
        assert_share(&counted, WAITS, &[SwitchCause::Lock]);
        assert_share(
            &counted,
            NEARLY_ALL,
            &[&TAKEN_OFF[..], &[SwitchCause::Lock]].concat(),
        );
    }
}

#[test]
fn threads_that_wait_for_a_pipe() {
    if let Some(counted) = counted("pipe") {
        assert_share(&counted, WAITS, &[SwitchCause::InputOutput]);
        let both = [&TAKEN_OFF[..], &[SwitchCause::InputOutput]].concat();
        assert_share(&counted, NEARLY_ALL, &both);
    }
}

#[test]
fn threads_that_sleep() {
    if let Some(counted) = counted("sleep") {
        assert_share(&counted, NEARLY_ALL, &[SwitchCause::Sleep]);
    }
}

#[test]
fn threads_that_yield() {
    if let Some(counted) = counted("yield") {
        assert_share(&counted, NEARLY_ALL, &[SwitchCause::Yielded]);
    }
}

#[test]
fn threads_that_compute() {
    if let Some(counted) = counted("compute") {
        assert_share(&counted, NEARLY_ALL, &TAKEN_OFF);
    }
}
