//! `locktoll attach`.

mod run;

pub use run::run;
