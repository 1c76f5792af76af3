//! The workloads by name.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A workload's name and its line in `bench --list`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Nothing inside: the bare acquire and release.
    Pair,
    /// Push to or pop from a shared linked list, like an allocator's free list (Intel white paper).
    List,
    /// Store this thread's id and update one global (Intel white paper).
    ThreadId,
    /// Add one to a shared counter.
    Counter,
    /// Hart's TimeMutex of 1998: only the work that `--delay` and `--sleep-points` ask for.
    Timemutex,
    /// Look up and update a hash table; `--stripes N` locks share its buckets.
    HashTable,
    /// A map with lookups in a share `--read-ratio` of the operations, and updates otherwise.
    ReadMostly,
    /// Half of the threads put items into a bounded ring, the other half take them out.
    ProducerConsumer,
}

impl Kind {
    /// Every workload, in the order of `bench --list`.
    pub const ALL: [Self; 8] = [
        Self::List,
        Self::ThreadId,
        Self::Counter,
        Self::Pair,
        Self::Timemutex,
        Self::HashTable,
        Self::ReadMostly,
        Self::ProducerConsumer,
    ];

    /// Returns the name that `--workload` takes.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::List => "list",
            Self::ThreadId => "thread-id",
            Self::Counter => "counter",
            Self::Timemutex => "timemutex",
            Self::HashTable => "hash-table",
            Self::ReadMostly => "read-mostly",
            Self::ProducerConsumer => "producer-consumer",
        }
    }

    /// Returns one line on the work inside.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Pair => "an empty critical section: acquire and release alone",
            Self::List => "push to or pop from a shared linked list, like an allocator's free list",
            Self::ThreadId => "store this thread's id, update one global",
            Self::Counter => "add one to a shared counter",
            Self::Timemutex => {
                "TimeMutex (Hart 1998): only what --delay and --sleep-points ask for"
            }
            Self::HashTable => "update a hash table of 1024 buckets; --stripes N locks share them",
            Self::ReadMostly => "look up a map of 1024 entries with --read-ratio, else update it",
            Self::ProducerConsumer => {
                "half of the threads fill a ring of 64 places, half empty it (2 threads or more)"
            }
        }
    }

    /// Returns the lowest number of threads with which it makes sense.
    pub fn least_threads(self) -> u32 {
        match self {
            Self::ProducerConsumer => 2,
            _ => 1,
        }
    }
}

/// A name that is not a workload's.
#[derive(Debug, thiserror::Error)]
#[error(
    "unknown workload '{name}'{}; accepted: {}",
    .nearest.map(|near| format!(", did you mean '{near}'?")).unwrap_or_default(),
    Kind::ALL.map(Kind::name).join(", ")
)]
pub struct UnknownWorkload {
    name: String,
    nearest: Option<&'static str>,
}

impl FromStr for Kind {
    type Err = UnknownWorkload;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        if let Some(kind) = Self::ALL.into_iter().find(|kind| kind.name() == name) {
            return Ok(kind);
        }
        let nearest = Self::ALL
            .map(|kind| (strsim::damerau_levenshtein(name, kind.name()), kind.name()))
            .into_iter()
            .min()
            .filter(|(distance, _)| *distance <= 3)
            .map(|(_, near)| near);
        Err(UnknownWorkload {
            name: name.to_owned(),
            nearest,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back() {
        for kind in Kind::ALL {
            assert_eq!(kind.name().parse::<Kind>().unwrap(), kind);
            let json = serde_json::to_string(&kind).unwrap();
            assert_eq!(json, format!("\"{}\"", kind.name()));
        }
    }

    #[test]
    fn a_slip_is_answered_with_the_nearest_name() {
        let text = "lst".parse::<Kind>().unwrap_err().to_string();
        assert!(text.contains("did you mean 'list'?"), "{text}");
        let text = "qqqqqqqqqq".parse::<Kind>().unwrap_err().to_string();
        assert!(text.contains("accepted: list"), "{text}");
        assert!(!text.contains("did you mean"), "{text}");
    }
}
