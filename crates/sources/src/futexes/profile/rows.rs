//! Sums by row.

use std::collections::HashMap;

use super::calls::Stacks;
use super::identity::Statics;
use super::row::{GoesOn, Key, Row};
use super::sorting::{Sorting, waiting};
use crate::futexes::gathered::Gathered;
use crate::joiner::plus;
use locktoll_results::profile::Use;

/// All rows.
#[derive(Default)]
pub struct Rows(pub HashMap<Key, Row>);

impl Rows {
    /// Sums up everything that was gathered.
    pub fn of(
        gathered: &Gathered,
        stacks: &Stacks,
        statics: &mut Statics<'_>,
        duration_ns: u64,
    ) -> Self {
        let sorting = Sorting::of(gathered, stacks, statics);
        let mut rows = Self::default();
        for wait in &gathered.waits {
            // Calls that did not wait have no row if nobody has waited for their word.
            let Some(place) = sorting.place(wait.process, wait.word, wait.stack) else {
                continue;
            };
            let row = rows.0.entry(place.key).or_default();
            plus(&mut row.again, wait.again);
            if wait.waits() > 0 {
                let waker = stacks.get(wait.waker_stack).site();
                row.of_threads |= place.of_threads;
                row.add(wait, place.object, place.site, waker);
            }
        }
        for waiting in waiting(gathered) {
            if let Some(place) = sorting.place(waiting.process, waiting.word, waiting.stack) {
                // For a wait that had begun before watching did, only the watched time is known.
                let wait_ns = waiting.wait_ns.unwrap_or(duration_ns).min(duration_ns);
                let row = rows.0.entry(place.key).or_default();
                row.of_threads |= place.of_threads;
                row.objects.entry(place.object).or_default();
                row.waiting.push(GoesOn {
                    process: waiting.process,
                    thread: waiting.thread,
                    wait_ns,
                    stack: waiting.stack,
                    owner: waiting.owner,
                    owner_field: waiting.owner_field,
                });
            }
        }
        for wake in &gathered.wakes {
            if let Some(row) = rows.at(&sorting, wake.process, wake.word) {
                row.add_wake(wake);
            }
        }
        for owner in &gathered.owners {
            if let Some(row) = rows.at(&sorting, owner.process, owner.word) {
                row.add_owner(owner);
            }
        }
        for seen in &gathered.preemptions {
            if let Some(row) = rows.at(&sorting, seen.process, seen.word) {
                row.add_preemption(seen);
            }
        }
        rows
    }

    /// Returns the row of the object at a word, if anybody has waited for it.
    fn at(&mut self, sorting: &Sorting<'_>, process: u32, word: u64) -> Option<&mut Row> {
        self.0.get_mut(sorting.key(process, word)?)
    }

    /// Returns what each thread that still waits is waiting for, and how long, by process and the thread's own id.
    pub fn waiting(&self) -> HashMap<(u32, u32), (Use, u64)> {
        let rows = self.0.iter();
        rows.flat_map(|(key, row)| {
            let waiting = row.waiting.iter();
            waiting.map(|it| ((it.process, it.thread), (key.used_as, it.wait_ns)))
        })
        .collect()
    }
}
