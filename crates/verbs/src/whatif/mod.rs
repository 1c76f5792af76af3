//! `whatif`: what a program would gain if holds of its locks were shorter.
//!
//! A hold cannot be shortened from outside. Two experiments show what shorter holds would gain:
//!
//! - `--fast`: while the lock is held, all other threads are delayed by the share to be saved, and the delays are subtracted from the time;
//! - `--slow`: holds are lengthened by a known share, and the response is continued to the other side, as long as it is a straight line.
//!
//! - `flags`, `request`, `run`: the verb. It uses the runs of `try`: the same program under the same kind of library.
//! - `change`: longer or shorter holds, by how much.
//! - `chosen`: the locks that are examined.
//! - `play`: the order of the runs; `rounds`: the measurements. They know no process, so tests play them with made-up figures.
//!   `runner` runs the program for them.
//! - `sped_up`: from rounds with shorter holds to gains.
//! - `response`: from rounds with longer holds to a slope; `gains`: from a slope to gains, with `limit`, which nothing can exceed.
//! - `row`: both put together.
//! - `conclusion`: the result in a sentence.

mod change;
mod chosen;
mod conclusion;
pub mod flags;
mod gains;
mod limit;
mod play;
mod request;
mod response;
mod rounds;
mod row;
mod run;
mod runner;
mod sped_up;

pub use run::run;
