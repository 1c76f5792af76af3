//! Real programs on other locks: each runs bare and on every candidate, under a load that checks every answer, and must
//! end as it does bare.
//!
//! - `library`: the library, built as the main program embeds it; `contestants`: the locks on which a program runs, and
//!   the objects that must have been replaced.
//! - `process`: programs that are started, awaited, stopped, and never left behind.
//! - `pace`: the size of the load.
//! - one file per program.
//!
//! The test of a program that is not installed is skipped (`locktoll_needs`).
//! `LOCKTOLL_LOAD=20` makes each load twenty times as long.

mod contestants;
mod library;
mod mariadb;
mod memcached;
mod pace;
mod process;
mod python;
mod redis;
mod rocksdb;
