//! What the program finds in its environment because of us.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// Which processes are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Children {
    /// The program and every process it starts.
    Recorded,
    /// The program alone.
    Bare,
}

/// The value of `LD_PRELOAD` with our library in front of what the user has in it.
///
/// In front, since the loader searches in this order: the program's calls reach us first, with
/// the program's own return address, and we pass them on to the user's library, which then sees
/// exactly the calls it would see without us.
pub fn preload(library: &Path, users: Option<&OsStr>) -> OsString {
    let mut list = library.as_os_str().to_owned();
    if let Some(users) = users.filter(|users| !users.is_empty()) {
        list.push(":");
        list.push(users);
    }
    list
}

/// Tells the library where to write and whom to follow.
pub fn describe(command: &mut Command, parts: &Path, children: Children) {
    command.env("LOCKTOLL_DIRECTORY", parts);
    match children {
        Children::Recorded => command.env_remove("LOCKTOLL_NO_CHILDREN"),
        Children::Bare => command.env("LOCKTOLL_NO_CHILDREN", "1"),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_libraries_stay_in_their_order_behind_ours() {
        let ours = Path::new("/c/ours.so");
        let with = |users: &str| preload(ours, Some(OsStr::new(users)));
        assert_eq!(preload(ours, None), "/c/ours.so");
        assert_eq!(with(""), "/c/ours.so");
        assert_eq!(with("/a.so:b.so c.so"), "/c/ours.so:/a.so:b.so c.so");
    }
}
