//! `locktoll tour`: the first look.

mod advised;
mod demonstration;
mod findings;
pub mod flags;
mod prices;
mod run;

#[cfg(test)]
pub use run::conclude;
pub use run::run;
