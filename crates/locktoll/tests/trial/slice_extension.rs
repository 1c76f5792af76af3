//! Locks with `+slice`, whose holders request time slice extensions (rseq(2), Linux 7.0): on this kernel, and with a library that
//! plays one that has them.

use std::path::PathBuf;

use serde_json::Value;

use crate::bench::{Bench, text};

const SLICED: &str = "futex2:100+slice";

/// What `doctor` reports, with this library before the C library.
fn finding(bench: &Bench, preloaded: Option<&PathBuf>) -> Value {
    let mut command = bench.locktoll();
    command.args(["doctor", "--json"]);
    if let Some(library) = preloaded {
        command.env("LD_PRELOAD", library);
    }
    let document: Value = serde_json::from_slice(&command.output().unwrap().stdout).unwrap();
    let mut findings = document["findings"].as_array().unwrap().iter();
    let finding = findings.find(|it| it["id"] == "slice-extension");
    finding.expect("it is always reported").clone()
}

#[test]
fn a_kernel_without_the_extension_is_named_before_anything_runs() {
    let bench = Bench::new();
    let finding = finding(&bench, None);
    if finding["state"] == "works" {
        return locktoll_needs::refused("this kernel has time slice extensions");
    }
    let touched = bench.path("touched");
    let mut command = bench.locktoll();
    let out = command
        .args(["try", "--lock", SLICED, "--", "touch"])
        .arg(&touched)
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(3), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let why = finding["value"].as_str().unwrap();
    assert!(said.contains(SLICED) && said.contains(why), "{said}");
    assert!(!touched.exists() && out.stdout.is_empty());
}

/// Tries the lock with and without, where the kernel seems to set these flags. Gives the two rows.
#[cfg(target_arch = "x86_64")]
fn rows(flags: u32) -> [Value; 2] {
    use crate::tried::{LOCK, row};

    let bench = Bench::new();
    let flags = format!("-DFLAGS={flags}");
    let library = bench.c("rseq_areas", &["-shared", "-fPIC", &flags]);
    let found = finding(&bench, Some(&library));
    assert_eq!(found["state"], "works", "{found}");
    let program = bench.c("tried", &[]);
    let mut command = bench.locktoll();
    let both = format!("{LOCK},{SLICED}");
    command.args(["try", "--json", "--rounds", "1", "--lock", &both, "--"]);
    command.arg(program).args(["count", "2", "1000"]);
    let out = command.env("LD_PRELOAD", library).output().unwrap();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    [LOCK, SLICED].map(|lock| row(&document, lock).clone())
}

#[cfg(target_arch = "x86_64")]
#[test]
fn threads_with_the_extension_are_counted() {
    let [plain, sliced] = rows(16 + 32);
    assert!(plain["coverage"]["slice_extension"].is_null(), "{plain}");
    assert!(sliced["dropped"].is_null(), "{sliced}");
    let counted = &sliced["coverage"]["slice_extension"];
    assert!(counted["threads"].as_u64() >= Some(2), "{sliced}");
    assert_eq!(counted["threads_without"], 0);
    assert_eq!(counted["given_back"], 0, "nothing is granted");
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_lock_is_dropped_if_no_thread_of_the_program_gets_the_extension() {
    // It is offered, and the real kernel refuses to enable it.
    let [plain, sliced] = rows(16);
    assert!(plain["dropped"].is_null(), "{plain}");
    assert_eq!(sliced["dropped"]["why"], "not_replaced", "{sliced}");
    let reason = sliced["dropped"]["reason"].as_str().unwrap();
    assert!(reason.contains("time slice extension"), "{reason}");
}
