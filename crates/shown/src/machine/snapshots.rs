//! Snapshot tests of the text of a price list, from fixed figures.

use insta::assert_snapshot;
use locktoll_lab::contender::registry;
use locktoll_lab::machine::CpuPlace;
use locktoll_lab::probe::{Group, LockPrice, Transfers};
use locktoll_lab::stats::Estimate;

use crate::Shown;
use locktoll_made_up::made_up::machine_result;
use locktoll_results::machine::MachineResult;

/// Returns the text as it looks without colours, and checks that no line is wider than a page.
fn plain(result: &MachineResult) -> String {
    let page = anstream::adapter::strip_str(&result.text()).to_string();
    for line in page.lines() {
        assert!(line.chars().count() <= 100, "{line}");
        assert_eq!(line, line.trim_end());
    }
    page
}

#[test]
fn all_there_is_at_a_glance() {
    assert_snapshot!(plain(&machine_result()));
}

#[test]
fn one_cpu_no_jdk_and_a_user_in_a_hurry() {
    let mut result = machine_result();
    result.quick = true;
    result.partial = true;
    let prices = &mut result.prices;
    prices.decomposition.cross_cpu = None;
    prices.decomposition.refused = Some("there is but one usable CPU".to_owned());
    prices.transfers = None;
    prices.refill.clear();
    prices.scheduling.policy = "SCHED_FIFO".to_owned();
    prices.scheduling.refused = None;
    prices.scheduling.realtime_share = Some(0.95);
    prices.parts[0].note = Some("measured while the other CPU slept".to_owned());
    for part in &mut prices.parts {
        part.value = part.value.map(|value| Estimate { n: 3, ..value });
    }
    if let Some(java) = &mut prices.java {
        java.version = None;
    }
    if let Some(counters) = &mut prices.counters {
        counters.available = true;
        counters.refused = None;
        counters.cache_misses_per_switch = Some(one(12_345.0));
    }
    for lock in &mut prices.locks {
        lock.kernel_entries_per_op = None;
        lock.refused = Some("ptrace is not permitted here (EPERM)".to_owned());
    }
    assert_snapshot!(plain(&result));
}

#[test]
fn a_card_of_windows_has_no_words_of_linux() {
    let mut result = machine_result();
    result.machine.kernel = Some("Windows 10.0.19045".to_owned());
    result.machine.libc = None;
    let prices = &mut result.prices;
    (prices.java, prices.counters, prices.park_misses) = (None, None, None);
    prices.refill.clear();
    prices.scheduling.policy = "THREAD_PRIORITY_NORMAL".to_owned();
    prices.scheduling.refused = Some("not asked for".to_owned());
    prices.scheduling.realtime_share = None;
    prices.parts.retain(|part| part.value.is_some());
    for (part, place) in prices.parts.iter_mut().zip(1..) {
        part.title = format!("probe {place}");
        (part.switches_counted, part.mix) = (None, None);
        if part.switches_expected.is_some() {
            part.note = Some("switches are not counted here".to_owned());
        }
    }
    let mut timer = prices.parts[0].clone();
    (timer.group, timer.title) = (Group::Clock, "Sleep(1)".to_owned());
    prices.parts.push(timer);
    prices.locks.retain(|lock| lock.refused.is_none());
    for lock in &mut prices.locks {
        lock.name = lock
            .name
            .replace("pthread", "srwlock")
            .replace("eventfd", "event");
        (lock.kernel_entries_per_op, lock.by_wall_clock) = (None, true);
    }
    let split = &mut prices.decomposition;
    split.whole = Some("an auto-reset event".to_owned());
    split.subtracted_from = Some("a semaphore".to_owned());
    split.same_cpu.as_mut().unwrap().arms.truncate(1);
    split.cross_cpu = None;
    prices.locks.retain(|lock| !lock.name.contains("futex"));
    let page = plain(&result);
    for word in [
        "futex",
        "eventfd",
        "SCHED_",
        "Linux",
        "glibc",
        "Java",
        "kernel's",
        "stopping at each",
        "counters",
    ] {
        assert!(!page.contains(word), "{word}: {page}");
    }
    let unfolded = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "Windows 10.0.19045",
        "The whole was measured on a hand-over by an auto-reset event",
        "the time that a hand-over by a semaphore takes",
        "Clocks and timers",
        "(not THREAD_PRIORITY_TIME_CRITICAL: not asked for)",
        "This system does not count a thread's switches",
        "Locks: wall time,",
        "their system calls are not reported by this system",
    ] {
        assert!(unfolded.contains(words), "{words}: {page}");
    }
    assert_eq!(
        page.matches("switches are not counted here").count(),
        1,
        "{page}"
    );
}

#[test]
fn many_cpus_are_summed_up_by_nearness_and_all_locks_fit() {
    let mut result = machine_result();
    let cpus = 64;
    // Two packages, two threads per core, with siblings half the machine apart.
    result.machine.topology.cpus = (0..cpus)
        .map(|cpu| CpuPlace {
            cpu,
            package: Some((cpu % 32 / 16) as i64),
            core: Some((cpu % 32) as i64),
            siblings: vec![cpu % 32, cpu % 32 + 32],
            numa_node: None,
        })
        .collect();
    let ns = |from: usize, to: usize| match (from % 32 == to % 32, from % 32 / 16 == to % 32 / 16) {
        (true, _) => 12.0,
        (false, true) => 50.0 + (to % 4) as f64,
        (false, false) => 140.0 + (to % 8) as f64,
    };
    let cell = |from, to| (from != to).then(|| one(ns(from, to)));
    result.prices.parts.clear();
    result.prices.refill.clear();
    result.prices.transfers = Some(Transfers {
        cpus: (0..cpus).collect(),
        one_way_ns: (0..cpus)
            .map(|from| (0..cpus).map(|to| cell(from, to)).collect())
            .collect(),
    });
    result.prices.locks = registry()
        .iter()
        .enumerate()
        .map(|(index, lock)| LockPrice {
            by_wall_clock: false,
            name: lock.name.to_owned(),
            uncontended_ns: Some(one(1.5 * index as f64 + 0.4)),
            kernel_entries_per_op: Some((index % 3) as f64),
            refused: None,
        })
        .collect();
    assert_snapshot!(plain(&result));
}

#[test]
fn the_document_has_the_contract_s_fields() {
    let document = format!("{:#}\n", machine_result().json().unwrap());
    assert!(document.starts_with("{\n  \"schema\": \"locktoll.machine/1\""));
    let value: serde_json::Value = serde_json::from_str(&document).unwrap();
    for field in [
        "name",
        "formula",
        "value",
        "switches_expected",
        "switches_counted",
    ] {
        assert!(value["parts"][0].get(field).is_some(), "parts[].{field}");
    }
    for side in ["same_cpu", "cross_cpu"] {
        for field in ["total_ns", "parts", "residual_ns"] {
            let side = &value["decomposition"][side];
            assert!(!side[field].is_null(), "decomposition.{side}.{field}");
        }
    }
    for field in ["name", "uncontended_ns", "kernel_entries_per_op"] {
        assert!(!value["locks"][0][field].is_null(), "locks[].{field}");
    }
    let read: MachineResult = serde_json::from_str(&document).unwrap();
    assert_eq!(read.json().unwrap(), value);
}

fn one(median: f64) -> Estimate {
    Estimate {
        median,
        low: median,
        high: median,
        n: 7,
    }
}
