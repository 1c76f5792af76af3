//! `machine --watch` compared with the kernel's counts for the watched process, by the built binary.
//!
//! The watched process is this test binary, started again with one word that says what to do.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Where a process that is to be watched finds its task.
const TASK: &str = "LOCKTOLL_TEST_TASK";

/// Longer than any test takes on a loaded machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Hand-overs between two threads.
const ROUNDS: u64 = 20_000;

fn locktoll(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locktoll"));
    command.args(["machine", "--watch"]).args(words);
    command.env_remove("COLUMNS");
    command
}

fn output(words: &[&str]) -> Output {
    locktoll(words).output().expect("the program was built")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is UTF-8")
}

/// A process with a task, told to go on and stopped by lines on its standard input.
struct Watched {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Watched {
    fn start(task: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "the_watched_process", "--ignored", "--nocapture"])
            .env(TASK, task)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this binary starts again");
        let orders = child.stdin.take().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        let mut watched = Self {
            child,
            orders,
            answers,
        };
        assert_eq!(watched.answer(), Vec::<u64>::new(), "it is there");
        watched
    }

    fn pid(&self) -> String {
        self.child.id().to_string()
    }

    /// Figures of its next answer, past what the test harness prints.
    fn answer(&mut self) -> Vec<u64> {
        loop {
            let mut line = String::new();
            let read = self.answers.read_line(&mut line).expect("it answers");
            assert!(read > 0, "the watched process ended");
            if let Some((_, figures)) = line.split_once("answer:") {
                let figures = figures.split_whitespace();
                return figures.map(|figure| figure.parse().unwrap()).collect();
            }
        }
    }

    fn order(&mut self) -> Vec<u64> {
        writeln!(self.orders, "go").unwrap();
        self.answer()
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Voluntary and involuntary switches of this process, ended threads included (getrusage(2)).
fn own_switches() -> [u64; 2] {
    // SAFETY: all zeroes is a valid rusage, and the kernel fills the struct we own.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    [usage.ru_nvcsw as u64, usage.ru_nivcsw as u64]
}

/// Not a test: the watched process.
#[test]
#[ignore = "run by the tests, with a task"]
fn the_watched_process() {
    let Ok(task) = std::env::var(TASK) else {
        return;
    };
    let mut orders = std::io::stdin().lines();
    let mut order = move || orders.next().expect("the test still runs").unwrap();
    let answer = |figures: &[u64]| {
        let figures: Vec<String> = figures.iter().map(u64::to_string).collect();
        println!("answer: {}", figures.join(" "));
    };
    match task.as_str() {
        // On order: so many hand-overs between two threads that live on, and what they cost in switches.
        "hand over" => {
            let ((to_a, from_b), (to_b, from_a)) = (sync_channel::<()>(0), sync_channel::<()>(0));
            let (start, started) = sync_channel::<()>(0);
            let (report, done) = sync_channel::<()>(0);
            thread::spawn(move || {
                for () in started {
                    for _ in 0..ROUNDS {
                        to_b.send(()).unwrap();
                        from_b.recv().unwrap();
                    }
                    report.send(()).unwrap();
                }
            });
            thread::spawn(move || {
                for () in from_a {
                    to_a.send(()).unwrap();
                }
            });
            answer(&[]);
            loop {
                order();
                let before = own_switches();
                start.send(()).unwrap();
                done.recv().unwrap();
                let after = own_switches();
                answer(&[after[0] - before[0], after[1] - before[1]]);
            }
        }
        // Three threads that never wait, on one CPU.
        "burn" => {
            // SAFETY: both take plain numbers and a mask we own.
            unsafe {
                let mut one: libc::cpu_set_t = std::mem::zeroed();
                libc::CPU_SET(usize::try_from(libc::sched_getcpu()).unwrap(), &mut one);
                libc::sched_setaffinity(0, size_of_val(&one), &raw const one);
            }
            for _ in 0..3 {
                let burner = thread::Builder::new().name("burner".to_owned());
                burner
                    .spawn(|| {
                        loop {
                            std::hint::spin_loop()
                        }
                    })
                    .unwrap();
            }
            answer(&[]);
            order();
        }
        // One thread that waits for a futex nobody wakes, again and again.
        "futex" => {
            let waiter = thread::Builder::new().name("waiter".to_owned());
            waiter
                .spawn(|| {
                    loop {
                        thread::park_timeout(Duration::from_millis(2));
                    }
                })
                .unwrap();
            answer(&[]);
            order();
        }
        _ => panic!("no such task: {task}"),
    }
}

/// Lines of JSON of a running watch.
struct Watch {
    child: Child,
    lines: Receiver<Value>,
}

impl Watch {
    fn start(words: &[&str]) -> Self {
        let mut child = locktoll(words)
            .args(["--json"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program was built");
        let answers = BufReader::new(child.stdout.take().unwrap());
        let (send, lines) = sync_channel(1000);
        thread::spawn(move || {
            for line in answers.lines().map_while(Result::ok) {
                let document = serde_json::from_str(&line).expect("each line is a document");
                if send.send(document).is_err() {
                    break;
                }
            }
        });
        Self { child, lines }
    }

    fn next(&self) -> Value {
        self.lines.recv_timeout(PATIENCE).expect("a line comes")
    }

    /// The lines that have come meanwhile, and the one that covers this moment.
    fn so_far(&self) -> Vec<Value> {
        let mut lines: Vec<Value> = self.lines.try_iter().collect();
        // The first of these two may have ended before now; the second has begun before it was asked for, ended after.
        lines.extend([self.next(), self.next()]);
        lines
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn sum(lines: &[Value], of: impl Fn(&Value) -> u64) -> u64 {
    lines.iter().map(of).sum()
}

#[test]
fn switches_of_a_hand_over_are_those_the_process_counts_itself() {
    let mut watched = Watched::start("hand over");
    let watch = Watch::start(&[&watched.pid(), "--interval", "200ms"]);
    // After this line whatever happens is in the following ones.
    let first = watch.next();
    assert_eq!(first["schema"], "locktoll.watch/1");
    let own = watched.order();
    let lines = watch.so_far();
    for (kind, own) in ["voluntary", "involuntary"].into_iter().zip(&own) {
        let of_process = sum(&lines, |line| line["processes"][0][kind].as_u64().unwrap());
        let of_threads = sum(&lines, |line| {
            let threads = line["threads"].as_array().unwrap();
            sum(threads, |thread| thread[kind].as_u64().unwrap())
        });
        assert_eq!(of_process, of_threads);
        // A few more in the main thread, which waits for orders before and after.
        let near = own / 50 + 20;
        assert!(
            of_process.abs_diff(*own) <= near,
            "{kind}: watched {of_process}, counted {own}"
        );
    }
    let [voluntary, involuntary] = own[..] else {
        panic!("two figures: {own:?}")
    };
    assert!(voluntary + involuntary >= ROUNDS, "{own:?}");
    // The machine counts them, too.
    let of_machine = sum(&lines, |line| line["system"]["switches"].as_u64().unwrap());
    assert!(
        of_machine >= (voluntary + involuntary) * 49 / 50,
        "{of_machine} of the machine, {own:?}"
    );
}

#[test]
fn threads_that_never_wait_are_only_taken_off() {
    let watched = Watched::start("burn");
    let watch = Watch::start(&[&watched.pid(), "--interval", "200ms"]);
    watch.next();
    let begun = Instant::now();
    let mut taken_off = 0;
    while taken_off < 3 {
        assert!(begun.elapsed() < PATIENCE, "three threads share a CPU");
        let line = watch.next();
        for thread in line["threads"].as_array().unwrap() {
            if thread["name"] == "burner" {
                assert_eq!(thread["voluntary"], 0, "{thread}");
                taken_off += thread["involuntary"].as_u64().unwrap();
            }
        }
    }
}

#[test]
fn what_a_thread_waits_for_is_found() {
    let watched = Watched::start("futex");
    let watch = Watch::start(&[&watched.pid(), "--interval", "200ms"]);
    watch.next();
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < PATIENCE, "it waits almost always");
        let line = watch.next();
        let threads = line["threads"].as_array().unwrap();
        let Some(waiter) = threads.iter().find(|thread| thread["name"] == "waiter") else {
            continue;
        };
        let waiting = waiter["found"]["waiting"].as_object().unwrap();
        assert!(
            waiting.keys().all(|wait| wait.starts_with("futex")),
            "{waiter}"
        );
        if !waiting.is_empty() {
            let causes = line["causes"].as_array().unwrap();
            assert!(
                causes.iter().any(|cause| cause["cause"] == "futex"),
                "{line}"
            );
            return;
        }
    }
}

#[test]
fn the_machines_switches_are_of_threads_or_in_the_rest() {
    let watched = Watched::start("futex");
    let output = output(&["--json", "--interval", "300ms", "--count", "2"]);
    assert!(output.status.success());
    let lines: Vec<Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0]["limits"].is_object() && lines[1]["limits"].is_null());
    for line in &lines {
        let switches = line["system"]["switches"].as_u64().unwrap();
        let part = |name: &str| line["attribution"][name].as_u64().unwrap_or(0);
        let told = part("voluntary") + part("involuntary") + part("from_idle") + part("rest");
        assert!(told >= switches, "{line}");
        let rows = line["processes"].as_array().unwrap();
        let of_rows: f64 = rows
            .iter()
            .map(|row| {
                let window = row["window_ns"].as_f64().unwrap();
                let scaled = line["interval_ns"].as_f64().unwrap() / window;
                (row["voluntary"].as_f64().unwrap() * scaled).round()
            })
            .sum();
        assert!((of_rows - part("voluntary") as f64).abs() < 1.0, "{line}");
        let pid = watched.child.id();
        let row = rows
            .iter()
            .find(|row| row["pid"] == pid)
            .expect("it wakes 500 times a second");
        assert_eq!(row["kernel"], false);
        assert!(line["own"]["cpu_ns"].as_u64() > Some(0));
        assert!(line["own"]["switches"].as_u64() > Some(0));
    }
}

#[test]
fn a_pipe_gets_block_after_block_without_a_terminals_codes() {
    let output = output(&["--interval", "50ms", "--count", "2"]);
    assert!(output.status.success());
    let page = text(&output.stdout);
    assert_eq!(page.matches("context switches of this machine").count(), 2);
    assert_eq!(page.matches("sched_yield counts").count(), 1, "said once");
    assert_eq!(page.matches("this view itself:").count(), 2);
    assert!(!page.contains('\x1b'));
    assert!(page.lines().all(|line| line.chars().count() <= 160));
}

#[test]
fn what_cannot_be_watched_is_refused_in_one_line() {
    let mut dead = Command::new("true").spawn().unwrap();
    let zombie = dead.id().to_string();
    // It is a zombie, at the latest, once its output would be read.
    let begun = Instant::now();
    while !std::fs::read_to_string(format!("/proc/{zombie}/stat"))
        .unwrap()
        .contains(") Z ")
    {
        assert!(begun.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(5));
    }
    for (words, says) in [
        (&["4194999"][..], "no process has the id 4194999"),
        (&[&zombie], "has ended"),
        (&["0"], "is not a process id"),
        (&["x"], "is not a process id"),
        (&["--interval", "1ms"], "10ms"),
        (&["--count", "0"], "--count"),
        (&["--format", "html"], "text and json"),
    ] {
        let output = output(words);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
        assert!(errors.contains(says), "{words:?}: {errors}");
        assert!(output.stdout.is_empty());
    }
    dead.wait().unwrap();
}

#[test]
fn a_process_that_ends_meanwhile_ends_the_view() {
    let mut child = Command::new("sleep").arg("0.5").spawn().unwrap();
    let pid = child.id().to_string();
    let reaper = thread::spawn(move || child.wait());
    let output = output(&[&pid, "--interval", "50ms"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(
        errors.contains(&format!("process {pid} has ended")),
        "{errors}"
    );
    reaper.join().unwrap().unwrap();
}

#[test]
fn ctrl_c_ends_it_well() {
    let mut child = locktoll(&["--json", "--interval", "100ms"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    answers.read_line(&mut line).unwrap();
    assert!(
        line.starts_with(r#"{"schema":"locktoll.watch/1""#),
        "{line}"
    );
    // SAFETY: the child has not been waited for, so the number is still its own.
    unsafe { libc::kill(child.id() as i32, libc::SIGINT) };
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
