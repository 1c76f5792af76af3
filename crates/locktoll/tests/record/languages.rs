//! Programs in C++20, Rust and Python, from their start to the profile.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::bench::{Bench, function, lock, number, text};

/// Sums over rows that `is_meant`.
fn sum(profile: &Value, pointer: &str, is_meant: impl Fn(&Value) -> bool) -> f64 {
    let locks = profile["locks"].as_array().unwrap().iter();
    locks
        .filter(|lock| is_meant(lock))
        .map(|lock| number(lock, pointer))
        .sum()
}

#[test]
fn cpp20() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("cpp20");
    let bare = Command::new(&program).output().unwrap();
    let recorded = bench.record(&[&program]);
    assert_eq!(text(&recorded.stdout), text(&bare.stdout));
    let profile = bench.profile("out.locktoll");

    let acquisitions = |name: &str| number(lock(&profile, name), "/acquisitions");
    // 4 threads, 100 turns: alone, and by a scoped_lock, which may let go and try again; two waits and one lock for them.
    assert!(acquisitions("plain") >= 800.0 + 3.0);
    assert!(acquisitions("recursive") >= 800.0);
    assert_eq!(acquisitions("timed"), 401.0);
    assert_eq!(number(lock(&profile, "timed"), "/timed_out"), 2.0);
    assert_eq!(acquisitions("recursive_timed"), 400.0);
    assert_eq!(
        (
            acquisitions("shared"),
            number(lock(&profile, "shared"), "/read_acquisitions")
        ),
        (400.0, 360.0)
    );
    assert_eq!(acquisitions("shared_timed"), 401.0);
    assert_eq!(lock(&profile, "shared")["kind"], "rwlock");
    let site = &lock(&profile, "plain")["sites"];
    let functions: Vec<&str> = site
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|site| site["frames"].as_array().unwrap())
        .filter_map(|frame| frame["function"].as_str())
        .collect();
    assert!(
        functions.iter().any(|name| name.contains("take_plain")),
        "{functions:?}"
    );
}

#[test]
fn the_job_server_of_the_readme() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("job_server");
    assert!(bench.record(&[&program]).status.success());
    let profile = bench.profile("out.locktoll");
    // 100,000 jobs: twenty looks into the index and one change each, one in fifty written down.
    for (name, acquisitions) in [
        ("journal_lock", 2_000.0),
        ("index_lock", 2_100_000.0),
        ("config_lock", 100_000.0),
    ] {
        assert_eq!(number(lock(&profile, name), "/acquisitions"), acquisitions);
    }
    assert_eq!(number(lock(&profile, "config_lock"), "/contended"), 0.0);
    let journal = lock(&profile, "journal_lock");
    assert_eq!(number(journal, "/while_held/system_calls"), 4_000.0);
}

#[test]
fn rust() {
    let bench = Bench::new();
    let program = bench.rust("rust_std");
    let bare = Command::new(&program).output().unwrap();
    let recorded = bench.record(&[&program]);
    assert_eq!(text(&recorded.stdout), text(&bare.stdout));
    let said = text(&recorded.stderr);
    let waited = said
        .lines()
        .find_map(|line| line.strip_prefix("waited "))
        .unwrap();
    let waited_ns: f64 = waited.parse().unwrap();
    let profile = bench.profile("out.locktoll");

    let busy = lock(&profile, "rust_std::BUSY");
    assert_eq!(
        (&busy["kind"], &busy["used_as"]),
        (&"futex".into(), &"lock".into())
    );
    assert!(
        busy["acquisitions"].is_null(),
        "those without a wait pass unseen"
    );
    assert_eq!(number(busy, "/contended"), 10.0);
    let found_ns = number(busy, "/wait_ns/total");
    // Rust spins for a moment before it asks the kernel, which is when we see it.
    assert!(
        found_ns <= waited_ns && found_ns > 0.9 * waited_ns,
        "{found_ns} {waited_ns}"
    );
    let stack = &busy["stacks"][0]["frames"];
    let names: Vec<&str> = stack
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|frame| frame["function"].as_str())
        .collect();
    assert!(
        names.iter().any(|name| name.contains("wait_for_busy")),
        "{names:?}"
    );

    // Conditions, parking, channels, barriers: waited for a good while, and no contention.
    let signals = sum(&profile, "/signal/waits", |lock| {
        lock["used_as"] == "signal"
    });
    assert!(signals > 20.0, "{profile:#}");
    let changed = lock(&profile, "rust_std::CHANGED");
    assert_eq!(
        (changed["used_as"].as_str(), number(changed, "/contended")),
        (Some("signal"), 0.0)
    );
}

