//! `locktoll bench`: one experiment with every knob.

mod list;
mod request;
mod run;

pub use request::experiment;
pub use run::{carry_out, run};
