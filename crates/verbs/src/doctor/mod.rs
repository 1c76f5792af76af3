//! `locktoll doctor`: what works here.

pub mod flags;
mod needs_nothing;
mod result;
mod run;
#[cfg(all(test, target_os = "linux"))]
mod snapshots;

#[cfg(all(test, target_os = "linux"))]
pub use result::judged;
pub use run::run;
