//! The price of moving a cache line from one CPU to another.

mod matrix;
mod order;
mod ping_pong;
mod rounds;

pub(super) use matrix::measure;
