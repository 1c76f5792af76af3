//! `locktoll try`: the program on other locks.

mod beforehand;
mod list;
mod request;
mod run;

pub use run::run;
