//! Busy waiting found by `record`, compared with what programs with known answers measured of themselves.
//!
//! The tests keep a CPU busy and compare CPU times, so they run one after the other.
#![cfg(target_os = "linux")]

#[path = "../../../../tests/programs/answers.rs"]
#[expect(dead_code, reason = "other tests compare more times")]
mod answers;
mod bench;
mod finds;
mod hard;
mod invents;
mod locks;
mod shows;
mod switches;
mod words;
