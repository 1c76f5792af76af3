//! The list of all locks that can be tried: the catalogue's locks that fit into a mutex, and the C library's own.

use locktoll_locks::catalogue::{Lock, Waits, row};

use super::description::{Default, Description};

/// Calls a macro with all algorithms that replace a lock, and their names in the catalogue. `in_place` has a lock for each
/// name.
macro_rules! for_each_algorithm {
    ($callback:ident) => {
        locktoll_locks::for_each_word_lock! { $callback
            Mcs "mcs",
            McsPark "mcs-park",
            Gate "gate",
        }
    };
}
#[cfg(any(test, feature = "interpose"))]
pub(crate) use for_each_algorithm;

macro_rules! define {
    ($($algorithm:ident $name:literal,)+) => {
        /// An algorithm that can replace the program's mutexes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Algorithm {
            /// This library is loaded and replaces nothing.
            PassThrough,
            $(
                #[doc = concat!("The lock `", $name, "`.")]
                $algorithm,
            )+
        }

        /// The algorithms that replace a lock, in the catalogue's order.
        const REPLACING: &[(Algorithm, &str)] = &[$((Algorithm::$algorithm, $name)),+];
    };
}
for_each_algorithm!(define);

/// The parameters with which algorithms are tried if no candidates are named, in the order of listing.
const TRIED: &[(Algorithm, &[Default])] = &[
    (Algorithm::PassThrough, &[Default::Own]),
    (Algorithm::Tollgate, &[Default::Own]),
    (
        Algorithm::Futex3,
        &[Default::Number(0), Default::Number(100)],
    ),
    (Algorithm::Adaptive, &[Default::Own]),
    (Algorithm::TtasBackoffYield, &[Default::Own]),
    (Algorithm::TicketYield, &[Default::Own]),
    (Algorithm::OneSpinner, &[Default::Own]),
    (Algorithm::McsPark, &[Default::Own]),
    (
        Algorithm::Gate,
        &[
            Default::Number(1),
            Default::TimesCpus(1),
            Default::TimesCpus(2),
        ],
    ),
];

/// Everything that can be tried, in the order of listing: first the algorithms that are tried if no candidates are named, last
/// the pure spinners.
pub const ALL: &[Description] = &sorted();

const PASS_THROUGH: Description = Description {
    waits: "as the C library's",
    timed: "as the C library's",
    ..described(
        Algorithm::PassThrough,
        Lock {
            name: "pass-through",
            line: "the C library's own locks with locktoll's library loaded: the cost of loading it",
            source: "the C library",
            waits: Waits::AsItsOwner,
            ..Lock::SPINS
        },
    )
};

const fn described(algorithm: Algorithm, lock: Lock) -> Description {
    let lock = Lock {
        parameter: match algorithm {
            // The object has no room for a parameter: the length of spinning is compiled in.
            Algorithm::McsPark => None,
            _ => lock.parameter,
        },
        ..lock
    };
    Description {
        name: lock.name,
        lock,
        algorithm,
        summary: lock.line,
        waits: lock.waits.text(),
        timed: lock.timed.text(),
        parameter: lock.parameter,
        is_pure_spinner: lock.waits.is_pure_spinning(),
        defaults: match place(algorithm) {
            Some(place) => TRIED[place].1,
            None => &[],
        },
    }
}

/// Returns the position of an algorithm in [`TRIED`].
const fn place(algorithm: Algorithm) -> Option<usize> {
    let mut index = 0;
    while index < TRIED.len() {
        if TRIED[index].0 as usize == algorithm as usize {
            return Some(index);
        }
        index += 1;
    }
    None
}

/// Returns the rank of a description, which decides its position in [`ALL`]. Descriptions of equal rank keep the catalogue's
/// order.
const fn rank(description: &Description) -> usize {
    match place(description.algorithm) {
        Some(place) => place,
        None => TRIED.len() + description.is_pure_spinner as usize,
    }
}

const fn sorted() -> [Description; REPLACING.len() + 1] {
    let mut all = [PASS_THROUGH; REPLACING.len() + 1];
    let mut found = 1;
    while found < all.len() {
        let (algorithm, name) = REPLACING[found - 1];
        let new = described(algorithm, row(name).expect("the catalogue has it"));
        // An insertion sort: the entries behind it move up by one.
        let mut place = found;
        while place > 0 && rank(&all[place - 1]) > rank(&new) {
            all[place] = all[place - 1];
            place -= 1;
        }
        all[place] = new;
        found += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_algorithm_is_listed_once() {
        let replacing = REPLACING.iter().map(|(algorithm, _)| *algorithm);
        for algorithm in replacing.chain([Algorithm::PassThrough]) {
            let rows = ALL.iter().filter(|it| it.algorithm == algorithm).count();
            assert_eq!(rows, 1, "{algorithm:?}");
        }
        assert_eq!(ALL.len(), REPLACING.len() + 1);
    }

    #[test]
    fn names_are_distinct_and_hold_no_colon() {
        for (index, description) in ALL.iter().enumerate() {
            assert!(!description.name.contains(':'));
            assert!(ALL[..index].iter().all(|it| it.name != description.name));
        }
    }

    #[test]
    fn what_is_tried_unasked_is_listed_first_and_never_only_spins() {
        let first: Vec<_> = ALL.iter().map(|it| it.algorithm).collect();
        let tried: Vec<_> = TRIED.iter().map(|(algorithm, _)| *algorithm).collect();
        assert_eq!(first[..tried.len()], tried);
        for description in ALL {
            assert!(
                !description.is_pure_spinner || description.defaults.is_empty(),
                "{}",
                description.name
            );
            assert_eq!(
                description.is_pure_spinner,
                description.waits == Waits::Spins.text()
            );
        }
    }

    #[test]
    fn the_rest_follows_in_the_catalogues_order_with_pure_spinners_last() {
        let rest = &ALL[TRIED.len()..];
        let spinners = rest.iter().position(|it| it.is_pure_spinner).unwrap();
        assert!(rest[spinners..].iter().all(|it| it.is_pure_spinner));
        for part in [&rest[..spinners], &rest[spinners..]] {
            let place = |it: &Description| {
                let is_it = |(algorithm, _): &(Algorithm, &str)| *algorithm == it.algorithm;
                REPLACING.iter().position(is_it)
            };
            assert!(part.len() > 1 && part.is_sorted_by_key(place));
        }
        assert!(rest.iter().all(|it| it.defaults.is_empty()));
    }
}
