//! `locktoll machine`: the price list.

mod locks;
mod progress;
mod run;

pub use run::run;
