//! Names of locks, and facts that are known without the locks.

use locktoll_locks::catalogue::{self, Alias};
use serde::{Deserialize, Deserializer};

/// Earlier spellings of critical sections with a spin count. They occur in saved results, which can be read on any system.
pub(crate) const CRITICAL_SECTIONS: &[Alias] = &[
    Alias::with("critical-section-spin0", 0),
    Alias::with("critical-section-spin100", 100),
    Alias::with("critical-section-spin4000", 4000),
];

/// Returns the one spelling of a lock's name; a name without a lock is returned unchanged. For saved results: they may come from
/// an earlier version, another system, or a build with other peers.
pub fn spelled_today(name: &str) -> String {
    let section = CRITICAL_SECTIONS.iter().find(|alias| alias.name == name);
    let section = section.and_then(|alias| Some(format!("critical-section:{}", alias.number?)));
    let ours = || Some(catalogue::named(name).ok()?.to_string());
    section.or_else(ours).unwrap_or_else(|| name.to_owned())
}

/// Reads the name of a lock, which may have an earlier version's spelling, and returns today's. So rows of a saved result match
/// those of a new one.
///
/// # Errors
/// The name is not a string.
pub fn saved_name<'de, D: Deserializer<'de>>(name: D) -> Result<String, D::Error> {
    let name = String::deserialize(name)?;
    Ok(spelled_today(&name))
}

/// Returns the number after the colon of a lock's name, if it has one.
pub(crate) fn number_of(name: &str) -> Option<u32> {
    let name = spelled_today(name);
    let (_, number) = name.split_once(':')?;
    number.parse().ok()
}
