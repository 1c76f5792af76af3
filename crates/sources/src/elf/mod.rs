//! Files of code, as far as profiles need them.
//!
//! - `functions`: functions, inlined calls and lines at an address; `variables`: the variable at an address.
//! - `demangled`: names as in the source; `build_id`: the version of a file.
//! - `source`: the file that the reader of names gets: the original, or a copy.
//! - `loads`: the relation between a file's offsets, its own addresses and the process's.

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
#[cfg(all(test, target_os = "linux"))]
pub use loads::small;
pub use variables::{Variable, Variables};
