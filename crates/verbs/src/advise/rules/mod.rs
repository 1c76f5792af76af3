//! One remedy each: from figures of a recording to a remedy, or to nothing where it would be wrong.
//!
//! - Of a lock whose holders wait: `blocking` (in a call), `nested` (for another lock).
//! - Of a lock whose holders run: `shorten`, `less_often`, `shard`, `readers`, `other_lock`.
//! - Of the program: `threads`, `spinning`, `broadcast`, and `leave`, the locks that are not worth touching.

pub mod blocking;
pub mod broadcast;
pub mod leave;
pub mod less_often;
pub mod nested;
pub mod other_lock;
pub mod readers;
pub mod shard;
pub mod shorten;
pub mod spinning;
pub mod threads;
