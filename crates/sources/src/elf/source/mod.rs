//! A file as the library that knows names ([`blazesym`]) may have it. That library maps files, follows what they say of further ones,
//! and was not made for files that want to harm their reader.
//!
//! - `symbols`: the library.
//! - `linux`: asks it for the file itself, if nobody but us and root has a hand in it; else for a copy. `trusted`: which it is. `copied`:
//!   the copy. `apart`: the process that reads the debug information of copies.
//! - `windows`: asks it for the file itself. Nobody cuts a file short there that is mapped.

#[cfg(target_os = "linux")]
mod apart;
#[cfg(target_os = "linux")]
mod copied;
#[cfg(target_os = "linux")]
mod linux;
mod symbols;
#[cfg(target_os = "linux")]
mod trusted;
#[cfg(windows)]
mod windows;

#[cfg(target_os = "linux")]
use linux as chosen;
#[cfg(windows)]
use windows as chosen;

pub use chosen::Source;
pub use symbols::{Call, Symbols};
