//! Finding caches and the TLB cold after a switch: what the next pass through a working set then costs more.

mod chain;
mod pages;
mod rounds;
mod sizes;
mod table;
mod turns;

pub(super) use table::measure;
