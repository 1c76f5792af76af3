//! `whatif`: what a program would gain if holds of its locks were shorter.
//!
//! A hold cannot be shortened from outside, but it can be lengthened by a known share. How the metric responds to that, continued to
//! the other side, is the gain to expect from shorter holds, as long as the response is a straight line.
//!
//! - `flags`, `request`, `run`: the verb. It uses the runs of `try`: the same program under the same kind of library.
//! - `chosen`: the locks that are examined.
//! - `play`: the order of the runs; `rounds`: the measurements. They know no process, so tests play them with made-up figures.
//!   `runner` runs the program for them.
//! - `response`: from rounds to a slope; `gains`: from a slope to gains, with `limit`, which nothing can exceed.
//! - `conclusion`: the result in a sentence.

mod chosen;
mod conclusion;
pub mod flags;
mod gains;
mod limit;
mod play;
mod request;
mod response;
mod rounds;
mod run;
mod runner;

pub use run::run;
