//! The file that the library for names ([`blazesym`]) gets. That library maps files, follows their references to others, and
//! was not made for hostile files.
//!
//! - `symbols`: the library.
//! - `linux`: gives it the file itself if only this user and root can change it, else a copy. `trusted`: decides which.
//!   `copied`: the copy. `apart`: the process that reads the debug information of copies.
//! - `windows`: gives it the file itself, since a mapped file cannot be truncated there.

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
