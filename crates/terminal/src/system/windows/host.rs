//! The name of this machine.

/// The name that it goes by; `None` if the environment does not say.
#[must_use]
pub fn name() -> Option<String> {
    std::env::var("COMPUTERNAME")
        .ok()
        .filter(|name| !name.is_empty())
}
