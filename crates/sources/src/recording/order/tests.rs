//! Which cycles are reported.

use std::collections::BTreeMap;

use super::inversions::inversions;
use super::steps::{Lock, Step, StepKey};
use super::threads::{Alike, Threads};
use crate::recording::sites::{SiteId, Sites};
use locktoll_results::profile::OrderMode;

fn nowhere() -> SiteId {
    Sites::default().unknown()
}

/// A step from one row to another, by these threads.
fn step(held: usize, acquired: usize, threads: &[u32]) -> Step {
    Step {
        key: StepKey {
            held: (held, None),
            acquired: (acquired, None),
            held_site: nowhere(),
            acquired_site: nowhere(),
            held_mode: OrderMode::Exclusive,
            acquired_mode: OrderMode::Exclusive,
            waits: true,
            gates: BTreeMap::new(),
            locks: None,
        },
        held_stack: None,
        acquired_stack: None,
        behind_writers: false,
        is_judged: true,
        threads: Threads::these(threads),
        count: 1,
    }
}

fn gated(mut step: Step, gate: usize, mode: OrderMode) -> Step {
    step.key.gates.insert((gate, None), mode);
    step
}

/// A step between two locks of one row.
fn among(held: u64, acquired: u64, threads: &[u32]) -> Step {
    let mut step = step(1, 1, threads);
    let lock = |address: u64| -> Lock { (address, 0) };
    step.key.locks = Some((lock(held), lock(acquired)));
    step
}

/// The rows that the reported cycles go through.
fn found(steps: &[Step]) -> Vec<Vec<usize>> {
    let cycles = inversions(steps, &Alike::default());
    let rows = cycles
        .iter()
        .map(|it| it.iter().map(|step| step.key.held.0));
    rows.map(Iterator::collect).collect()
}

const NONE: [Vec<usize>; 0] = [];
use OrderMode::{Exclusive, Shared};

#[test]
fn two_orders_are_an_inversion_and_one_is_none() {
    assert_eq!(found(&[step(1, 2, &[7]), step(2, 1, &[8])]), [[1, 2]]);
    assert_eq!(found(&[step(1, 2, &[7]), step(1, 2, &[8])]), NONE);
    let three = [step(1, 2, &[7]), step(2, 3, &[8]), step(3, 1, &[9])];
    assert_eq!(found(&three), [[1, 2, 3]]);
}

#[test]
fn one_thread_alone_does_not_wait_for_itself() {
    assert_eq!(found(&[step(1, 2, &[7]), step(2, 1, &[7])]), NONE);
    assert_eq!(found(&[step(1, 2, &[7, 8]), step(2, 1, &[7])]), [[1, 2]]);
}

#[test]
fn a_common_gate_excludes_the_threads_unless_both_only_read() {
    let both = |one, other| {
        let steps = [
            gated(step(1, 2, &[7]), 3, one),
            gated(step(2, 1, &[8]), 3, other),
        ];
        found(&steps)
    };
    assert_eq!(both(Exclusive, Exclusive), NONE);
    assert_eq!(both(Exclusive, Shared), NONE);
    assert_eq!(both(Shared, Shared), [[1, 2]]);
    let one_side = [gated(step(1, 2, &[7]), 3, Exclusive), step(2, 1, &[8])];
    assert_eq!(found(&one_side), [[1, 2]]);
    let two_gates = [
        gated(step(1, 2, &[7]), 3, Exclusive),
        gated(step(2, 1, &[8]), 4, Exclusive),
    ];
    assert_eq!(found(&two_gates), [[1, 2]]);
}

#[test]
fn a_lock_of_the_cycle_that_a_thread_holds_besides_is_a_gate() {
    // The first thread holds 1 and 3, so no other can be in the middle of the step that holds 3.
    let steps = [
        gated(step(1, 2, &[7]), 3, Exclusive),
        step(2, 3, &[8]),
        step(3, 1, &[9]),
    ];
    assert_eq!(found(&steps), NONE);
}

#[test]
fn an_attempt_does_not_wait() {
    let mut attempt = step(2, 1, &[8]);
    attempt.key.waits = false;
    assert_eq!(found(&[step(1, 2, &[7]), attempt]), NONE);
}

#[test]
fn readers_wait_only_for_writers() {
    let steps = |held, acquired, behind_writers| {
        let mut one = step(1, 2, &[7]);
        one.key.held_mode = held;
        let mut other = step(2, 1, &[8]);
        other.key.acquired_mode = acquired;
        other.behind_writers = behind_writers;
        found(&[one, other])
    };
    assert_eq!(steps(Shared, Shared, false), NONE);
    assert_eq!(steps(Shared, Shared, true), [[1, 2]]);
    assert_eq!(steps(Shared, Exclusive, false), [[1, 2]]);
    assert_eq!(steps(Exclusive, Shared, false), [[1, 2]]);
}

#[test]
fn locks_of_one_row_in_a_consistent_order_are_none() {
    // From parents to children, up and down in memory.
    let tree = [
        among(500, 100, &[7]),
        among(500, 900, &[8]),
        among(100, 300, &[7]),
        among(900, 200, &[8]),
    ];
    assert_eq!(found(&tree), NONE);
    assert_eq!(found(&[among(1, 2, &[7]), among(2, 1, &[8])]), [[1, 1]]);
    let philosophers: Vec<Step> = (0..64)
        .map(|it| among(it, (it + 1) % 64, &[it as u32 + 1]))
        .collect();
    assert_eq!(found(&philosophers), [[1; 64]]);
}

#[test]
fn the_shortest_cycle_represents_those_that_go_through_all_of_its_locks() {
    let steps = [
        step(1, 2, &[7]),
        step(2, 1, &[8]),
        step(2, 3, &[9]),
        step(3, 1, &[9]),
    ];
    assert_eq!(found(&steps), [[1, 2]]);
    // If the short way is gated, the long one counts.
    let steps = [
        gated(step(1, 2, &[7]), 5, Exclusive),
        gated(step(2, 1, &[8]), 5, Exclusive),
        step(2, 3, &[9]),
        step(3, 1, &[10]),
    ];
    assert_eq!(found(&steps), [[1, 2, 3]]);
}

#[test]
fn semaphores_of_one_row_are_told_apart() {
    let semaphores = |held: u64, acquired: u64, threads: &[u32]| {
        let mut step = step(1, 1, threads);
        step.key.held.1 = Some((held, 0));
        step.key.acquired.1 = Some((acquired, 0));
        step
    };
    let steps = [semaphores(10, 20, &[7]), semaphores(30, 10, &[8])];
    assert_eq!(found(&steps), NONE);
    let steps = [semaphores(10, 20, &[7]), semaphores(20, 10, &[8])];
    assert_eq!(found(&steps), [[1, 1]]);
}
