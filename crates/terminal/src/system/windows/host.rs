//! The name of this machine.

/// Returns the machine's name; `None` if the environment does not contain it.
#[must_use]
pub fn name() -> Option<String> {
    std::env::var("COMPUTERNAME")
        .ok()
        .filter(|name| !name.is_empty())
}
