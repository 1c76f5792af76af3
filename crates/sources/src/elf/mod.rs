//! Files of code, as far as profiles need them.
//!
//! - `functions`: functions, inlined calls and lines at an address; `variables`: the variable at an address.
//! - `demangled`: names as the source has them; `build_id`: which version of a file it is.
//! - `source`: a file as the reader of names may have it: itself, or a copy.
//! - `loads`: how a file's offsets, its own addresses and the process's belong together.

mod build_id;
mod demangled;
mod functions;
#[cfg(target_os = "linux")]
mod loads;
mod source;
mod variables;

pub use build_id::build_id;
pub use demangled::demangled;
pub use functions::Functions;
#[cfg(target_os = "linux")]
pub use loads::Loads;
pub use variables::{Variable, Variables};
