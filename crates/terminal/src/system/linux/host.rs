//! The name of this machine.

/// The name that it goes by in its network, as uname(2) says; `None` if it has none.
#[must_use]
pub fn name() -> Option<String> {
    let uname = rustix::system::uname();
    let name = uname.nodename().to_string_lossy().into_owned();
    (!name.is_empty() && name != "(none)").then_some(name)
}
