//! `top` ends when it is asked to, even while it waits for another process.

use std::io::Read;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::bench::Bench;
use crate::target::PATIENCE;
use crate::terminal::Terminal;

#[test]
fn one_signal_ends_it_though_nobody_reads_its_lines() {
    let bench = Bench::new();
    for signal in [Signal::TERM, Signal::INT] {
        let mut command = bench.locktoll();
        command.args(["top", "--json", "--interval", "20ms"]);
        let (mut ours, its) = std::io::pipe().unwrap();
        let mut top = command.stdout(its).stderr(Stdio::null()).spawn().unwrap();
        drop(command);
        // It runs; after that, the pipe fills.
        ours.read_exact(&mut [0]).unwrap();
        let pid = Pid::from_child(&top);
        waits_in_write(top.id());
        kill_process(pid, signal).unwrap();
        let asked = Instant::now();
        while top.try_wait().unwrap().is_none() {
            if asked.elapsed() > PATIENCE {
                top.kill().unwrap();
                panic!("{signal:?} does not end it");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Waits until its first thread has been in write(2) for a while.
fn waits_in_write(process: u32) {
    let began = Instant::now();
    let mut found = 0;
    while found < 20 {
        let call = std::fs::read_to_string(format!("/proc/{process}/syscall")).unwrap();
        let is_writing = call.starts_with(&format!("{} 0x1 ", libc::SYS_write));
        found = if is_writing { found + 1 } else { 0 };
        assert!(began.elapsed() < PATIENCE, "{call}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn the_screen_ends_though_the_thread_that_reads_never_comes_back() {
    let bench = Bench::new();
    let mut terminal = Terminal::start(bench.locktoll().arg("top"), 100, 30);
    let process = terminal.process();
    let began = Instant::now();
    let reader = loop {
        if let Some(thread) = thread_named(process, "gather") {
            break thread;
        }
        assert!(began.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(20));
    };
    terminal.until_so("taken", Terminal::is_taken);
    // Stopped as if it were in the middle of reading what somebody keeps from it.
    let traced = Traced::stop(reader);
    kill_process(Pid::from_raw(process as i32).unwrap(), Signal::TERM).unwrap();
    traced.wait_for_its_end();
    assert!(terminal.end().success());
}

fn thread_named(process: u32, name: &str) -> Option<i32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).ok()?;
    tasks
        .flatten()
        .find(|task| {
            let comm = std::fs::read_to_string(task.path().join("comm"));
            comm.is_ok_and(|comm| comm.trim_end() == name)
        })
        .and_then(|task| task.file_name().to_str()?.parse().ok())
}

/// A thread that does not go on.
struct Traced(i32);

impl Traced {
    fn stop(thread: i32) -> Self {
        let nothing = std::ptr::null_mut::<libc::c_void>();
        // SAFETY: these requests take no memory of ours.
        let seized = unsafe { libc::ptrace(libc::PTRACE_SEIZE, thread, nothing, nothing) };
        assert_eq!(seized, 0, "{}", std::io::Error::last_os_error());
        // SAFETY: as above.
        unsafe { libc::ptrace(libc::PTRACE_INTERRUPT, thread, nothing, nothing) };
        let mut status = 0;
        // SAFETY: `status` is ours.
        unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL) };
        assert!(libc::WIFSTOPPED(status));
        Self(thread)
    }

    fn wait_for_its_end(self) {
        let began = Instant::now();
        loop {
            let mut status = 0;
            // SAFETY: `status` is ours.
            let found =
                unsafe { libc::waitpid(self.0, &raw mut status, libc::__WALL | libc::WNOHANG) };
            if found != 0 && !libc::WIFSTOPPED(status) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "it waits for its reader");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
