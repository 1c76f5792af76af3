//! A mutex most of whose holders only read.
//!
//! A recording cannot show that a place never writes. It shows which places acquire the lock, how often and for how long; their
//! names are a hint.

use locktoll_results::advice::{AdviceMethod, Gain, Remedy, RemedyKind};
use locktoll_results::profile::{Frame, LockKind, RecorderMode, Site, described};
use locktoll_terminal::quantity::duration;

use super::blocking::holders_wait;
use super::nested;
use crate::advise::lock_use::{LockUse, Situation};
use crate::advise::model::{Change, gain};
use crate::advise::words::{self, for_lock, place, with_gain};

/// Holds shorter than this cost less than the reader-writer lock's own counting of readers.
const LEAST_HOLD_NS: f64 = 1_000.0;

/// Beginnings of words in names of functions that usually only read.
const READS: &[&str] = &[
    "get", "find", "lookup", "look_up", "read", "search", "query", "contains", "has", "is", "peek",
    "count", "size", "load", "select", "list", "check", "fetch", "exists", "print", "show",
];

/// Whether a function's name says that it reads.
fn seems_to_read(frame: &Frame) -> bool {
    let name = frame.function.as_deref().unwrap_or_default();
    let path = name.split(['(', '<']).next().unwrap_or_default();
    let last = path.rsplit("::").next().unwrap_or_default().trim();
    let words = last.split('_').flat_map(camel);
    words
        .into_iter()
        .any(|word| READS.contains(&word.to_lowercase().as_str()))
}

/// Splits `findUser` into `find` and `User`.
fn camel(word: &str) -> Vec<&str> {
    let begins = word
        .char_indices()
        .filter(|(at, it)| *at == 0 || it.is_uppercase());
    let mut begins: Vec<usize> = begins.map(|(at, _)| at).collect();
    begins.push(word.len());
    begins.windows(2).map(|it| &word[it[0]..it[1]]).collect()
}

/// Proposes a reader-writer lock if most of the holds come from places that seem to read.
pub fn advise(situation: &Situation<'_>, lock: &LockUse<'_>) -> Option<Remedy> {
    let applies = lock.lock.kind == LockKind::Mutex
        && lock.wait_share >= 0.02
        && lock.hold_ns >= LEAST_HOLD_NS
        && lock.utilization() >= 0.2
        && lock.threads >= 1.8;
    if !applies || holders_wait(lock) || nested::inner(situation, lock).is_some() {
        return None;
    }
    let all = lock.acquisitions;
    let readers = lock
        .lock
        .sites
        .iter()
        .filter(|site| place(&site.frames).is_some_and(|it| seems_to_read(&it)));
    let readers: Vec<&Site> = readers.collect();
    let reads: u64 = readers.iter().filter_map(|it| it.acquisitions).sum();
    let share = (reads as f64 / all).min(1.0);
    if share < 0.7 {
        return None;
    }
    let name = lock.name();
    let advice = format!("Make {name} a reader-writer lock, if the places below only read.");
    let is_exact = situation.profile.recorder.mode == Some(RecorderMode::Exact);
    let mut evidence = format!("{} {}", words::waiting(lock), words::holding(lock));
    for site in readers.iter().take(3) {
        let (Some(frame), Some(acquisitions)) =
            (place(&site.frames), site.acquisitions.filter(|it| *it > 0))
        else {
            continue;
        };
        let held = site.hold_ns.map_or_else(String::new, |held_ns| {
            format!(
                ", held for {}",
                duration(held_ns as f64 / acquisitions as f64)
            )
        });
        evidence.push_str(&format!(
            " {}: {:.0} % of the acquisitions{held}.",
            described(&frame),
            100.0 * acquisitions as f64 / all
        ));
    }
    evidence.push_str(" By their names these places only read; check that they write nothing that the lock guards.");
    let remedy = Remedy {
        site: readers.first().and_then(|it| place(&it.frames)),
        evidence,
        cost: "Replace the type, and take it shared at these places. One writer in between still waits for all readers.".to_owned(),
        command: Some(words::whatif(lock, situation.profile)),
        ..for_lock(RemedyKind::ReaderWriter, lock, advice)
    };
    if !is_exact {
        let command = format!(
            "locktoll record --exact -- {}",
            words::program(situation.profile)
        );
        let evidence = format!(
            "{} How long each place holds the lock is estimated here; --exact times every hold.",
            remedy.evidence
        );
        return Some(Remedy {
            evidence,
            command: Some(command),
            ..remedy
        });
    }
    Some(with_gain(
        remedy,
        lock,
        bound(lock, share),
        AdviceMethod::Bound,
    ))
}

/// Computes the gain if readers waited for nothing.
fn bound(lock: &LockUse<'_>, share: f64) -> Gain {
    let change = Change {
        shorter_ns: share * lock.hold_ns,
        moved_ns: share * lock.hold_ns,
        ..Change::default()
    };
    words::bound(gain(lock, change).high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_by_its_words() {
        let reads = |name: &str| {
            seems_to_read(&Frame {
                function: Some(name.to_owned()),
                ..Frame::default()
            })
        };
        for name in [
            "get_user",
            "Cache::find(int)",
            "app::findUser<int>(int)",
            "table_lookup",
            "is_open",
        ] {
            assert!(reads(name), "{name}");
        }
        for name in [
            "put",
            "erase(int)",
            "budget_set",
            "insertUser",
            "widget",
            "",
            "forget::drop",
        ] {
            assert!(!reads(name), "{name}");
        }
    }
}
