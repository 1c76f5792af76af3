//! Runs a program with one of locktoll's libraries under it.
//!
//! - `program`: the program, checked before anything is started.
//! - `embedded`: the libraries that this binary contains, and their extraction to files that the loader can
//!   open.
//! - `launch`: runs the program under the recorder; it behaves as it does without, and a recording exists afterwards.

pub mod embedded;
pub(crate) mod launch;
pub(crate) mod program;
