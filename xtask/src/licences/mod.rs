//! The notices of the packages in the program: `crates/verbs/notices/packages.txt`.

mod collected;
mod compiled;
mod run;

pub use run::run;