#[test]
fn python() {
    let bench = Bench::new();
    let code = "import queue, threading, time
jobs = queue.Queue()
done = []
def work():
    while (job := jobs.get()) is not None:
        with lock:
            done.append(job)
            time.sleep(0.001)
lock = threading.Lock()
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for job in range(40): jobs.put(job)
for _ in threads: jobs.put(None)
for thread in threads: thread.join()
print(len(done), sum(done))";
    if !locktoll_needs::programs(&["python3"]) {
        return;
    }
    let recorded = bench.record(&["python3", "-c", code]);
    assert_eq!(
        text(&recorded.stdout),
        "40 780\n",
        "{}",
        text(&recorded.stderr)
    );
    let profile = bench.profile("out.locktoll");
    assert!(number(&profile, "/threads") >= 5.0);
    // A lock of Python's is a semaphore, or a mutex and a condition variable, by how the interpreter was built; its own
    // big lock is a mutex and condition variables.
    let locks = profile["locks"].as_array().unwrap();
    let waited = |lock: &&Value| {
        let signal_ns = lock
            .pointer("/signal/wait_ns/total")
            .and_then(Value::as_f64);
        number(lock, "/wait_ns/total") + signal_ns.unwrap_or_default() > 1e6
    };
    let longest = locks
        .iter()
        .find(waited)
        .unwrap_or_else(|| panic!("nothing was waited for: {profile:#}"));
    assert_ne!(function(&longest["first_site"]), "");
    // 40 sleeps of 1 ms under one lock, 4 threads: the threads waited for most of that time.
    let all_ns: f64 = locks
        .iter()
        .map(|lock| {
            let signal_ns = lock
                .pointer("/signal/wait_ns/total")
                .and_then(Value::as_f64);
            number(lock, "/wait_ns/total") + signal_ns.unwrap_or_default()
        })
        .sum();
    assert!(all_ns > 40e6, "{all_ns}");
}

#[test]
fn without_names_a_parked_thread_waits_for_no_lock() {
    let bench = Bench::new();
    let program = bench.stripped_rust("parked");
    let (_, profile) = bench.answers(&[], &[&program]);
    // A channel has a mutex of its own, for which a thread may wait for a moment.
    let (locks, signals) = (
        number(&profile, "/time/lock_ns"),
        number(&profile, "/time/signal_ns"),
    );
    assert!(signals > 10.0 * locks, "{:#}", profile["locks"]);
    let rows = profile["locks"].as_array().unwrap();
    let parks = rows.iter().filter(|row| row["used_as"] == "signal");
    // Two threads that park, the one that receives, and the first, which hears the echo.
    assert!(parks.count() >= 3, "{rows:#?}");
}

/// Its futex words are the threads', of which each lock has several here.
#[test]
fn one_lock_of_parking_lot_is_one_row() {
    let bench = Bench::new();
    // As `cargo test --workspace` has built it: of one package alone, its dependencies would be others.
    let mut build = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    build.args(["build", "--locked", "--workspace", "--example", "parked"]);
    let built = build
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", text(&built.stderr));
    let program = concat!(env!("CARGO_TARGET_TMPDIR"), "/../debug/examples/parked");
    // How often they wait does not matter. On a busy machine it may take longer until a thread has waited for each of the two.
    let recordings = [500, 2_000, 8_000].into_iter();
    let locks = recordings
        .map(|ms| locks_of_recorded(&bench, program, ms))
        .find(|it| it.len() >= 2);
    let locks = locks.expect("threads wait for both locks");
    assert_eq!(locks.len(), 2, "{locks:#?}");
    for function in ["stamp_letter", "file_letter"] {
        assert!(
            locks.iter().any(|name| name.contains(function)),
            "{locks:#?}"
        );
    }
}

/// Records the program for so long. Returns the names of the futex words that are locks.
fn locks_of_recorded(bench: &Bench, program: &str, ms: u64) -> Vec<String> {
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll", "--", program]);
    let mut recorded = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(ms));
    drop(recorded.stdin.take());
    assert!(recorded.wait().unwrap().success());
    let profile = bench.profile("out.locktoll");
    let rows = profile["locks"].as_array().unwrap();
    rows.iter()
        .filter(|row| row["kind"] == "futex" && row["used_as"] == "lock")
        .map(|row| row["name"].as_str().unwrap().to_owned())
        .collect()
}
