//! Which threads wait for which, compared with the program's own account.

use std::collections::BTreeMap;

use crate::bench::answers::undisturbed;
use crate::bench::{Bench, function, lock, number, sites};

/// Waiting time by the functions that waited and held, nanoseconds.
fn blame(lock: &serde_json::Value) -> BTreeMap<(String, String), f64> {
    let mut matrix = BTreeMap::new();
    for entry in lock["blame"].as_array().unwrap() {
        let key = (
            function(&entry["waiter"]).to_owned(),
            function(&entry["holder"]).to_owned(),
        );
        *matrix.entry(key).or_insert(0.0) += number(entry, "/wait_ns");
    }
    matrix
}

fn of(matrix: &BTreeMap<(String, String), f64>, waiter: &str, holder: &str) -> f64 {
    let key = (waiter.to_owned(), holder.to_owned());
    matrix.get(&key).copied().unwrap_or_default()
}

#[test]
fn in_a_chain_each_holder_is_charged_with_its_own_time() {
    undisturbed(|times| {
        let bench = Bench::new();
        let program = bench.c("chain", &[]);
        let (answers, profile) = bench.answers(&[], &[&program]);
        let chained = lock(&profile, "chained");
        let rounds = answers.number("rounds");
        assert_eq!(number(chained, "/acquisitions"), 3.0 * rounds);
        assert_eq!(number(chained, "/contended"), 2.0 * rounds);
        assert_eq!(sites(chained).len(), 3);
        let (wait_b_ns, wait_c_ns) = (answers.number("wait_b"), answers.number("wait_c"));
        let total_ns = number(chained, "/wait_ns/total");
        times.between(
            "waiting",
            total_ns,
            wait_b_ns + wait_c_ns,
            wait_b_ns + wait_c_ns,
        );

        let matrix = blame(chained);
        // What is charged is what was waited.
        times.between("blame", matrix.values().sum(), total_ns, total_ns);
        times.between(
            "b for a",
            of(&matrix, "site_b", "site_a"),
            wait_b_ns,
            wait_b_ns,
        );
        let share_of_a = of(&matrix, "site_c", "site_a") / wait_c_ns;
        let share_of_b = of(&matrix, "site_c", "site_b") / wait_c_ns;
        let (within_a_ns, within_b_ns) = (answers.number("within_a"), answers.number("within_b"));
        let expected_of_a = within_a_ns / (within_a_ns + within_b_ns);
        times.check((share_of_a - expected_of_a).abs() < 0.04, || {
            format!("{share_of_a} {expected_of_a} {matrix:?}")
        });
        times.check((share_of_b - (1.0 - expected_of_a)).abs() < 0.04, || {
            format!("{share_of_b} {expected_of_a} {matrix:?}")
        });
    });
}

#[test]
fn of_two_places_each_is_charged_in_proportion() {
    undisturbed(|times| {
        let bench = Bench::new();
        let program = bench.c("blame_mix", &[]);
        let (answers, profile) = bench.answers(&[], &[&program]);
        let shared = lock(&profile, "shared");
        let matrix = blame(shared);
        let total_ns = number(shared, "/wait_ns/total");
        times.between("blame", matrix.values().sum(), total_ns, total_ns);

        let expected_all: f64 = [
            "short_for_short",
            "short_for_long",
            "long_for_short",
            "long_for_long",
        ]
        .iter()
        .map(|word| answers.number(word))
        .sum();
        // Waits of a fraction of a millisecond, around which the program measured what the recorder does besides, too.
        times.between("waiting", total_ns, 0.95 * expected_all, expected_all);
        for (waiter, holder) in [
            ("short", "short"),
            ("short", "long"),
            ("long", "short"),
            ("long", "long"),
        ] {
            let found = of(
                &matrix,
                &format!("site_{waiter}"),
                &format!("site_{holder}"),
            ) / total_ns;
            let expected = answers.number(&format!("{waiter}_for_{holder}")) / expected_all;
            times.check((found - expected).abs() < 0.05, || {
                format!("{waiter} for {holder}: {found} {expected} {matrix:?}")
            });
        }
    });
}
