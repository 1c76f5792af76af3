//! The cost of a walk: `cargo test --release -p locktoll-preload --lib -- --ignored --nocapture
//! figures`.

use std::hint::black_box;
use std::time::Instant;

use super::fixture::{Library, calls_by, recorder, shared_recorder};
use crate::numbers::StackCache;
use crate::unwind::Calls;
use crate::unwind::KnownPages;

const WALKS: u32 = 2_000;
const ROUNDS: u32 = 50;

/// Repeats a walk and prints the time that one takes: the least of several rounds, so that other load on the machine matters
/// little.
fn time(site: usize, what: &str, mut walk: impl FnMut(usize) -> usize) {
    let rounds = (0..ROUNDS).map(|_| {
        let begin = Instant::now();
        for _ in 0..WALKS {
            black_box(walk(site));
        }
        begin.elapsed() / WALKS
    });
    let least = rounds.min().unwrap_or_default();
    println!("{what}: {} ns", least.as_nanos());
}

fn figures(site: usize) -> Calls {
    let known_pages = KnownPages::none();
    let firsts = (0..10).map(|_| {
        let (recorder, folder) = recorder();
        let begin = Instant::now();
        let calls = calls_by(recorder, site, &known_pages).count;
        (begin.elapsed(), calls, (recorder, folder))
    });
    let (first, calls, (recorder, _folder)) = firsts.min_by_key(|first| first.0).unwrap();
    println!("first walk, {calls} calls: {first:?}");

    time(site, "by known rules", |site| {
        calls_by(recorder, site, &known_pages).count
    });
    time(site, "by known rules, pages not known", |site| {
        calls_by(recorder, site, &KnownPages::none()).count
    });
    let cache = StackCache::nothing();
    time(
        site,
        "number of the stack, remembered by the thread",
        |site| recorder.stack_id(Some(&cache), site) as usize,
    );
    time(site, "number of the stack, not remembered", |site| {
        recorder.stack_id(None, site) as usize
    });
    calls_by(shared_recorder(), site, &known_pages)
}

#[test]
#[ignore = "prints figures, checks nothing"]
fn figures_of_a_walk() {
    // One call, and those around it in the test harness.
    let around = Library::load(&["-O2"]).walk("descend", 0).found().len();
    println!("harness: {around} calls");
    for depth in [0, 10, 40] {
        println!("-- {depth} more calls");
        Library::load(&["-O2"]).walk_by("descend", depth, figures);
    }
}
