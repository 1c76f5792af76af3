//! `locktoll try`: the program on other locks.

mod run;

pub use run::run;
