//! Counts compared with those of an independent observer over the same run: a bpftrace one-liner.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};

use super::subject::Subject;
use crate::futexes::call::Call;
use crate::futexes::gathered::Gathered;

/// Counts calls by operation and result, and reports every 100 ms that it is running.
const ONE_LINER: &str = "
    tracepoint:syscalls:sys_enter_futex /pid == $1/ { @op[tid] = args->op & 127; @in[tid] = 1; }
    tracepoint:syscalls:sys_exit_futex /@in[tid]/ { @calls[@op[tid], args->ret] = count(); delete(@in[tid]); delete(@op[tid]); }
    interval:ms:100 { printf(\"there\\n\"); }
    END { clear(@in); clear(@op); }";

/// It may report before its last probe is in place. After this many reports, all probes are.
const TICKS: usize = 5;

struct Observer {
    child: Child,
    output: BufReader<std::process::ChildStdout>,
}

/// A call's operation, its result, and the number of calls.
type Counted = Vec<(i64, i64, u64)>;

impl Observer {
    /// Starts the observer. None, with the reason noted, where bpftrace cannot work.
    fn begin(process: u32) -> Option<Self> {
        if !locktoll_needs::programs(&["bpftrace"]) {
            return None;
        }
        let started = Command::new("bpftrace")
            .args([
                "-B",
                "line",
                "-e",
                &ONE_LINER.replace("$1", &process.to_string()),
            ])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.expect("it is there");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (mut ticks, mut line) = (0, String::new());
        while ticks < TICKS {
            line.clear();
            if output.read_line(&mut line).expect("text") == 0 {
                let mut why = String::new();
                let _ = child
                    .stderr
                    .take()
                    .expect("a pipe")
                    .read_to_string(&mut why);
                let _ = child.wait();
                locktoll_needs::refused(&format!("bpftrace cannot work here: {}", why.trim()));
                return None;
            }
            ticks += usize::from(line.trim() == "there");
        }
        Some(Self { child, output })
    }

    fn counted(mut self) -> Counted {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
        let mut text = String::new();
        self.output.read_to_string(&mut text).expect("text");
        let _ = self.child.wait();
        text.lines().filter_map(parse).collect()
    }
}

/// Parses a line such as `@calls[128, -11]: 5`.
fn parse(line: &str) -> Option<(i64, i64, u64)> {
    let (key, count) = line.strip_prefix("@calls[")?.split_once("]: ")?;
    let (op, result) = key.split_once(", ")?;
    Some((
        op.parse().ok()?,
        result.parse().ok()?,
        count.trim().parse().ok()?,
    ))
}

/// Returns the same figures from our counts.
fn figures(gathered: &Gathered) -> [(&'static str, u64); 5] {
    let waits = || gathered.waits.iter().filter(|wait| wait.call == Call::Wait);
    let wakes = || gathered.wakes.iter().filter(|wake| wake.call == Call::Wake);
    [
        (
            "waits that a wake ended",
            waits().map(|wait| wait.woken).sum(),
        ),
        (
            "calls that found the word changed",
            waits().map(|wait| wait.again).sum(),
        ),
        ("wakes", wakes().map(|wake| wake.calls).sum()),
        (
            "wakes that met nobody",
            wakes().map(|wake| wake.empty).sum(),
        ),
        ("threads woken", wakes().map(|wake| wake.woken).sum()),
    ]
}

fn theirs(counted: &Counted) -> [u64; 5] {
    let sum = |wanted: &dyn Fn(i64, i64) -> bool| {
        let matching = counted
            .iter()
            .filter(|(op, result, _)| wanted(*op, *result));
        matching.map(|(_, _, count)| count).sum::<u64>()
    };
    let is_wait = |op: i64| [0, 9].contains(&op);
    let is_wake = |op: i64| [1, 5, 10].contains(&op);
    let woke = counted
        .iter()
        .filter(|(op, result, _)| is_wake(*op) && *result > 0);
    [
        sum(&|op, result| is_wait(op) && result == 0),
        sum(&|op, result| is_wait(op) && result == -11),
        sum(&|op, _| is_wake(op)),
        sum(&|op, result| is_wake(op) && result == 0),
        woke.map(|(_, result, count)| u64::try_from(*result).unwrap_or(0) * count)
            .sum(),
    ]
}

fn agree_on(words: &[&str]) {
    let mut subject = Subject::start("futex_rate.c", words);
    let Some(mut watch) = subject.watch() else {
        return;
    };
    let Some(observer) = Observer::begin(subject.pid()) else {
        return;
    };
    subject.work();
    let (ours, theirs) = (
        figures(&watch.gathered().expect("maps")),
        theirs(&observer.counted()),
    );
    assert!(theirs[2] > 1000, "{theirs:?}");
    for ((what, ours), theirs) in ours.into_iter().zip(theirs) {
        let within = theirs / 100 + 2;
        assert!(
            ours.abs_diff(theirs) <= within,
            "{words:?}: {what}: {ours}, where bpftrace counts {theirs}"
        );
    }
}

#[test]
fn bpftrace_counts_the_same_of_a_contended_mutex() {
    // The result must not depend on how the threads happen to meet: on a busy machine each runs for a whole slice without meeting
    // another.
    agree_on(&["asleep", "8000", "600"]);
}

#[test]
fn bpftrace_counts_the_same_of_threads_that_wake_each_other() {
    agree_on(&["pairs", "100000", "0"]);
}
