//! What the way of a cache line from one CPU to another costs.

mod matrix;
mod order;
mod ping_pong;
mod rounds;

pub(super) use matrix::measure;
