//! What a walk costs: `cargo test --release -p locktoll-preload --lib -- --ignored --nocapture figures`.

use std::hint::black_box;
use std::time::Instant;

use super::fixture::{Library, calls_by, recorder, shared_recorder};
use crate::unwind::StackCache;
use crate::unwind::calls::Calls;
use crate::unwind::stack::KnownPages;

const WALKS: u32 = 100_000;

/// Walks over and over and prints what one takes. Returns what was found.
fn time(site: usize, what: &str, mut walk: impl FnMut(usize) -> usize) {
    let begin = Instant::now();
    let mut frames = 0;
    for _ in 0..WALKS {
        frames = black_box(walk(site));
    }
    let each = begin.elapsed() / WALKS;
    println!("{what}: {} ns, {frames} calls", each.as_nanos());
}

fn figures(site: usize) -> Calls {
    let (recorder, _folder) = recorder();
    let known_pages = KnownPages::none();
    let begin = Instant::now();
    let first = calls_by(recorder, site, &known_pages).count;
    println!("first walk: {:?}, {first} calls", begin.elapsed());

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
    // One call and what is around it in the test harness.
    let around = Library::load(&["-O2"]).walk("descend", 0).found().len();
    println!("harness: {around} calls");
    for depth in [0, 10, 40] {
        println!("-- {depth} more calls");
        Library::load(&["-O2"]).walk_by("descend", depth, figures);
    }
}
