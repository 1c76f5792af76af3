//! Programs with real-time threads, on which no other lock is tried.

use std::process::Command;

use crate::bench::Bench;
use crate::tried::{LOCK, document, row};

#[test]
fn no_lock_is_tried_on_a_program_with_real_time_threads() {
    let bench = Bench::new();
    let program = bench.c("real_time", &[]).to_str().unwrap().to_owned();
    let bare = Command::new(&program).arg("thread").status().unwrap();
    if bare.code() == Some(77) {
        return locktoll_needs::refused("this user may not use real-time policies");
    }
    assert!(bare.success(), "{bare}");
    // Its waiters spin: without a refusal, each acquisition that finds the lock held takes a second.
    let spinning = "mcs";
    for way in ["thread", "process", "created", "call", "inherited"] {
        let flags = ["--lock", spinning, "--timeout", "60s"];
        let (document, _) = document(&bench, &flags, &[&program, way], 0);
        for lock in [LOCK, spinning] {
            let dropped = &row(&document, lock)["dropped"];
            assert_eq!(dropped["why"], "not_replaced", "{way}: {document:#}");
            let reason = dropped["reason"].as_str().unwrap();
            assert!(reason.contains("real-time threads"), "{reason}");
        }
        let control = row(&document, "pass-through");
        assert!(control["dropped"].is_null(), "{way}: {control}");
    }
    let (document, _) = document(&bench, &[], &[&program, "none"], 0);
    let row = row(&document, LOCK);
    assert!(row["dropped"].is_null(), "{row}");
    assert!(
        row["coverage"]["locks_replaced"].as_u64() >= Some(1),
        "{row}"
    );
}
