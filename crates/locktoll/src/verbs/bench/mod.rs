//! `locktoll bench`: one experiment with every knob.

mod list;
mod request;
mod run;

pub use request::experiment;
#[cfg(target_os = "linux")]
pub use run::carry_out;
pub use run::run;
