//! One lock alone.

use crate::bench::{Bench, text};
use crate::tried::{LOCK, document, output, row};

#[test]
fn one_lock_is_replaced_and_the_others_are_left() {
    let bench = Bench::new();
    let program = bench.c("tried_two", &[]);
    let program = [program.to_str().unwrap()];
    for (asked, id, replaced) in [
        // By its name, in part; a static one.
        ("first_lo", "mutex:tried_two:first_lock", 1),
        // By its id; those that one call initialised.
        (
            "mutex:tried_two:born:make_locks",
            "mutex:tried_two:born:make_locks",
            10,
        ),
        // All of an array: more than there are places.
        ("buckets", "mutex:tried_two:buckets[]", 100),
    ] {
        let (document, _) = document(&bench, &["--only", asked], &program, 0);
        assert_eq!(document["only"]["id"], id);
        let coverage = &row(&document, LOCK)["coverage"];
        assert_eq!(coverage["locks_replaced"], replaced, "{document:#}");
        let passed = coverage["locks_passed_through"].as_array().unwrap();
        let left: u64 = passed.iter().filter_map(|it| it["count"].as_u64()).sum();
        assert!(left + replaced >= 112, "{coverage}");
    }
}

#[test]
fn an_unknown_lock_is_told_with_those_that_there_are() {
    let bench = Bench::new();
    let program = bench.c("tried_two", &[]);
    let out = output(
        &bench,
        &["--only", "second_lokc"],
        &[program.to_str().unwrap()],
    );
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("mutex:tried_two:second_lock"), "{said}");
    assert!(out.stdout.is_empty());
}
