//! The part of a timeline that a document has.

use serde::{Serialize, Serializer};

use super::index::Index;
use super::whole::{Timeline, TimelineLock};

/// The most events of a document. A wait takes about 150 bytes of JSON and a hold 90, so they take 75 MB at most, and the document
/// can be read again (`saved::MOST_BYTES`).
pub const MOST_EVENTS: usize = 500_000;

/// Writes the timeline, or its last [`MOST_EVENTS`] events.
///
/// # Errors
/// Those of the serializer.
// The signature is serde's.
#[expect(clippy::ref_option, reason = "serde passes the field's address")]
pub fn serialize<S: Serializer>(
    timeline: &Option<Box<Timeline>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match timeline {
        Some(it) if it.events() > MOST_EVENTS => Some(it.latest(MOST_EVENTS)).serialize(serializer),
        other => other.serialize(serializer),
    }
}

impl Timeline {
    /// Returns the part of the timeline that has the events which ended last, at most `most`, and whatever they refer to. The
    /// number of the others is added to the losses.
    #[must_use]
    pub fn latest(&self, most: usize) -> Self {
        let Some(until_ns) = self.end_of_all_but(most) else {
            return self.clone();
        };
        let mut part = Self {
            waits: self.waits.filtered(|it| it.end_ns > until_ns),
            holds: self.holds.filtered(|it| it.end_ns > until_ns),
            signals: self.signals.filtered(|it| it.at_ns > until_ns),
            blocks: self.blocks.filtered(|it| it.end_ns > until_ns),
            switches: self.switches.filtered(|it| it.in_ns > until_ns),
            findings: self.findings.clone(),
            ..self.without_events()
        };
        let left_out = (self.events() - part.events()) as u64;
        part.kept.lost.left_out = part.kept.lost.left_out.saturating_add(left_out);
        part.begin_ns = part.first_ns().unwrap_or(self.end_ns);
        for thread in &mut part.threads {
            thread.complete_from_ns = thread.complete_from_ns.max(until_ns);
        }
        part.leave_out_unused_locks();
        part.leave_out_unused_stacks();
        part
    }

    /// Returns the part of the timeline that is about some locks: their waits, holds, signals, calls and findings. The threads, their
    /// times without a CPU, and the time of the timeline stay.
    #[must_use]
    pub fn of_locks(&self, wanted: impl Fn(&TimelineLock) -> bool) -> Self {
        let wanted: Vec<bool> = self.locks.iter().map(wanted).collect();
        let is_wanted = |lock: u32| wanted[lock as usize];
        let findings = self.findings.iter();
        let mut part = Self {
            waits: self.waits.filtered(|it| is_wanted(it.lock)),
            holds: self.holds.filtered(|it| is_wanted(it.lock)),
            signals: self.signals.filtered(|it| is_wanted(it.lock)),
            blocks: self.blocks.filtered(|it| is_wanted(it.lock)),
            switches: self.switches.clone(),
            findings: findings
                .filter(|it| it.lock.get().is_some_and(|lock| is_wanted(lock as u32)))
                .cloned()
                .collect(),
            ..self.without_events()
        };
        part.leave_out_unused_locks();
        part.leave_out_unused_stacks();
        part
    }

    /// Returns the timeline without its events and findings.
    fn without_events(&self) -> Self {
        Self {
            kept: self.kept.clone(),
            begin_ns: self.begin_ns,
            end_ns: self.end_ns,
            threads: self.threads.clone(),
            locks: self.locks.clone(),
            frames: self.frames.clone(),
            stacks: self.stacks.clone(),
            ..Self::default()
        }
    }

    /// Returns how many events the part has that is about some locks.
    #[must_use]
    pub fn events_of_locks(&self, wanted: impl Fn(&TimelineLock) -> bool) -> usize {
        let wanted: Vec<bool> = self.locks.iter().map(wanted).collect();
        let columns = [
            &self.waits.lock,
            &self.holds.lock,
            &self.signals.lock,
            &self.blocks.lock,
        ];
        let locks = columns.into_iter().flatten();
        locks.filter(|&&lock| wanted[lock as usize]).count() + self.switches.len()
    }

    /// Returns the time until which all events have ended but the last `most`; none if there are no others.
    fn end_of_all_but(&self, most: usize) -> Option<u64> {
        let others = self.events().checked_sub(most)?.checked_sub(1)?;
        let columns = [
            &self.waits.end_ns,
            &self.holds.end_ns,
            &self.signals.at_ns,
            &self.blocks.end_ns,
            &self.switches.in_ns,
        ];
        let mut ends: Vec<u64> = columns.into_iter().flatten().copied().collect();
        Some(*ends.select_nth_unstable(others).1)
    }

    fn first_ns(&self) -> Option<u64> {
        let columns = [
            &self.waits.begin_ns,
            &self.holds.begin_ns,
            &self.signals.at_ns,
            &self.blocks.begin_ns,
            &self.switches.out_ns,
        ];
        columns.into_iter().flatten().copied().min()
    }

    /// Thousands of locks may have been used in events that are left out.
    fn leave_out_unused_locks(&mut self) {
        let found = self.findings.iter().filter_map(|it| it.lock.get());
        let mut used = vec![false; self.locks.len()];
        found.for_each(|lock| used[lock] = true);
        let columns = [
            &mut self.waits.lock,
            &mut self.holds.lock,
            &mut self.signals.lock,
            &mut self.blocks.lock,
        ];
        columns
            .iter()
            .flat_map(|column| column.iter())
            .for_each(|&lock| used[lock as usize] = true);
        let new = only_used(&mut self.locks, &used);
        for lock in columns.into_iter().flatten() {
            *lock = new[*lock as usize];
        }
        for finding in &mut self.findings {
            let lock = finding.lock.get().map(|lock| new[lock] as usize);
            finding.lock = lock.into();
        }
    }

    fn leave_out_unused_stacks(&mut self) {
        let columns = [
            &mut self.waits.stack,
            &mut self.waits.holder_place,
            &mut self.holds.place,
            &mut self.signals.place,
        ];
        let mut used = vec![false; self.stacks.len()];
        columns
            .iter()
            .flat_map(|column| column.iter().filter_map(|it| it.get()))
            .for_each(|stack| used[stack] = true);
        let new = only_used(&mut self.stacks, &used);
        for stack in columns.into_iter().flatten() {
            *stack = Index::from(stack.get().map(|stack| new[stack] as usize));
        }
        let mut used = vec![false; self.frames.len()];
        for &frame in self.stacks.iter().flatten() {
            used[frame as usize] = true;
        }
        let new = only_used(&mut self.frames, &used);
        for frame in self.stacks.iter_mut().flatten() {
            *frame = new[*frame as usize];
        }
    }
}

/// Removes the rows that are not used. Returns the new number of each row that is.
fn only_used<T>(rows: &mut Vec<T>, used: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let numbers = used.iter().map(|&used| {
        let number = next;
        next += u32::from(used);
        number
    });
    let numbers = numbers.collect();
    let mut is_used = used.iter();
    rows.retain(|_| is_used.next().copied().unwrap_or(false));
    numbers
}
