//! The cost of a lock through the library, compared with the same lock linked directly: `cargo bench -p
//! locktoll-substitute`.
//!
//! The benchmark starts itself under the library, once per round. There it times, in turns, an uncontended acquisition
//! and release
//!
//! - of `Ttas` where the compiler may inline it,
//! - of `Ttas` behind function calls, as with the lock of any other library,
//! - of a `pthread_mutex_t` that is replaced by `ttas`,
//!
//! and, in a second process without the library, of the C library's own mutex. A second thread is alive, because the C
//! library skips its atomics while there is only one. It times the thread's own CPU time, in batches that take turns, so
//! that other programs on the machine affect all alike. It prints medians with 95 % intervals, and the additional time
//! of the library, by round.

#[path = "../../tests/substitute/each.rs"]
mod each;
#[path = "../../tests/substitute/support.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
mod support;

mod measure;
mod rounds;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == measure::WORD) {
        return measure::run();
    }
    // `cargo test --benches` and the like only want to know that it builds.
    if !arguments.iter().any(|argument| argument == "--test") {
        rounds::run();
    }
}
