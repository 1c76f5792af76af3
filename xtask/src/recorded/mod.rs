//! Real programs, bare against recorded, interleaved: what recording costs them, and whether it changes what they do.
//!
//! - `way`: how a program is started, bare or under the preload library.
//! - `subject`: what is measured of a program; `batch`, `servers`: the programs.
//! - `memcached_load`: who asks memcached.
//! - `rounds`: every way in turn, round after round.
//! - `wishes`: what the tasks are asked for.
//! - `speed`: `cargo xtask bench-record`.
//! - `observer`: `cargo xtask bench-observer`.
//! - `big_report`, `big_timeline`: `cargo xtask bench-report`.

mod batch;
mod big_report;
mod big_timeline;
mod memcached_load;
mod observer;
mod rounds;
mod servers;
mod speed;
mod subject;
mod way;
mod wishes;

pub use big_report::run as big_report;
pub use big_timeline::run as big_timeline;
pub use observer::run as observer;
pub use speed::{in_words, run as speed};
