//! Which threads waited for which, compared with the program's own account.

use std::collections::BTreeMap;

use locktoll_recording::reader::{Blame, Part};

use crate::answers::{Answers, undisturbed};
use crate::names::Names;
use crate::support::{program, run_recorded};

/// Waiting time by the functions that waited and held, nanoseconds.
type Matrix = BTreeMap<(String, String), f64>;

/// For the mutex `lock`: the matrix and all its waiting time.
fn blame(part: &Part, names: &Names, lock: &str) -> (Matrix, f64) {
    let name = |site| names.function(part, site).unwrap_or("?").to_owned();
    let is_lock = |address| names.symbol(part, address) == Some(lock);
    let mut matrix = Matrix::new();
    for blame in part
        .blames
        .iter()
        .filter(|blame| is_lock(blame.key.lock_address))
    {
        let key = (name(blame.key.site), name(blame.holder_site));
        *matrix.entry(key).or_default() += blame.wait_ns as f64;
    }
    let counts = part
        .counts
        .iter()
        .filter(|count| is_lock(count.lock_address));
    let waits = counts.filter_map(|count| count.contention.as_deref());
    let total_ns = waits.map(|wait| wait.wait_total_ns as f64).sum();
    (matrix, total_ns)
}

fn of(matrix: &Matrix, waiter: &str, holder: &str) -> f64 {
    let key = (waiter.to_owned(), holder.to_owned());
    matrix.get(&key).copied().unwrap_or_default()
}

#[test]
fn in_a_chain_each_holder_is_charged_with_its_own_time() {
    undisturbed(|times| {
        let program = program("chain.c");
        let recorded = run_recorded(&program, &[]);
        let answers = Answers::of(&recorded.output.stdout);
        let (matrix, total_ns) = blame(recorded.only_part(), &Names::of(&program), "chained");
        let (b_ns, c_ns) = (answers.number("wait_b"), answers.number("wait_c"));
        times.between("waiting", total_ns, b_ns + c_ns, b_ns + c_ns);
        // What is charged is what was waited.
        times.between("blame", matrix.values().sum(), total_ns, total_ns);
        times.between("b for a", of(&matrix, "site_b", "site_a"), b_ns, b_ns);
        let (a_ns, b_ns) = (answers.number("within_a"), answers.number("within_b"));
        let expected_of_a = a_ns / (a_ns + b_ns);
        for (holder, expected) in [("site_a", expected_of_a), ("site_b", 1.0 - expected_of_a)] {
            let share = of(&matrix, "site_c", holder) / c_ns;
            times.check((share - expected).abs() < 0.04, || {
                format!("{holder}: {share} {expected} {matrix:?}")
            });
        }
    });
}

#[test]
fn of_two_places_each_is_charged_in_proportion() {
    undisturbed(|times| {
        let program = program("blame_mix.c");
        let recorded = run_recorded(&program, &[]);
        let answers = Answers::of(&recorded.output.stdout);
        let (matrix, total_ns) = blame(recorded.only_part(), &Names::of(&program), "shared");
        let kinds = ["short", "long"];
        let pairs = kinds.map(|waiter| kinds.map(|holder| (waiter, holder)));
        let expected = |waiter, holder| answers.number(&format!("{waiter}_for_{holder}"));
        let expected_all: f64 = pairs
            .as_flattened()
            .iter()
            .map(|&(waiter, holder)| expected(waiter, holder))
            .sum();
        // Waits of a fraction of a millisecond, around which the program measured what the recorder does besides, too.
        times.between("waiting", total_ns, 0.95 * expected_all, expected_all);
        times.between("blame", matrix.values().sum(), total_ns, total_ns);
        for &(waiter, holder) in pairs.as_flattened() {
            let found = of(
                &matrix,
                &format!("site_{waiter}"),
                &format!("site_{holder}"),
            ) / total_ns;
            let expected = expected(waiter, holder) / expected_all;
            times.check((found - expected).abs() < 0.05, || {
                format!("{waiter} for {holder}: {found} {expected} {matrix:?}")
            });
        }
    });
}

#[test]
fn holders_behind_one_function_of_a_library_are_told_apart_by_their_calls() {
    undisturbed(|times| {
        let program = program("wrapped_holders.c");
        let recorded = run_recorded(&program, &[]);
        let answers = Answers::of(&recorded.output.stdout);
        let (part, names) = (recorded.only_part(), Names::of(&program));
        let caller = |blame: &Blame| {
            let stack = &part.stacks[blame.holder_stack?];
            assert_eq!(stack.sites[0], blame.holder_site, "the call itself");
            names.function(part, *stack.sites.get(1)?)
        };
        let mut by_caller: BTreeMap<Option<&str>, f64> = BTreeMap::new();
        let is_lock = |address| names.symbol(part, address) == Some("wrapped");
        let blames = part.blames.iter();
        for blame in blames.filter(|blame| is_lock(blame.key.lock_address)) {
            *by_caller.entry(caller(blame)).or_default() += blame.wait_ns as f64;
        }
        let known_ns = by_caller[&Some("hold_long")] + by_caller[&Some("hold_short")];
        let (long_ns, short_ns) = (answers.number("for_long"), answers.number("for_short"));
        // The first hold of all had begun before anybody had ever waited.
        let unknown_ns = by_caller.get(&None).copied().unwrap_or(0.0);
        times.check(unknown_ns < 0.2 * known_ns, || format!("{by_caller:?}"));
        let (found, expected) = (
            by_caller[&Some("hold_short")] / (known_ns + unknown_ns),
            short_ns / (long_ns + short_ns),
        );
        times.check((found - expected).abs() < 0.05, || {
            format!("{found} {expected} {by_caller:?}")
        });
    });
}
