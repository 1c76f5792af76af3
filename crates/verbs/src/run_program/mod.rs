//! Running a program with one of locktoll's libraries under it.
//!
//! - `program`: the program, checked before anything is started.
//! - `embedded`: the libraries that this binary contains, and their extraction to files that the loader can
//!   open.
//! - `launch`: the program under the recorder, which behaves as it does without, and a recording afterwards.

pub mod embedded;
pub(crate) mod launch;
pub(crate) mod program;
