//! Names as users write them: `NAME`, or `NAME:NUMBER`.

use core::fmt;

use super::{Lock, Parameter};

/// A lock with its number, if one was given.
///
/// ```
/// use locktoll_locks::catalogue::named;
///
/// let name = named("adaptive:50").unwrap();
/// assert_eq!((name.lock.name, name.number), ("adaptive", Some(50)));
/// assert_eq!(named("adaptive").unwrap().number, None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The lock.
    pub lock: &'a Lock,
    /// The number after the colon; `None` means the lock's default.
    pub number: Option<u32>,
}

/// Writes the canonical spelling: with the number if one was given.
impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.lock.name)?;
        match self.number {
            Some(number) => write!(f, ":{number}"),
            None => Ok(()),
        }
    }
}

/// The reason why a text is not the name of a lock.
///
/// ```
/// use locktoll_locks::catalogue::{Unknown, named};
///
/// match named("gate:0") {
///     Err(Unknown::Parameter { name, least, most }) => println!("{name} accepts {least} to {most}"),
///     other => panic!("{other:?}"),
/// }
/// assert_eq!(named("tikcet").unwrap_err(), Unknown::Name);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// No lock has this name.
    Name,
    /// The lock takes no number.
    TakesNoParameter(&'static str),
    /// The number is invalid, too small or too large.
    Parameter {
        /// The lock's name.
        name: &'static str,
        /// The least value accepted.
        least: u32,
        /// The greatest value accepted.
        most: u32,
    },
}

/// Returns the lock of this crate with this name, in any of its spellings.
///
/// ```
/// use locktoll_locks::catalogue::named;
///
/// assert_eq!(named("futex3:100").unwrap().to_string(), "futex3:100");
/// assert_eq!(named("futex3-spin100").unwrap().to_string(), "futex3:100");
/// assert!(named("ticket:3").is_err());
/// ```
///
/// # Errors
/// [`Unknown`], with what would have been accepted.
pub fn named(text: &str) -> Result<Named<'static>, Unknown> {
    parse(text.as_bytes(), super::LOCKS.iter().chain(super::COMPOSED))
}

/// Returns the lock among `locks` with this name, in any of its spellings.
///
/// ```
/// use locktoll_locks::catalogue::{LOCKS, parse};
///
/// // Only the mutexes, without the reader-writer locks that `named` accepts too.
/// assert!(parse(b"ticket", LOCKS).is_ok());
/// assert!(parse(b"rw-fair", LOCKS).is_err());
/// ```
///
/// # Errors
/// [`Unknown`], with what would have been accepted.
pub fn parse<'a>(
    text: &[u8],
    locks: impl IntoIterator<Item = &'a Lock>,
) -> Result<Named<'a>, Unknown> {
    let colon = text.iter().position(|byte| *byte == b':');
    let (name, digits) = match colon {
        Some(colon) => (&text[..colon], Some(&text[colon + 1..])),
        None => (text, None),
    };
    let (lock, number) = locks
        .into_iter()
        .find_map(|lock| Some((lock, spelled(lock, name)?)))
        .ok_or(Unknown::Name)?;
    let number = match (number, digits, lock.parameter) {
        (number, None, _) => number,
        // `futex3-spin100:3` would give two different numbers.
        (Some(_), Some(_), _) => return Err(Unknown::Name),
        (None, Some(_), None) => return Err(Unknown::TakesNoParameter(lock.name)),
        (None, Some(digits), Some(parameter)) => {
            Some(within(parameter, digits).ok_or(Unknown::Parameter {
                name: lock.name,
                least: parameter.least,
                most: parameter.most,
            })?)
        }
    };
    Ok(Named { lock, number })
}

/// Returns the number implied by this spelling of the lock's name, or `None` if it is not a spelling of it.
#[expect(
    clippy::option_option,
    reason = "a spelling may carry a number, and a text may be no spelling"
)]
fn spelled(lock: &Lock, name: &[u8]) -> Option<Option<u32>> {
    if lock.name.as_bytes() == name {
        return Some(None);
    }
    let alias = lock
        .aliases
        .iter()
        .find(|alias| alias.name.as_bytes() == name)?;
    Some(alias.number)
}

/// Parses a number that consists of decimal digits only and is within the bounds.
fn within(parameter: Parameter, digits: &[u8]) -> Option<u32> {
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = core::str::from_utf8(digits).ok()?.parse().ok()?;
    (parameter.least..=parameter.most)
        .contains(&number)
        .then_some(number)
}

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    extern crate std;

    use std::format;
    use std::string::ToString;

    use super::super::{COMPOSED, LOCKS};
    use super::*;

    #[test]
    fn every_name_is_read_as_it_is_written() {
        for lock in LOCKS.iter().chain(COMPOSED) {
            assert_eq!(named(lock.name).unwrap().to_string(), lock.name);
            let Some(parameter) = lock.parameter else {
                let refused = named(&format!("{}:1", lock.name)).unwrap_err();
                assert_eq!(refused, Unknown::TakesNoParameter(lock.name));
                continue;
            };
            for number in [parameter.least, parameter.most, parameter.default] {
                let name = format!("{}:{number}", lock.name);
                assert_eq!(named(&name).unwrap().to_string(), name);
            }
            let more = format!("{}:{}", lock.name, u64::from(parameter.most) + 1);
            assert!(named(&more).is_err(), "{more}");
        }
    }

    #[test]
    fn no_spelling_belongs_to_two_locks() {
        let mut all = std::collections::HashSet::new();
        for lock in LOCKS.iter().chain(COMPOSED) {
            assert!(all.insert(lock.name), "{}", lock.name);
            for alias in lock.aliases {
                assert!(all.insert(alias.name), "{}", alias.name);
                let named = named(alias.name).unwrap();
                assert_eq!((named.lock.name, named.number), (lock.name, alias.number));
            }
            for preset in lock.presets {
                let named = named(preset.name).unwrap();
                assert_eq!(named.number, Some(preset.number));
                assert_eq!(named.to_string(), preset.name);
            }
        }
    }

    #[test]
    fn what_is_not_a_name_is_refused() {
        for unknown in [
            "tikcet",
            "",
            ":",
            ":1",
            "Ticket",
            "ticket ",
            "futex3-spin100:3",
        ] {
            assert_eq!(named(unknown).unwrap_err(), Unknown::Name, "{unknown}");
        }
        for digits in ["", "x", "-1", "+1", " 1", "99999999999", "1:1", "0x10"] {
            let refused = named(&format!("futex3:{digits}")).unwrap_err();
            assert!(matches!(refused, Unknown::Parameter { name: "futex3", .. }));
        }
    }
}
