//! `locktoll machine`: the price list.

pub mod entries;
pub mod flags;
mod locks;
mod progress;
mod run;

pub use run::run;
