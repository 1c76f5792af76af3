//! What the program finds in its environment because of us.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::Command;

/// The value of `LD_PRELOAD` with our library in front of what the user has in it.
///
/// In front, since the loader searches in this order: the program's calls reach us first, with
/// the program's own return address, and we pass them on to the user's library, which then sees
/// exactly the calls it would see without us.
fn preload(library: &Path, users: Option<&OsStr>) -> OsString {
    let mut list = library.as_os_str().to_owned();
    if let Some(users) = users.filter(|users| !users.is_empty()) {
        list.push(":");
        list.push(users);
    }
    list
}

/// Sets up a command so that its process, and those it starts, record into `parts`.
pub fn prepare(command: &mut Command, library: &Path, parts: &Path) {
    let users = std::env::var_os("LD_PRELOAD");
    command
        .env("LD_PRELOAD", preload(library, users.as_deref()))
        .env("LOCKTOLL_PARTS", parts);
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
