//! Answers HTTP requests for the metrics. hyper reads requests and writes answers; nothing is kept from one request to the next.
//!
//! - `pages`: the metrics as they are served. `answer`: what a request gets; `panics`: if that panics.
//! - `connection`: one connection, bounded in time and size. `workers`: the threads that accept connections, bounded in number.

mod answer;
mod connection;
mod pages;
mod panics;
mod workers;

pub use pages::Pages;
pub use workers::start;
