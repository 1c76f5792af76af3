//! The copies of the events of one process.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::ops::Range;
use std::path::Path;

use locktoll_recording::layout::{EventKind, EventWords, LockKind};
use locktoll_recording::reader::{EventRun, EventSpan, ReadError, Source};

use super::ended::Life;
use super::open_holds::OpenHolds;
use super::rings::{Rings, part_of};
use super::trigger::{LongWait, Trigger};
use crate::clock::now_ns;
use locktoll_terminal::system::files::open_regular;

/// The bytes of an event.
const EVENT_BYTES: u64 = size_of::<EventWords>() as u64;

/// A process that writes a part.
pub struct Process<S = File> {
    rings: Rings<S>,
    life: Option<Life>,
    /// By thread slot: what has been looked at.
    seen: HashMap<u32, Seen>,
    /// The semaphores of which a holder was seen: address and generation.
    held: HashSet<(u64, u32)>,
    /// By thread slot: what has been copied.
    copied: HashMap<u32, CopiedUntil>,
    copies: Vec<EventRun>,
    open: OpenHolds,
}

/// What a copy has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copied {
    /// All events.
    All,
    /// Not those that were overwritten while they were read.
    NotAll,
    /// Not those for which there was no room.
    NoRoom,
}

/// The events of a thread slot that have been looked at.
#[derive(Default)]
struct Seen {
    /// The number of the next one.
    next: u64,
    /// The first half of a wait at a semaphore, whose second half says whether it had a holder.
    half: Option<EventWords>,
}

/// Of the events of a thread slot below a number, those that were written since a time have been copied.
#[derive(Clone, Copy, Default)]
struct CopiedUntil {
    next: u64,
    from_ns: u64,
}

impl Process {
    /// Begins to watch the process that writes the part at `path` in `folder`.
    ///
    /// # Errors
    /// If the part cannot be read yet.
    pub fn open(path: &Path, folder: &Path) -> Result<Self, ReadError> {
        let mut process = Self::of(open_regular(path)?)?;
        process.life = Life::of(process.rings.source(), folder);
        Ok(process)
    }
}

impl<S: Source> Process<S> {
    /// Begins to watch the process that writes the part that `source` has.
    ///
    /// # Errors
    /// If the part cannot be read yet.
    pub fn of(source: S) -> Result<Self, ReadError> {
        Ok(Self {
            rings: Rings::open(source)?,
            life: None,
            seen: HashMap::new(),
            held: HashSet::new(),
            copied: HashMap::new(),
            copies: Vec::new(),
            open: OpenHolds::default(),
        })
    }

    /// Returns who writes the part.
    pub fn life(&self) -> Option<Life> {
        self.life
    }

    /// Whether the process has ended at `now_ns`, as far as that can be seen.
    pub fn has_ended(&self, now_ns: u64) -> bool {
        self.life
            .is_some_and(|life| life.has_ended(self.rings.source(), now_ns))
    }

