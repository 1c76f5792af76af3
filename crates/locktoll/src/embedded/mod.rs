//! The preload library that this binary carries, and its way into a file that the loader can open.

mod extract;
mod place;

pub use extract::extract;

/// The library's bytes, built by `build.rs`.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/liblocktoll_preload.so"));
