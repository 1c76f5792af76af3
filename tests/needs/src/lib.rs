//! How a test is skipped on a machine that lacks something the test needs.
//!
//! ```ignore
//! #[test]
//! fn redis_keeps_its_promises() {
//!     if !locktoll_needs::programs(&["redis-server", "redis-benchmark"]) {
//!         return;
//!     }
//!     // ...
//! }
//! ```
//!
//! The test then passes, and [`notes`] keeps its name and the reason. The last test program of `cargo test --workspace`
//! (`xtask/tests/skipped.rs`) prints all of them once, by [`list`].
//!
//! [`soak`] says whether a test runs its long variant.
//!
//! With `LOCKTOLL_TEST_EVERYTHING=1`, a missing program is a failure. A refusal by this kernel, or by this user's privileges, is
//! not: no package that could be installed would help.

pub mod list;
pub mod notes;
mod search;
mod skip;
mod soak;

pub use skip::{EVERYTHING, any_program, missing, programs, refused};
pub use soak::{SOAK, soak};
