//! Names of locks, and the facts that are known without the locks.

use locktoll_locks::catalogue::{self, Alias};
use serde::{Deserialize, Deserializer};

/// Earlier spellings of critical sections with a spin count. They are in results that were saved, which are read on any system.
pub(crate) const CRITICAL_SECTIONS: &[Alias] = &[
    Alias::with("critical-section-spin0", 0),
    Alias::with("critical-section-spin100", 100),
    Alias::with("critical-section-spin4000", 4000),
];

/// The one spelling of a lock's name; what no lock is called stays as it is. For results that were saved: they may be of an
/// earlier version, of another system, or of a build with other peers.
pub fn spelled_today(name: &str) -> String {
    let section = CRITICAL_SECTIONS.iter().find(|alias| alias.name == name);
    let section = section.and_then(|alias| Some(format!("critical-section:{}", alias.number?)));
    let ours = || Some(catalogue::named(name).ok()?.to_string());
    section.or_else(ours).unwrap_or_else(|| name.to_owned())
}

/// Reads the name of a lock, whose spelling may be that of an earlier version, and gives today's. So rows of a result that
/// was saved then match those of one of today.
///
/// # Errors
/// If it is not a text.
pub fn saved_name<'de, D: Deserializer<'de>>(name: D) -> Result<String, D::Error> {
    let name = String::deserialize(name)?;
    Ok(spelled_today(&name))
}

/// The number behind the colon of a lock's name, if it has one.
pub(crate) fn number_of(name: &str) -> Option<u32> {
    let name = spelled_today(name);
    let (_, number) = name.split_once(':')?;
    number.parse().ok()
}
