//! Profiles for `go tool pprof`, Pyroscope and other readers of pprof's format, in the form of Go's mutex profiles:
//! `contentions/count` and `delay/nanoseconds`.
//!
//! There are two profiles, since a wait belongs to two stacks: the stack that waited, and the place where the holder had
//! acquired the lock. The format is `proto/profile.proto` of github.com/google/pprof, gzip-compressed: `proto` has its
//! messages; `tables` numbers strings, functions, locations and mappings; `profile` puts them together.

mod profile;
pub mod proto;
mod tables;

#[cfg(test)]
mod decoded;

pub use profile::FORMAT;
#[cfg(target_os = "linux")]
pub use profile::{compressed, message};
