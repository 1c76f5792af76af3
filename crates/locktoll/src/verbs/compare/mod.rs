//! `locktoll compare A B`: what changed between two saved results.

mod run;

pub use run::run;
