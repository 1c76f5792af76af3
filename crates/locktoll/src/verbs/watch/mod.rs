//! `locktoll machine --watch`: switches, live.

mod place;
mod run;

pub use run::run;
