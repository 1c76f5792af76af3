//! The words about the order of locks, for text and page.

use std::collections::HashMap;

use super::Selection;
use super::words;
use locktoll_results::profile::{
    HeldDuring, Lock, LockKind, LockOrder, OrderCycle, OrderCycleKind, UnusualKind, Use,
};
use locktoll_terminal::quantity::{count, counted};

/// The names of locks by their ids.
pub struct Named<'a>(HashMap<&'a str, String>);

impl<'a> Named<'a> {
    /// Takes the names of all locks of a profile.
    pub fn of(selection: &Selection<'a>) -> Self {
        let locks = selection.profile.locks.iter();
        Self(
            locks
                .map(|lock| (lock.id.as_str(), selection.names.name(lock)))
                .collect(),
        )
    }

    /// Returns the name of the lock with this id.
    pub fn name(&self, id: &str) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.to_owned())
    }
}

/// Describes a cycle in one sentence.
pub fn cycle_title(order: &LockOrder, cycle: &OrderCycle, named: &Named<'_>) -> String {
    let mut names: Vec<String> = cycle.locks.iter().map(|it| named.name(it)).collect();
    let first = names.first().cloned().unwrap_or_default();
    match cycle.kind {
        OrderCycleKind::ReaderAgain => format!(
            "{first} is acquired for reading by a thread that holds it for reading already. If another thread waits to write in between, both wait for each other."
        ),
        OrderCycleKind::Inversion => {
            let are_one_row = cycle.locks.iter().all(|it| Some(it) == cycle.locks.first());
            let threads = cycle.edges.iter().filter_map(|&it| order.edges.get(it));
            let most = threads.map(|it| it.threads).max().unwrap_or(0);
            let alone = match most {
                0 | 1 if cycle.edges.len() > 1 => ", each by one thread",
                _ => "",
            };
            if are_one_row {
                return format!(
                    "{} of {first} are acquired in different orders{alone}.",
                    counted(cycle.locks.len() as u64, "lock", "locks")
                );
            }
            names.push(first);
            format!(
                "{}: acquired in different orders{alone}.",
                names.join(" -> ")
            )
        }
    }
}

/// Describes something that was done while locks were held.
pub fn unusual(event: &HeldDuring, named: &Named<'_>) -> String {
    let held: Vec<String> = event
        .held
        .iter()
        .zip(&event.held_sites)
        .map(|(lock, site)| format!("{} (acquired in {})", named.name(lock), words::site(site)))
        .collect();
    let held = held.join(" and ");
    let times = match event.count {
        1 => String::new(),
        many => format!(" ({} times)", count(many)),
    };
    let place = words::site(&event.site);
    match event.kind {
        UnusualKind::WaitedForCondition => {
            let condition = event.condition.as_ref().map(|it| named.name(it));
            let condition = condition.unwrap_or_else(|| "a condition".to_owned());
            format!(
                "{place} waited for {condition} while it held {held}{times}. A thread that needs this lock before it can signal the condition would wait forever."
            )
        }
        UnusualKind::Forked => format!(
            "{place} forked the process while another thread held {held}{times}. The lock stays held in the child, where that thread does not exist."
        ),
        UnusualKind::Ended => format!("A thread ended while it held {held}{times}."),
    }
}

/// Says what the figures leave out.
pub fn how_to_read(order: &LockOrder, locks: &[Lock]) -> Vec<String> {
    let mut notes = Vec::new();
    let is_futex = |lock: &Lock| lock.kind == LockKind::Futex && lock.used_as == Use::Lock;
    if locks.iter().any(is_futex) {
        notes.push(
            "The order of the locks of Rust's standard library, and of others that are made of futex words, is not known: their acquisitions are seen only when a thread waits."
                .to_owned(),
        );
    }
    if !order.cycles.is_empty() {
        notes.push(
            "A cycle is reported if its threads can be in the middle of all of its steps at once: no two of them hold a further lock in common, each step has its own thread, and every acquisition waits for as long as the lock is held."
                .to_owned(),
        );
    }
    let lost = order.dropped.saturating_add(order.unjudged);
    if lost > 0 {
        notes.push(format!(
            "{} while another lock was held could not be judged: more than 8 locks were held, or there were too many locks or places to keep each.",
            counted(lost, "acquisition", "acquisitions")
        ));
    }
    notes
}
