//! `locktoll bench`: one experiment with every parameter.

pub mod flags;
mod list;
mod progress;
mod request;
mod run;
mod system_locks;

pub use request::experiment;
#[cfg(target_os = "linux")]
pub use run::carry_out;
pub use run::run;
