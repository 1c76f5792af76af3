//! Spinning inside a lock that the recorder knows is charged to the lock, and is not counted a second time.

use std::path::Path;

use serde_json::Value;

use crate::bench::Bench;

/// Fewer samples could all be missed by chance.
const FEW: u64 = 20;

/// Records `spins_in_locks.c`. `None`, and the test is skipped, if the kernel does not let it be sampled.
fn recorded(way: &str) -> Option<Value> {
    let bench = Bench::new();
    let program = bench.built("spins_in_locks.c", &["-O1"]);
    // The C library reads this when the program starts.
    let spins_long = "GLIBC_TUNABLES=glibc.pthread.mutex_spin_count=30000";
    let arguments = [spins_long, program.to_str().unwrap(), way];
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
    let Some(profile) = recorded("adaptive") else {
        return;
    };
    let (row, lock) = counted_once(&profile, "adaptive_mutex");
    spun_within_the_waits(row, lock);
}
