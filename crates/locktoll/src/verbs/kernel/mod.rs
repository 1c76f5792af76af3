//! `locktoll kernel`.

mod live;
mod run;

pub use run::run;
