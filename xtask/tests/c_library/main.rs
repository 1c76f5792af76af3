//! The library for C and C++ as `cargo xtask install-c` leaves it, under programs that are compiled by what pkg-config says.

mod build;
mod layout;
mod programs;
mod run;
