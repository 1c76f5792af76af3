//! What lasts too long.

use locktoll_results::profile::AlertKind;

/// A kind of event, and how long it may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The event.
    pub kind: AlertKind,
    /// Nanoseconds.
    pub longer_than_ns: u64,
}

/// Looks are made four times in the shortest time that is watched for, but not more often than this, nor more rarely.
const SHORTEST_NS: u64 = 1_000_000;
const LONGEST_NS: u64 = 250_000_000;

impl Rule {
    /// Returns the time between two looks for these rules, nanoseconds.
    pub fn interval_ns(rules: &[Self]) -> u64 {
        let shortest = rules.iter().map(|it| it.longer_than_ns).min();
        (shortest.unwrap_or(u64::MAX) / 4).clamp(SHORTEST_NS, LONGEST_NS)
    }

    /// Returns the shortest time that is too long for this kind of event; `None` if there is no such rule.
    pub fn least(rules: &[Self], kind: AlertKind) -> Option<u64> {
        let of_kind = rules.iter().filter(|it| it.kind == kind);
        of_kind.map(|it| it.longer_than_ns).min()
    }
}
