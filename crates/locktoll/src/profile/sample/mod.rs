//! A made-up profile for tests of reports: every kind of row, no real timings.
//!
//! - `server`: the whole profile, [`job_server`].
//! - `locks`: its rows.
//! - `places`: frames and call sites.

mod locks;
mod places;
mod server;

pub use server::job_server;
