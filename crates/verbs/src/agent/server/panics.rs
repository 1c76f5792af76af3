//! Panics in the threads that answer. Each concerns one request alone: the thread goes on.

use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::thread;

use hyper::Response;

use super::answer::{Whole, failed};
use crate::agent::words;

/// The name of the threads.
pub const NAME: &str = "metrics";

/// Prints the message of the first panic of these threads only: a scraper asks again and again.
pub fn report_the_first() {
    static FIRST: Once = Once::new();
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().name() != Some(NAME) {
            return before(info);
        }
        FIRST.call_once(|| {
            before(info);
            words::answering_panicked();
        });
    }));
}

/// Returns the answer or, if there is a panic instead, one that says so.
pub fn answered(answer: impl FnOnce() -> Response<Whole>) -> Response<Whole> {
    // What the threads share is whole after a panic: see `Pages`.
    catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|_| failed())
}
