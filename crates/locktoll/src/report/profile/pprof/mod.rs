//! Profiles for `go tool pprof`, Pyroscope and whatever else reads pprof's format, as Go writes its mutex profiles:
//! `contentions/count` and `delay/nanoseconds`.
//!
//! Two of them, since a stack can be blamed on two grounds: the stack that waited, and the place where the holder had
//! acquired the lock. The format is `proto/profile.proto` of github.com/google/pprof, gzip-compressed. Of protocol
//! buffers it needs two wire types, which `wire` writes; `tables` numbers strings, functions, locations and mappings;
//! `profile` puts them together.

mod profile;
mod tables;
mod wire;

#[cfg(test)]
mod decoded;

pub use profile::Pprof;
