//! `locktoll tour`: the first look.

mod demonstration;
mod findings;
mod prices;
mod run;

pub use run::run;
