//! One function at one place.

use serde::{Deserialize, Serialize};

/// One function at one place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Frame {
    /// The function, demangled; `null` if it has no name.
    pub function: Option<String>,
    /// The source file, as the compiler recorded it.
    pub file: Option<String>,
    /// The line in it.
    pub line: Option<u32>,
    /// The code file in which the place lies; `null` for generated code.
    pub module: Option<String>,
    /// The place as an address by that file's own numbering (as `addr2line -e MODULE` expects it), or in memory if there is no
    /// module.
    pub offset: Option<u64>,
}
