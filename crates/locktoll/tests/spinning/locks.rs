//! Spinning inside a lock that the recorder knows is charged to the lock, and is not counted a second time.

use serde_json::Value;

use crate::bench::Bench;

/// Records `spins_in_locks.c`. `None`, and the test is skipped, if the kernel does not let it be sampled.
fn recorded(way: &str) -> Option<Value> {
    let bench = Bench::new();
    let program = bench.built("spins_in_locks.c", &["-O1"]);
    let (_, profile) = bench.profile(&program, &[way])?;
    Some(profile)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

/// Busy waiting outside of locks is next to nothing, in the whole and of each thread.
fn is_counted_once(profile: &Value) {
    let rows = profile["spinning"].as_array().map_or(&[][..], |it| it);
    let in_locks = rows.iter().filter(|row| !row["lock"].is_null());
    let in_locks_ns: f64 = in_locks.map(|row| number(&row["cpu_ns"]["median"])).sum();
    let outside_ns = number(&profile["spin_cpu_ns"]["median"]);
    // The program itself computes, starts threads and sleeps.
    assert!(outside_ns <= 0.05 * in_locks_ns.max(1e9), "{profile:#}");
    let of_threads: f64 = profile["per_thread"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thread| number(&thread["spin_ns"]))
        .sum();
    assert!(of_threads <= outside_ns * 1.05 + 1e7, "{profile:#}");
}

#[test]
fn spinning_in_a_spin_lock_belongs_to_the_lock() {
    let Some(profile) = recorded("spin") else {
        return;
    };
    is_counted_once(&profile);
    let locks = profile["locks"].as_array().unwrap();
    let lock = locks.iter().find(|it| it["name"] == "spin_word").unwrap();
    let rows = profile["spinning"].as_array().unwrap();
    let row = rows.iter().find(|row| row["lock"] == lock["id"]);
    let row = row.unwrap_or_else(|| panic!("{profile:#}"));
    assert_eq!(row["word"]["name"], "spin_word");
    // Each wait was timed; a thread that waits also lacks a CPU at times, so it spins for no longer than that.
    let waited_ns = number(&lock["wait_ns"]["total"]);
    assert!(
        number(&row["cpu_ns"]["low"]) <= waited_ns * 1.02,
        "{row:#} {lock:#}"
    );
    assert!(number(&row["cpu_ns"]["median"]) > 0.0);
}

#[test]
fn spinning_in_an_adaptive_mutex_belongs_to_the_mutex() {
    let Some(profile) = recorded("adaptive") else {
        return;
    };
    is_counted_once(&profile);
    let rows = profile["spinning"].as_array().map_or(&[][..], |it| it);
    for row in rows {
        // Whether samples fall into the short spinning before the sleep is chance.
        if row["word"]["name"] == "adaptive_mutex" {
            let id = row["lock"].as_str().unwrap_or_else(|| panic!("{row:#}"));
            assert!(id.contains("adaptive_mutex"), "{id}");
        }
    }
}
