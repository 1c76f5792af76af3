//! Running a program with a library of ours under it.
//!
//! - `program`: the program, looked at before anything is started.
//! - `embedded`: the libraries that this binary carries, and their way into files that the loader can open.
//! - `launch`: the program under the recorder, with everything about it as without us, and a recording after.

pub mod embedded;
pub(crate) mod launch;
pub(crate) mod program;
