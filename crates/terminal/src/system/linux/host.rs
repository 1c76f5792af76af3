//! The name of this machine.

/// Returns the machine's name in its network, according to uname(2); `None` if it does not have one.
#[must_use]
pub fn name() -> Option<String> {
    let uname = rustix::system::uname();
    let name = uname.nodename().to_string_lossy().into_owned();
    (!name.is_empty() && name != "(none)").then_some(name)
}
