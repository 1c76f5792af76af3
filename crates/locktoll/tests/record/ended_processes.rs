//! `record --live` of a program that keeps starting processes: their parts are added up, and no figure is lost.

use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::bench::Bench;
use crate::steps::taken;

/// The acquisitions of each lock by each process of `forks.c`.
const ROUNDS: u64 = 5;
/// Children of one step, each second of which has a child of its own.
const CHILDREN: u64 = 300;
const PROCESSES: u64 = CHILDREN + CHILDREN / 2;
/// Parts of fewer processes are not worth adding up; the program's own part and the folders are there too.
const MOST_FILES: usize = 64 + 8;

/// The program under the recorder.
struct Forks {
    recorder: Child,
    said: Lines<BufReader<ChildStdout>>,
}

impl Forks {
    fn start(bench: &Bench, more: &[&str]) -> Self {
        Self::of("forks", bench, more, Stdio::inherit())
    }

    /// The recorder's messages go to `messages`.
    fn of(program: &str, bench: &Bench, more: &[&str], messages: Stdio) -> Self {
        let mut command = bench.locktoll();
        command
            .args(["record", "--quiet", "--spin", "off", "-o", "out.locktoll"])
            .args(more)
            .arg("--")
            .arg(bench.c(program, &[]));
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut recorder = command.stderr(messages).spawn().unwrap();
        let mut said = BufReader::new(recorder.stdout.take().unwrap()).lines();
        assert_eq!(said.next().unwrap().unwrap(), "ready");
        Self { recorder, said }
    }

    fn step(&mut self) {
        self.step_of(CHILDREN);
    }

    fn step_of(&mut self, children: u64) {
        let input = self.recorder.stdin.as_mut().unwrap();
        writeln!(input, "{children}").unwrap();
        assert_eq!(self.said.next().unwrap().unwrap(), "done");
    }

    /// Returns what the program says at its end.
    fn end(mut self) -> String {
        drop(self.recorder.stdin.take());
        assert!(self.recorder.wait().unwrap().success());
        self.said.map(Result::unwrap).collect()
    }
}

/// The folder of parts of a recording in progress.
fn folder(bench: &Bench) -> PathBuf {
    let name = bench.litter().into_iter().find(|it| it.contains(".parts-"));
    bench.path(name.unwrap())
}

/// The number of files in a folder and those within it.
fn files(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    let count = entries.map(|entry| match entry.file_type() {
        Ok(kind) if kind.is_dir() => std::fs::read_dir(entry.path()).map_or(0, Iterator::count),
        _ => 1,
    });
    count.sum()
}

/// Waits until the recorder has added up what has ended.
fn bounded(folder: &Path) {
    for _ in 0..600 {
        if files(folder) <= MOST_FILES {
            return;
        }
        sleep(Duration::from_millis(100));
    }
    panic!("{} files in {}", files(folder), folder.display());
}

/// The figures of each lock that are sums, by its id.
fn figures(profile: &Value) -> Vec<(String, [u64; 3])> {
    let rows = profile["locks"].as_array().unwrap().iter();
    let mut all: Vec<_> = rows
        .map(|lock| {
            let figure = |at: &str| lock.pointer(at).and_then(Value::as_u64).unwrap_or(0);
            let figures = ["/acquisitions", "/contended", "/hold_ns/sampled"].map(figure);
            (lock["id"].as_str().unwrap().to_owned(), figures)
        })
        .filter(|(_, figures)| figures[0] > 0)
        .collect();
    all.sort();
    all
}

fn acquisitions(profile: &Value) -> Vec<(String, u64)> {
    let all = figures(profile).into_iter();
    all.map(|(id, figures)| (id, figures[0])).collect()
}

/// The number of processes, with those of sums.
fn processes(profile: &Value) -> u64 {
    let all = profile["processes"].as_array().unwrap().iter();
    all.map(|it| it["added_up"].as_u64().unwrap_or(1)).sum()
}

fn added(all: &[&Value]) -> Vec<(String, [u64; 3])> {
    let mut sums = std::collections::BTreeMap::new();
    for (id, figures) in all.iter().flat_map(|it| figures(it)) {
        let sum: &mut [u64; 3] = sums.entry(id).or_default();
        (0..3).for_each(|at| sum[at] += figures[at]);
    }
    sums.into_iter().collect()
}

#[test]
fn parts_of_processes_that_have_ended_are_added_up_and_nothing_is_lost() {
    let bench = Bench::new();
    let mut forks = Forks::start(&bench, &["--live"]);
    let parts = folder(&bench);
    let recorder = forks.recorder.id().to_string();

    forks.step();
    // Before some are added up, and after that.
    let first = taken(&bench, &recorder, "first.locktoll", &[]);
    bounded(&parts);
    let second = taken(&bench, &recorder, "second.locktoll", &[]);
    forks.step();
    bounded(&parts);
    let third = taken(&bench, &recorder, "third.locktoll", &[]);
    let nothing = taken(&bench, &recorder, "nothing.locktoll", &[]);
    assert_eq!(nothing["locks"].as_array().unwrap().len(), 0, "{nothing:#}");
    let in_progress = bench.profile("out.locktoll");
    forks.end();

    let whole = bench.profile("out.locktoll");
    assert_eq!(
        added(&[&first, &second, &third]),
        figures(&whole),
        "{whole:#}"
    );
    assert_eq!(figures(&in_progress), figures(&whole));
    let sum: u64 = acquisitions(&whole).iter().map(|it| it.1).sum();
    assert_eq!(sum, 2 * PROCESSES * 3 * ROUNDS + 1);
    let warnings = whole["warnings"].as_array().unwrap();
    let says = |it: &Value| it.as_str().unwrap().contains("added up by program");
    assert!(warnings.iter().any(says), "{warnings:?}");
    assert!(whole["processes"].as_array().unwrap().len() < MOST_FILES);
    // The program itself, too.
    assert_eq!(processes(&whole), 2 * PROCESSES + 1);

    // A recording that keeps each process has the same locks with the same figures.
    let other = Bench::new();
    let mut forks = Forks::start(&other, &[]);
    forks.step();
    forks.step();
    forks.end();
    let each = other.profile("out.locktoll");
    assert_eq!(acquisitions(&each), acquisitions(&whole));
    assert_eq!(processes(&each), 2 * PROCESSES + 1);
    let names = |profile: &Value| {
        let rows = profile["locks"].as_array().unwrap().iter();
        let mut names: Vec<String> = rows.map(|it| it["name"].to_string()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&each), names(&whole));
}

