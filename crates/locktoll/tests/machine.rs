//! `machine` by the built binary. No figure is compared with a time.
#![cfg(target_os = "linux")]

mod manners;

use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use manners::{interrupted, is_refused, text};
use serde_json::Value;

/// Probes take whole CPUs, under SCHED_FIFO where they may: two lists at once would measure each other.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// The program with `words`, about to do what `prepare` says before it starts.
fn locktoll(words: &[&str], prepare: fn() -> io::Result<()>) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_locktoll"));
    command.args(words);
    // SAFETY: every `prepare` of this file makes system calls only.
    unsafe { command.pre_exec(prepare) };
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    command.output().expect("the program was built")
}

fn as_it_is() -> io::Result<()> {
    Ok(())
}

/// A quick price list.
fn prices(prepare: fn() -> io::Result<()>) -> Value {
    let output = locktoll(&["machine", "--quick", "--json"], prepare);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    serde_json::from_slice(&output.stdout).expect("exactly one JSON document")
}

fn is_estimate(value: &Value) -> bool {
    ["median", "low", "high", "n"]
        .iter()
        .all(|field| value[field].is_number())
}

#[test]
fn the_document_is_what_the_contract_says() {
    let list = prices(as_it_is);
    assert_eq!(list["schema"], "locktoll.machine/1");
    assert_eq!(
        (&list["quick"], &list["partial"]),
        (&true.into(), &false.into())
    );
    let parts = list["parts"].as_array().unwrap();
    assert!(!parts.is_empty());
    for part in parts {
        for field in ["switches_expected", "switches_counted"] {
            assert!(part.get(field).is_some(), "{field}: {part}");
        }
        for field in ["name", "title", "formula"] {
            assert!(!part[field].as_str().unwrap().is_empty(), "{field}: {part}");
        }
        let (value, refused) = (&part["value"], &part["refused"]);
        assert!(is_estimate(value) != refused.is_string(), "{part}");
    }
    let names = || parts.iter().map(|part| part["name"].as_str().unwrap());
    assert_eq!(
        names().count(),
        names().collect::<std::collections::HashSet<_>>().len()
    );
    let decomposition = &list["decomposition"];
    for side in ["same_cpu", "cross_cpu"] {
        let side = &decomposition[side];
        if side.is_null() {
            assert!(decomposition["refused"].is_string(), "{decomposition}");
            continue;
        }
        assert!(
            is_estimate(&side["total_ns"]) && is_estimate(&side["residual_ns"]),
            "{side}"
        );
        for share in side["parts"].as_array().unwrap() {
            assert!(
                share["name"].is_string() && is_estimate(&share["ns"]),
                "{share}"
            );
        }
    }
}

#[test]
fn every_lock_has_a_price_and_its_system_calls() {
    let list = prices(as_it_is);
    let listed = text(&locktoll(&["bench", "--list"], as_it_is).stdout);
    let locks = list["locks"].as_array().unwrap();
    assert!(locks.len() > 40, "{}", locks.len());
    for lock in locks {
        let name = lock["name"].as_str().unwrap();
        assert!(listed.contains(&format!("  {name} ")), "{name}");
        assert!(is_estimate(&lock["uncontended_ns"]), "{lock}");
    }
    for (name, entries) in [
        ("pthread", 0.0),
        ("std", 0.0),
        ("futex3", 0.0),
        ("futex2", 1.0),
        ("sysv-sem", 2.0),
        ("eventfd", 2.0),
    ] {
        let lock = locks.iter().find(|lock| lock["name"] == name).unwrap();
        let refused = lock["refused"].as_str().unwrap_or_default();
        if !refused.contains("ptrace is not permitted") {
            assert_eq!(lock["kernel_entries_per_op"], entries, "{lock}");
        }
    }
}

