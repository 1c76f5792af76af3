//! `locktoll tour`: the first look.

mod demonstration;
mod findings;
mod prices;
mod run;

#[cfg(test)]
pub use run::conclude;
pub use run::run;
