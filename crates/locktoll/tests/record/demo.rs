//! The demonstration program has the shape that `tour` explains.

use crate::bench::{Bench, LOCKTOLL, lock, text};

#[test]
fn the_log_dominates_the_queue_is_second_and_the_statistics_are_fine() {
    let bench = Bench::new();
    let out = bench.record(&[LOCKTOLL, "__demo", "1500"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let profile = bench.profile("out.locktoll");
    let wait = |name: &str| {
        let lock = lock(&profile, name);
        lock["wait_ns"]["total"].as_u64().unwrap()
    };
    let log = wait("locktoll_verbs::demo::log::log_lock");
    let queue = wait("locktoll_verbs::demo::queue::job_queue_lock");
    let statistics = wait("locktoll_verbs::demo::statistics::statistics_lock");
    assert!(
        log > queue && queue >= statistics,
        "{log} {queue} {statistics}"
    );
    let count = |name: &str| lock(&profile, name)["acquisitions"].as_u64().unwrap();
    assert!(
        count("locktoll_verbs::demo::queue::job_queue_lock")
            > count("locktoll_verbs::demo::log::log_lock")
    );
    // Nine threads: the main one, three workers, five connections.
    assert_eq!(profile["threads"], 9);
}
