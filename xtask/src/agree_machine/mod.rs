//! Does the price list agree with perf's benchmarks and with a plain C program, side by side in one run?

mod command;
mod figures;
mod peers;
mod run;

pub use run::run;
