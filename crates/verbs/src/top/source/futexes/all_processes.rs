//! The time that each process waits for locks, from all futex calls of the machine.

use std::collections::{BTreeMap, HashMap};

use super::is_lock_wait::is_like_a_lock;
use crate::top::model::Waits;
use locktoll_results::top::SeenBy;
use locktoll_sources::futexes::Gathered;

/// Returns the waits of all processes, including those of other namespaces, gathered at `at_ns`.
pub fn waits(
    gathered: &Gathered,
    at_ns: u64,
    name_of: impl Fn(u32) -> String,
) -> BTreeMap<u32, Waits> {
    let words: HashMap<(u32, u64), _> = gathered
        .words
        .iter()
        .map(|it| ((it.process, it.word), it))
        .collect();
    let mut sums: BTreeMap<u32, Waits> = BTreeMap::new();
    let mut of = |process: u32, add: &dyn Fn(&mut Waits)| {
        let sum = sums.entry(process).or_insert_with(|| Waits {
            name: name_of(process),
            waits: 0,
            wait_ns: 0,
            waiting_now: 0,
            seen_by: SeenBy::Kernel,
            at_ns,
            watched_ns: None,
        });
        add(sum);
    };
    for wait in &gathered.waits {
        let word = words.get(&(wait.process, wait.word));
        let joined = word.is_some_and(|it| it.joined > 0);
        let expected = word.map(|it| it.value);
        if !joined && is_like_a_lock(wait.call, expected, wait.owner_known > 0) {
            of(wait.process, &|sum| {
                let waits = wait.waits().saturating_sub(wait.at_once);
                sum.waits = sum.waits.saturating_add(waits);
                sum.wait_ns = sum.wait_ns.saturating_add(wait.total_ns);
            });
        }
    }
    for waiting in &gathered.waiting {
        let owned = waiting.owner != 0;
        if is_like_a_lock(waiting.call, Some(waiting.value), owned) {
            of(waiting.process, &|sum| {
                sum.waiting_now = sum.waiting_now.saturating_add(1);
                let so_far = waiting.wait_ns.unwrap_or(0);
                sum.wait_ns = sum.wait_ns.saturating_add(so_far);
            });
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_sources::futexes::gathered::{Wait, Waiting, Word};

    fn wait(word: u64, woken: u64, total_ns: u64) -> Wait {
        Wait {
            process: 7,
            word,
            woken,
            total_ns,
            ..Wait::default()
        }
    }

    fn word(word: u64, value: u32, joined: u64) -> Word {
        Word {
            process: 7,
            word,
            value,
            joined,
            ..Word::default()
        }
    }

    #[test]
    fn waits_for_locks_are_added_up_and_those_for_others_are_not() {
        let gathered = Gathered {
            waits: vec![
                wait(0x10, 5, 500),
                Wait {
                    at_once: 2,
                    ..wait(0x10, 3, 30)
                },
                wait(0x20, 9, 9_000),
                // The end of a thread whose number is 2.
                wait(0x30, 1, 7_000),
                wait(0x40, 1, 1),
            ],
            words: vec![word(0x10, 2, 0), word(0x20, 0, 0), word(0x30, 2, 1)],
            waiting: vec![
                Waiting {
                    process: 7,
                    word: 0x10,
                    value: 2,
                    wait_ns: Some(40),
                    ..Waiting::default()
                },
                Waiting {
                    process: 8,
                    word: 0x20,
                    value: 0,
                    wait_ns: Some(1_000_000),
                    ..Waiting::default()
                },
            ],
            ..Gathered::default()
        };
        let waits = waits(&gathered, 5, |process| format!("of {process}"));
        assert_eq!(waits.len(), 1);
        let of = &waits[&7];
        assert_eq!((of.waits, of.wait_ns, of.waiting_now), (6, 570, 1));
        assert_eq!((of.name.as_str(), of.seen_by), ("of 7", SeenBy::Kernel));
    }
}
