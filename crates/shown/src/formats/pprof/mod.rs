//! Profiles for `go tool pprof`, Pyroscope and whatever else reads pprof's format, as Go writes its mutex profiles:
//! `contentions/count` and `delay/nanoseconds`.
//!
//! Two of them, since a stack can be blamed on two grounds: the stack that waited, and the place where the holder had
//! acquired the lock. The format is `proto/profile.proto` of github.com/google/pprof, gzip-compressed: `proto`
//! has its messages; `tables` numbers strings, functions, locations and mappings; `profile` puts them together.

mod profile;
mod proto;
mod tables;

#[cfg(test)]
mod decoded;

pub use profile::FORMAT;
