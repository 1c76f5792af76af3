//! What a lock costs through the library, against the same lock linked directly: `cargo bench -p locktoll-substitute`.
//!
//! The benchmark starts itself under the library, once a round. There it times, in turns, an uncontended acquisition and
//! release
//!
//! - of `Ttas` where the compiler may inline it,
//! - of `Ttas` behind calls of functions, as any lock of another library is,
//! - of a `pthread_mutex_t` that is replaced by `ttas`,
//!
//! and, in a second process without the library, of the C library's own mutex. A second thread is alive, because the C
//! library skips its atomics while there is only one. Timed is the thread's own processor time, in batches that take
//! turns, so that other programs on the machine hit all alike. Printed are medians with 95 % intervals, and what the
//! library adds, by round.

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
