//! The list of locks and the search by name.

use std::fmt;
use std::sync::LazyLock;

use locktoll_locks::catalogue::{self, Order, Waits};

use super::elsewhere::{self, Elsewhere};
use super::none::NoLock;
use super::visit::{self, Listing, Visitor};
use super::{Contender, Entry, Family};
use crate::harness;

/// The name of the empty loop, which [`none`] returns; it is not a lock and not listed.
pub const NONE: &str = "none";

/// Names of the locks that only a build with the feature `cpp-peers` has.
pub const CPP_PEERS: &[&str] = &[
    "absl",
    "tbb-mutex",
    "tbb-spin",
    "tbb-queuing",
    "nsync",
    "ck-fas",
    "ck-ticket",
    "ck-mcs",
    "ck-clh",
];

/// A name that no lock of this build has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.explanation())]
pub struct UnknownLock {
    /// The requested name.
    pub name: String,
    /// A lock whose name begins with it, or else the one whose name is the fewest edits away; case is ignored.
    pub nearest: &'static str,
    /// Whether the name is a C++ peer's, which this build lacks.
    pub needs_cpp_peers: bool,
    /// The other system's lock with this name.
    pub elsewhere: Option<Elsewhere>,
    /// Set when the lock exists, but not with the number after the colon.
    pub number: Option<catalogue::Unknown>,
}

impl UnknownLock {
    fn explanation(&self) -> String {
        let Self { name, nearest, .. } = self;
        match self.number {
            Some(catalogue::Unknown::TakesNoParameter(lock)) => {
                return format!("`{name}`: {lock} takes no number; accepted: {lock}");
            }
            Some(catalogue::Unknown::Parameter {
                name: lock,
                least,
                most,
            }) => {
                return format!("`{name}`: accepted: {lock}:N, with N from {least} to {most}");
            }
            Some(catalogue::Unknown::Name) | None => {}
        }
        if self.needs_cpp_peers {
            return format!(
                "the lock `{name}` is only in a build with the feature `cpp-peers` (`bench --list` shows all that are here)"
            );
        }
        if let Some(elsewhere) = &self.elsewhere {
            return format!("the lock `{name}` {elsewhere} (`bench --list` shows all)");
        }
        // If half of its letters are wrong, a name is not a misspelling of another.
        let (asked, known) = (spelled(name), spelled(nearest));
        let is_beginning = asked.len() >= A_BEGINNING && known.starts_with(&asked);
        let wrong = strsim::damerau_levenshtein(&known, &asked);
        let meant = match is_beginning || wrong * 2 < known.len().max(asked.len()) {
            true => format!(" (did you mean `{nearest}`?)"),
            false => String::new(),
        };
        format!("no lock is called `{name}`{meant}; `locktoll bench --list` shows all")
    }
}

/// Returns all locks of this build, in the order of `bench --list`.
pub fn registry() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let mut entries = Entries(Vec::new());
        visit::all(&mut entries);
        entries.0
    });
    &ENTRIES
}

/// A lock of this build, with its number if one was given.
#[derive(Clone, Copy, Debug)]
pub struct Named {
    /// The lock's entry; if it is listed with this number, that entry.
    pub entry: &'static Entry,
    /// The number after the colon; `None` is the lock's default.
    pub number: Option<u32>,
}

/// Writes its one spelling.
impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lock, number) = (&self.entry.lock, self.number);
        catalogue::Named { lock, number }.fmt(f)
    }
}

/// Returns the lock with this name, in any of its spellings: `NAME`, `NAME:NUMBER`, or one of earlier versions.
///
/// # Errors
/// [`UnknownLock`], with the nearest name; also for [`NONE`].
pub fn named(name: &str) -> Result<Named, UnknownLock> {
    let locks = registry().iter().map(|entry| &entry.lock);
    let number = match catalogue::parse(name.as_bytes(), locks) {
        Ok(known) => {
            let spelled = known.to_string();
            let is = |name: &str| registry().iter().find(|entry| entry.name == name);
            let entry = is(&spelled).or_else(|| is(known.lock.name));
            return Ok(Named {
                entry: entry.expect("it was found by its name"),
                number: known.number,
            });
        }
        Err(catalogue::Unknown::Name) => None,
        Err(number) => Some(number),
    };
    let asked = spelled(name.split(':').next().unwrap_or_default());
    let nearest = registry()
        .iter()
        .min_by_key(|entry| {
            let known = spelled(entry.name);
            let begins_so = asked.len() >= A_BEGINNING && known.starts_with(&asked);
            (!begins_so, strsim::damerau_levenshtein(&known, &asked))
        })
        .expect("every build has locks");
    Err(UnknownLock {
        name: name.to_owned(),
        nearest: nearest.name,
        // The name was not found, so a peer's name here is one that this build lacks.
        needs_cpp_peers: CPP_PEERS.contains(&name),
        elsewhere: elsewhere::of(name),
        number,
    })
}

/// Returns the entry of the lock with this name.
///
/// # Errors
/// As [`named`].
pub fn find(name: &str) -> Result<&'static Entry, UnknownLock> {
    named(name).map(|named| named.entry)
}

/// The fewest characters that count as the beginning of a name: shorter ones match too many.
const A_BEGINNING: usize = 3;

