//! `locktoll doctor`: what works here.

mod run;

pub use run::run;