#[test]
fn on_one_cpu_what_takes_two_is_refused_with_the_reason() {
    let list = prices(|| {
        // SAFETY: a set of bits that is ours, of the size that is said; thread 0 is the calling one.
        unsafe {
            let mut usable: libc::cpu_set_t = std::mem::zeroed();
            let size = size_of_val(&usable);
            if libc::sched_getaffinity(0, size, &raw mut usable) != 0 {
                return Err(io::Error::last_os_error());
            }
            let first = (0..libc::CPU_SETSIZE as usize).find(|cpu| libc::CPU_ISSET(*cpu, &usable));
            let mut one: libc::cpu_set_t = std::mem::zeroed();
            libc::CPU_SET(first.unwrap_or(0), &mut one);
            match libc::sched_setaffinity(0, size, &raw const one) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        }
    });
    assert_eq!(list["machine"]["usable_cpus"].as_array().unwrap().len(), 1);
    let decomposition = &list["decomposition"];
    assert!(decomposition["cross_cpu"].is_null(), "{decomposition}");
    let reason = decomposition["refused"].as_str().unwrap_or_default();
    assert!(reason.to_lowercase().contains("cpu"), "{decomposition}");
    assert!(
        list["transfers"].is_null() || list["transfers"]["cpus"].as_array().unwrap().len() == 1
    );
}

#[test]
fn without_real_time_rights_the_switches_are_shown_by_kind() {
    let list = prices(|| {
        const CAP_SYS_NICE: libc::c_ulong = 23;
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: plain numbers, and a limit that outlives the call. Root loses the capability at exec; who is not root
        // may not drop it and has none.
        unsafe {
            libc::prctl(libc::PR_CAPBSET_DROP, CAP_SYS_NICE, 0, 0, 0);
            match libc::setrlimit(libc::RLIMIT_RTPRIO, &raw const none) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        }
    });
    let scheduling = &list["scheduling"];
    assert_eq!(scheduling["policy"], "SCHED_OTHER", "{scheduling}");
    assert!(
        !scheduling["refused"].as_str().unwrap().is_empty(),
        "{scheduling}"
    );
    let parts = list["parts"].as_array().unwrap();
    let switching = parts
        .iter()
        .filter(|part| part["value"].is_object() && part["switches_expected"].as_f64() > Some(0.0));
    for part in switching {
        assert!(
            part["mix"]["voluntary"].is_number() && part["mix"]["involuntary"].is_number(),
            "{part}"
        );
    }
}

#[test]
fn a_low_priority_is_no_hindrance() {
    let list = prices(|| {
        // SAFETY: a plain system call.
        unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 10) };
        Ok(())
    });
    let parts = list["parts"].as_array().unwrap();
    assert!(parts.iter().any(|part| is_estimate(&part["value"])));
}

#[test]
fn wrong_use_is_one_line_with_code_2_and_measures_nothing() {
    for (words, expected) in [
        (&["--quik"][..], "--quick"),
        (&["--format", "xml"], "html"),
        (&["--json", "--format", "text"], "--format"),
        (&["-o", "/no/such/folder/list.json"], "folder"),
        (&["-o", "/"], "directory"),
        (&["-o", "/proc/list.json"], "cannot write /proc/list.json"),
        (&["extra"], "extra"),
    ] {
        let output = locktoll(&[&["machine"], words].concat(), as_it_is);
        is_refused(&output, words, expected);
    }
}

#[test]
fn the_form_follows_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("list.json");
    let words = ["machine", "--quick", "-o", file.to_str().unwrap()];
    let output = locktoll(&words, as_it_is);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    let list: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    assert_eq!(list["schema"], "locktoll.machine/1");
}

#[test]
fn the_page_of_text_fits_a_hundred_columns() {
    let output = locktoll(&["machine", "--quick"], as_it_is);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let page = text(&output.stdout);
    for line in page.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(
        page.contains("Entering the kernel") && page.contains("sysv-sem"),
        "{page}"
    );
}

#[test]
fn an_interruption_prints_what_there_is_and_says_that_it_is_partial() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    interrupted(&["machine"], Duration::from_millis(800));
}