/// Normalises the spelling of a name: systems write their types in capitals, and with or without separators.
fn spelled(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

/// Returns the empty loop, which takes no lock.
pub fn none() -> &'static Entry {
    static ENTRY: Entry = Entry {
        name: NONE,
        lock: Listing::new(NONE, Family::Ours, "no lock: the loop by itself").lock,
        family: Family::Ours,
        summary: "no lock: the loop by itself",
        fifo_spinner: false,
        knobs: &[],
        alignment: align_of::<NoLock>(),
        run: harness::run::<NoLock>,
        pairs: harness::pairs::<NoLock>,
    };
    &ENTRY
}

struct Entries(Vec<Entry>);

impl Visitor for Entries {
    fn lock<L: Contender>(&mut self, listing: Listing) {
        let Listing {
            lock,
            family,
            preset,
            knobs,
        } = listing;
        let spins = matches!(lock.waits, Waits::Spins | Waits::SpinsThenYields);
        self.0.push(Entry {
            name: listing.name(),
            lock,
            family,
            summary: preset.map_or(lock.line, |preset| preset.summary),
            fifo_spinner: spins && lock.order == Order::Arrival,
            knobs,
            alignment: align_of::<L>(),
            run: harness::run::<L>,
            pairs: harness::pairs::<L>,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::spelled_today;
    use super::super::system;
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_fit_a_command_line() {
        let mut seen = HashSet::new();
        for entry in registry() {
            assert!(seen.insert(entry.name), "{} twice", entry.name);
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_:".contains(c);
            assert!(entry.name.chars().all(fits), "{}", entry.name);
            assert_ne!(entry.name, NONE);
        }
    }

    #[test]
    fn names_are_read_in_every_spelling_and_written_in_one() {
        for (typed, written) in [
            ("ticket", "ticket"),
            ("futex3:100", "futex3:100"),
            ("futex3-spin100", "futex3:100"),
            ("futex3:57", "futex3:57"),
            ("adaptive:7", "adaptive:7"),
        ] {
            assert_eq!(named(typed).unwrap().to_string(), written);
            assert_eq!(spelled_today(typed), written);
        }
        assert_eq!(find("futex3-spin100").unwrap().name, "futex3:100");
        assert_eq!(find("futex3:57").unwrap().name, "futex3");
        // Names of either system, as in results that earlier versions saved.
        for (saved, written) in [
            ("gate-pthread", "gate"),
            ("critical-section-spin4000", "critical-section:4000"),
            ("of-another-build", "of-another-build"),
            (NONE, NONE),
        ] {
            assert_eq!(spelled_today(saved), written);
        }
        for entry in registry() {
            assert_eq!(named(entry.name).unwrap().to_string(), entry.name);
            let number = named(entry.name).unwrap().number;
            assert!(number.is_none() || entry.knobs.iter().all(|it| *it == "recursive"));
        }
    }

    #[test]
    fn a_number_that_is_none_is_refused_for_its_reason() {
        let refused = |name: &str| named(name).unwrap_err().to_string();
        let text = refused("ticket:3");
        assert!(text.contains("ticket takes no number"), "{text}");
        for number in ["", "x", "-1", "1000001"] {
            let text = refused(&format!("futex3:{number}"));
            assert!(
                text.contains("futex3:N, with N from 0 to 1000000"),
                "{text}"
            );
        }
    }

    #[test]
    fn every_line_of_the_list_is_one_line() {
        for entry in registry() {
            assert!(!entry.summary.is_empty(), "{}", entry.name);
            assert!(!entry.summary.contains('\n'), "{}", entry.name);
            for knob in entry.knobs {
                assert!(
                    ["spin", "gate", "shared", "recursive"].contains(knob),
                    "{knob}"
                );
            }
        }
    }

    #[test]
    fn a_slip_of_the_finger_is_recognised() {
        let everywhere = [("parking-lot", "parking_lot"), ("sdt", "std")];
        for (typed, meant) in everywhere.into_iter().chain(system::SLIPS) {
            let error = find(typed).expect_err("no lock has this name");
            assert_eq!(error.nearest, meant, "{typed}");
            let text = error.to_string();
            assert!(
                text.contains(meant) && text.contains("bench --list"),
                "{text}"
            );
        }
    }

    #[test]
    fn a_beginning_and_capitals_are_recognised() {
        for (typed, meant) in [
            ("Parking", "parking_lot"),
            ("TICKET", "ticket"),
            ("desig", "designated-waker"),
        ]
        .into_iter()
        .chain(system::BEGINNINGS)
        {
            assert_eq!(find(typed).expect_err("no name").nearest, meant, "{typed}");
        }
    }

    #[test]
    fn the_empty_loop_is_not_listed() {
        assert!(find(NONE).is_err());
        assert_eq!(none().name, NONE);
    }

    #[test]
    fn peers_are_here_or_named_as_missing() {
        let has = |name: &str| {
            let library = name.split('-').next().unwrap_or_default();
            match library {
                "absl" => cfg!(feature = "peer-absl"),
                "tbb" => cfg!(feature = "peer-tbb"),
                "nsync" => cfg!(feature = "peer-nsync"),
                "ck" => cfg!(feature = "peer-ck"),
                _ => panic!("{name} is of no library"),
            }
        };
        for name in CPP_PEERS {
            match find(name) {
                Ok(entry) => assert!(has(name) && entry.family == Family::Cpp, "{name}"),
                Err(error) => assert!(!has(name) && error.to_string().contains("cpp-peers")),
            }
        }
        let peers = registry()
            .iter()
            .filter(|entry| entry.family == Family::Cpp);
        let built = CPP_PEERS.iter().filter(|name| has(name));
        assert_eq!(peers.count(), built.count());
        if cfg!(feature = "cpp-peers") {
            assert!(CPP_PEERS.iter().all(|name| has(name)));
        }
    }
}