#[test]
fn parts_that_cannot_be_added_up_are_reported_once_and_added_up_later() {
    let bench = Bench::new();
    let messages = bench.path("messages");
    let to = Stdio::from(std::fs::File::create(&messages).unwrap());
    let mut forks = Forks::of("forks", &bench, &["--live"], to);
    let parts = folder(&bench);
    // A file where the folder of unfinished sums would be.
    let obstacle = parts.join("unfinished");
    std::fs::write(&obstacle, "").unwrap();
    let said = || std::fs::read_to_string(&messages).unwrap();
    let times = || said().matches("could not be added up").count();
    let wait_for = |what: &dyn Fn() -> bool| {
        let came = (0..600).any(|_| {
            sleep(Duration::from_millis(100));
            what()
        });
        assert!(came, "{}", said());
    };
    forks.step();
    wait_for(&|| times() > 0);
    // Each attempt moves parts there first.
    let moved = || std::fs::read_dir(parts.join("ended-1")).map_or(0, Iterator::count);
    let at_first = moved();
    forks.step();
    wait_for(&|| moved() > at_first);
    std::fs::remove_file(&obstacle).unwrap();
    forks.step();
    bounded(&parts);
    forks.end();
    assert_eq!(times(), 1, "{}", said());
    let whole = bench.profile("out.locktoll");
    assert_eq!(processes(&whole), 3 * PROCESSES + 1);
    let sum: u64 = acquisitions(&whole).iter().map(|it| it.1).sum();
    assert_eq!(sum, 3 * PROCESSES * 3 * ROUNDS + 1);
}

/// How long threads waited for locks, and how long all of them lived but the program's own, which waits for its children and for the test.
fn waited_and_lived(profile: &Value) -> [f64; 2] {
    let ns = |of: &Value, name: &str| of[name].as_u64().unwrap();
    let program = &profile["processes"][0]["pid"];
    let own = profile["per_thread"].as_array().unwrap().iter();
    let own = own.filter(|it| it["pid"] == *program);
    let own_ns: u64 = own.map(|it| ns(it, "duration_ns")).sum();
    let lived_ns = ns(profile, "thread_time_ns") - own_ns;
    [ns(profile, "wait_ns"), lived_ns].map(|ns| ns as f64)
}

#[test]
fn shares_of_the_threads_time_are_those_of_a_recording_that_lists_each_thread() {
    const WAITING: u64 = 144;
    // The recording, and its share of waiting as a part of the share that the program measured.
    let recorded = |more: &[&str]| {
        let bench = Bench::new();
        let mut forks = Forks::of("waiting_forks", &bench, more, Stdio::inherit());
        let parts = folder(&bench);
        forks.step_of(WAITING);
        if more.contains(&"--live") {
            bounded(&parts);
        }
        let measured = forks.end();
        let mut measured = measured.split(' ').map(|it| it.parse::<f64>().unwrap());
        let measured = measured.next().unwrap() / measured.next().unwrap();
        let profile = bench.profile("out.locktoll");
        let [waited_ns, lived_ns] = waited_and_lived(&profile);
        assert!(waited_ns <= lived_ns, "{waited_ns} of {lived_ns}");
        (profile, waited_ns / lived_ns / measured)
    };
    let (live, live_share) = recorded(&["--live"]);
    let (each, each_share) = recorded(&[]);
    let processes = |profile: &Value| profile["processes"].as_array().unwrap().clone();
    let (sums, listed): (Vec<_>, Vec<_>) = processes(&live)
        .into_iter()
        .partition(|it| it["added_up"].is_u64());
    assert_eq!(sums.len(), 1, "{sums:#?}");
    let added_up = sums[0]["added_up"].as_u64().unwrap();
    assert!(added_up > WAITING / 2, "{sums:#?}");
    // Each process once, though every fourth begins its program again.
    let mut listed: Vec<&Value> = listed.iter().map(|it| &it["pid"]).collect();
    listed.dedup();
    assert_eq!(added_up + listed.len() as u64, WAITING + 1, "{sums:#?}");
    // Its threads are those that are not listed.
    let threads = |profile: &Value| profile["per_thread"].as_array().unwrap().len() as u64;
    let unlisted = sums[0]["unlisted_threads"].as_u64().unwrap();
    assert_eq!(threads(&live) + unlisted, threads(&each));
    // Without the lives of the sum, the first would be at least twice as much.
    let ratio = live_share / each_share;
    assert!((0.6..=1.6).contains(&ratio), "{live_share}, {each_share}");
}
