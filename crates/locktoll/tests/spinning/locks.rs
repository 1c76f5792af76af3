//! Spinning inside a lock that the recorder knows is charged to the lock, and is not counted a second time.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::bench::Bench;

/// Fewer samples could all be missed by chance.
const FEW: u64 = 20;

/// How often an adaptive mutex tries before it sleeps, and the value for these tests. glibc reads it when a program starts.
const TUNABLE: &str = "glibc.pthread.mutex_spin_count";
const TRIES: u32 = 30_000;

fn tunables() -> String {
    format!("{TUNABLE}={TRIES}")
}

/// Whether the C library obeys the tunable. If it does not, an adaptive mutex spins too briefly to be sampled, and the test is skipped.
/// The loader of this process lists the values that it has taken.
fn adaptive_mutexes_spin_long() -> bool {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut paths = maps.lines().filter_map(|it| it.split_whitespace().nth(5));
    let loader = paths.find(|it| it.rsplit('/').next().unwrap().starts_with("ld-"));
    let listed = loader.and_then(|it| {
        let mut loader = Command::new(it);
        loader.arg("--list-tunables");
        loader.env("GLIBC_TUNABLES", tunables()).output().ok()
    });
    let listed = listed.map_or_else(Vec::new, |it| it.stdout);
    let is_obeyed = String::from_utf8_lossy(&listed).contains(&format!("{TUNABLE}: {TRIES} "));
    if !is_obeyed {
        locktoll_needs::missing(&format!("C library that obeys {TUNABLE}"));
    }
    is_obeyed
}

/// Records `spins_in_locks.c`. `None`, and the test is skipped, if the kernel does not let it be sampled.
fn recorded(way: &str) -> Option<Value> {
    let bench = Bench::new();
    let program = bench.built("spins_in_locks.c", &["-O1"]);
    let spins_long = format!("GLIBC_TUNABLES={}", tunables());
    let arguments = [spins_long.as_str(), program.to_str().unwrap(), way];
    let (_, profile) = bench.profile(Path::new("env"), &arguments)?;
    Some(profile)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// There is one row, which belongs to the lock of this name, and nothing is left outside of it, in the whole and of each thread.
/// Returns the row and the lock.
fn counted_once<'a>(profile: &'a Value, name: &str) -> (&'a Value, &'a Value) {
    let rows = profile["spinning"].as_array().map_or(&[][..], |it| it);
    let [row] = rows else { panic!("{rows:#?}") };
    assert_eq!(row["word"]["name"], name, "{row:#}");
    assert!(row["cpu_ns"]["n"].as_u64() >= Some(FEW), "{row:#}");
    assert!(number(&row["cpu_ns"]["median"]) > 0.0, "{row:#}");
    let locks = profile["locks"].as_array().unwrap();
    let lock = locks.iter().find(|it| it["name"] == name);
    let lock = lock.unwrap_or_else(|| panic!("{profile:#}"));
    assert_eq!(row["lock"], lock["id"], "{row:#}");
    // Sums in another order may differ in the last digits.
    assert!(
        number(&profile["spin_cpu_ns"]["median"]) < 1.0,
        "{profile:#}"
    );
    for thread in profile["per_thread"].as_array().unwrap() {
        assert_eq!(number(&thread["spin_ns"]), 0.0, "{thread:#}");
    }
    (row, lock)
}

/// Each wait was timed; a thread that waits also lacks a CPU at times, so it spins for no longer than that.
fn spun_within_the_waits(row: &Value, lock: &Value) {
    let waited_ns = number(&lock["wait_ns"]["total"]);
    assert!(
        number(&row["cpu_ns"]["low"]) <= waited_ns * 1.02,
        "{row:#} {lock:#}"
    );
}

#[test]
fn spinning_in_a_spin_lock_belongs_to_the_lock() {
    let Some(profile) = recorded("spin") else {
        return;
    };
    let (row, lock) = counted_once(&profile, "spin_word");
    spun_within_the_waits(row, lock);
}

#[test]
fn spinning_in_an_adaptive_mutex_belongs_to_the_mutex() {
    if !adaptive_mutexes_spin_long() {
        return;
    }
    let Some(profile) = recorded("adaptive") else {
        return;
    };
    let (row, lock) = counted_once(&profile, "adaptive_mutex");
    spun_within_the_waits(row, lock);
}
