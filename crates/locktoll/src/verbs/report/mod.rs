//! `locktoll report FILE`.
//!
//! - `request`: which form, checked against what was asked of it.

mod request;
mod run;

pub use run::run;
