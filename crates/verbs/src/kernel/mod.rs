//! `locktoll kernel`.

pub mod flags;
mod live;
mod run;

pub use run::run;
