//! Who holds the locks of the chosen program now, and deadlocks. No thread is stopped for it: threads that wait sleep in a system call,
//! and their stacks and locks are read from outside.

use std::collections::HashMap;
use std::time::Instant;

use super::Source;
use crate::top::model::{Reading, Stuck};
use locktoll_results::hang::{HangResult, ObjectKind};
use locktoll_results::top::Held;
use locktoll_shown::{hang_answer, holder_words};
use locktoll_sources::stuck::{Looker, Whom};

/// The looks at the chosen program.
#[derive(Default)]
pub struct Holders {
    looker: Option<(u32, Looker)>,
    /// Since when each lock has been seen with the same holder, by its address.
    since: HashMap<String, (u32, Instant)>,
}

impl Holders {
    /// Creates the source; nothing is looked at yet.
    pub fn new() -> Self {
        Self::default()
    }

    fn stuck(&mut self, result: &HangResult) -> Stuck {
        let before = std::mem::take(&mut self.since);
        let mut held = Vec::new();
        for lock in &result.locks {
            // Nobody holds what threads notify each other by.
            if matches!(lock.kind, ObjectKind::Condvar | ObjectKind::Barrier) {
                continue;
            }
            let Some(holder) = holder_words(result, lock) else {
                continue;
            };
            let since = lock.owner_tid.map(|tid| {
                let known = before.get(&lock.id).filter(|(owner, _)| *owner == tid);
                (tid, known.map_or_else(Instant::now, |(_, since)| *since))
            });
            self.since
                .extend(since.map(|since| (lock.id.clone(), since)));
            held.push(Held {
                name: lock.name.clone(),
                address: lock.id.clone(),
                waiting: lock.waiting,
                holder_tid: lock.owner_tid,
                holder,
                same_holder_ns: since.map(|(_, since)| since.elapsed().as_nanos() as u64),
            });
        }
        let has_deadlock = !result.deadlocks.is_empty();
        Stuck {
            held,
            deadlock: has_deadlock.then(|| hang_answer(result)),
        }
    }
}

impl Source for Holders {
    fn read(&mut self, reading: &mut Reading) {
        let Some(chosen) = reading.chosen.as_mut().filter(|it| !it.ended) else {
            return;
        };
        if self
            .looker
            .as_ref()
            .is_none_or(|(pid, _)| *pid != chosen.pid)
        {
            // A program that may not be looked at has no holders.
            let Ok(whom) = Whom::of(chosen.pid) else {
                return;
            };
            self.looker = Some((chosen.pid, Looker::new(whom).from_afar()));
        }
        let Some((_, looker)) = &mut self.looker else {
            return;
        };
        if let Ok(result) = looker.look() {
            chosen.stuck = self.stuck(&result);
        }
    }

    fn choose(&mut self, _pid: Option<u32>) {
        self.looker = None;
        self.since.clear();
    }
}