    /// Returns the waits that were too long and have ended since the last look.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn look(&mut self, trigger: &Trigger) -> Result<Vec<LongWait>, ReadError> {
        let spans = self.rings.spans()?;
        let new = |span: &EventSpan| {
            let next = self.seen.get(&span.slot).map_or(0, |seen| seen.next);
            span.from(next)
        };
        let new: Vec<EventSpan> = spans.iter().map(new).filter(|it| it.count > 0).collect();
        let (seen, held) = (&mut self.seen, &mut self.held);
        let mut long = Vec::new();
        self.rings.read(&new, |piece| {
            let seen = seen.entry(piece.slot).or_default();
            seen.waits(&piece, &mut |wait, detail| {
                let lock = (wait.address(), wait.generation());
                if detail.is_some_and(|it| it.0[2] != 0) {
                    held.insert(lock);
                }
                long.extend(trigger.long_wait(wait, held.contains(&lock)));
            });
            true
        })?;
        for span in &new {
            let seen = self.seen.entry(span.slot).or_default();
            seen.next = seen.next.max(span.end());
        }
        // A wait that has not ended yet would be no wait, but a record that is wrong.
        let now_ns = now_ns();
        long.retain(|it| it.end_ns <= now_ns);
        let open = self.open.places(&spans);
        let (copies, holds) = (&mut self.copies, &mut self.open);
        self.rings.read(&open, |piece| {
            holds.end(&piece, copies, &spans);
            true
        })?;
        Ok(long)
    }

    /// Copies the events that have not been copied yet and were written after `from_ns`, into `room` bytes, which are then fewer.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn copy(&mut self, from_ns: u64, room: &mut u64) -> Result<Copied, ReadError> {
        let spans = self.rings.spans()?;
        let new = spans
            .iter()
            .flat_map(|&span| self.not_copied(span, from_ns));
        let new: Vec<EventSpan> = new.filter(|it| it.count > 0).collect();
        let (copied, copies, open) = (&mut self.copied, &mut self.copies, &mut self.open);
        let mut fits = true;
        let is_whole = self.rings.read(&new, |piece| {
            let piece = since(piece, from_ns);
            let bytes = piece.events.len() as u64 * EVENT_BYTES;
            let Some(left) = room.checked_sub(bytes) else {
                fits = false;
                return false;
            };
            *room = left;
            let until = copied.entry(piece.slot).or_default();
            until.next = until.next.max(numbers(&piece).end);
            until.from_ns = until.from_ns.max(from_ns);
            if !piece.events.is_empty() {
                open.note(copies.len(), &piece, &spans);
                copies.push(piece);
            }
            true
        })?;
        if fits {
            for until in copied.values_mut() {
                until.from_ns = until.from_ns.min(from_ns);
            }
        }
        Ok(match (fits, is_whole) {
            (false, _) => Copied::NoRoom,
            (true, false) => Copied::NotAll,
            (true, true) => Copied::All,
        })
    }

    /// Returns the parts of a span that have not been copied, if what was written since `from_ns` is wanted.
    fn not_copied(&self, span: EventSpan, from_ns: u64) -> Vec<EventSpan> {
        let until = self.copied.get(&span.slot).copied().unwrap_or_default();
        let mut left = Vec::new();
        let mut first = until.next;
        // A wait that began earlier than those before it asks for events that were left out until now.
        if from_ns < until.from_ns {
            first = span.first;
            let copies = self.copies.iter().filter(|it| it.slot == span.slot);
            let mut copies: Vec<Range<u64>> = copies.map(numbers).collect();
            copies.sort_unstable_by_key(|it| it.start);
            for copy in copies {
                left.push(part_of(span, first..copy.start));
                first = first.max(copy.end);
            }
        }
        left.push(span.from(first));
        left
    }

    /// Returns the copies. Holds that had not ended when they were copied, or could still change, are as the last look found them.
    pub fn into_copies(self) -> Vec<EventRun> {
        self.copies
    }
}

impl Seen {
    /// Calls `found` with each wait among these events, and with its second half if the wait is at a semaphore.
    fn waits(
        &mut self,
        events: &EventRun,
        found: &mut impl FnMut(&EventWords, Option<&EventWords>),
    ) {
        if events.first != self.next
            && let Some(half) = self.half.take()
        {
            found(&half, None);
        }
        for event in &events.events {
            let kind = event.kind();
            // A ring's next segment may begin with the clocks.
            if kind != Some(EventKind::Clock)
                && let Some(half) = self.half.take()
            {
                found(
                    &half,
                    Some(event).filter(|_| kind == Some(EventKind::WaitDetail)),
                );
            }
            match (kind, event.lock_kind()) {
                (Some(EventKind::Wait), Some(LockKind::Semaphore)) => self.half = Some(*event),
                (Some(EventKind::Wait), _) => found(event, None),
                _ => {}
            }
        }
        self.next = events.first + events.events.len() as u64;
    }
}

/// Returns the numbers of the events of a run.
fn numbers(run: &EventRun) -> Range<u64> {
    run.first..run.first + run.events.len() as u64
}

/// Returns the events of a run that were written after `from_ns`, those whose time is not known, and the last event before them, if it
/// is in the run. That one shows that nothing after it was overwritten: without it, the events that are left out here would seem to be
/// missing until the first one that was written after `from_ns`.
fn since(mut run: EventRun, from_ns: u64) -> EventRun {
    let is_before = |event: &EventWords| event.written_ns().is_some_and(|it| it < from_ns);
    let skipped = run.events.iter().rposition(is_before).unwrap_or(0);
    run.events.drain(..skipped);
    run.events.shrink_to_fit();
    run.first += skipped as u64;
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_from_before_are_left_out_but_for_the_last_one() {
        use EventKind::{Hold, TimedHold, Wait, WaitDetail};
        let events = [
            (Hold, 5),
            (Wait, 7),
            (WaitDetail, 0),
            (TimedHold, 900),
            (Hold, 20),
        ];
        let event = |(kind, ns)| EventWords::new(kind, (LockKind::Mutex, 8, 0), 0, [ns, ns], 0);
        let all = EventRun {
            slot: 1,
            first: 10,
            events: events.into_iter().map(event).collect(),
        };
        let since = |from_ns| {
            let left = since(all.clone(), from_ns);
            (left.first, left.events.len())
        };
        assert_eq!([since(5), since(6)], [(10, 5), (10, 5)]);
        // The second half of a wait stays with the first.
        assert_eq!([since(8), since(20)], [(11, 4), (11, 4)]);
        assert_eq!(since(21), (14, 1));
    }
}
