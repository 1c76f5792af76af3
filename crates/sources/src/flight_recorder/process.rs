//! The rings of one process, and the copies of its events.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use locktoll_recording::layout::{EventKind, EventWords};
use locktoll_recording::reader::{EventRun, EventSegment, EventSpan, Live, ReadError};

use super::trigger::{Trigger, written_ns};
use locktoll_terminal::system::files::open_regular;

/// The bytes of an event.
pub const EVENT_BYTES: u64 = size_of::<EventWords>() as u64;

/// A process that writes a part.
pub struct Process {
    live: Live<File>,
    /// By thread slot: the number of the next event that has not been looked at.
    seen: HashMap<u32, u64>,
    /// By thread slot: the number of the next event that has not been copied.
    copied: HashMap<u32, u64>,
    copies: Vec<EventRun>,
    /// Copied holds that had not ended: a run, and the event in it.
    open: Vec<(usize, usize)>,
}

impl Process {
    /// Begins to watch the process that writes the part at `path`.
    ///
    /// # Errors
    /// If the part cannot be read yet.
    pub fn open(path: &Path) -> Result<Self, ReadError> {
        Ok(Self {
            live: Live::open(open_regular(path)?)?,
            seen: HashMap::new(),
            copied: HashMap::new(),
            copies: Vec::new(),
            open: Vec::new(),
        })
    }

    /// Returns the beginnings and ends of waits that were too long and have ended since the last look.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn look(&mut self, trigger: &Trigger) -> Result<Vec<(u64, u64)>, ReadError> {
        let mut long = Vec::new();
        for span in self.spans()? {
            let next = self.seen.entry(span.slot).or_default();
            let new = span.from(*next);
            if new.count > 0 {
                let run = new.read(self.live.source())?;
                long.extend(run.events.iter().filter_map(|it| trigger.long_wait(it)));
                *next = span.end();
            }
        }
        Ok(long)
    }

    /// Copies the events that have not been copied yet and were written after `from_ns`, into `room` bytes, which are then fewer.
    /// Returns `false` if they do not fit.
    ///
    /// # Errors
    /// If the part cannot be read.
    pub fn copy(&mut self, from_ns: u64, room: &mut u64) -> Result<bool, ReadError> {
        let mut runs = Vec::new();
        for span in self.spans()? {
            let next = self.copied.get(&span.slot).copied().unwrap_or(0);
            let new = span.from(next);
            if new.count > 0 {
                runs.push(since(new.read(self.live.source())?, from_ns));
            }
        }
        // Events that were overwritten while they were read are not in the rings any more.
        let still_there = self.spans()?;
        for run in runs {
            for piece in pieces(&run, &still_there) {
                let bytes = piece.events.len() as u64 * EVENT_BYTES;
                let Some(left) = room.checked_sub(bytes) else {
                    return Ok(false);
                };
                *room = left;
                let end = piece.first + piece.events.len() as u64;
                self.copied.insert(piece.slot, end);
                let number = self.copies.len();
                let open = piece.events.iter().enumerate();
                let open = open.filter(|(_, event)| is_open(event));
                self.open.extend(open.map(|(index, _)| (number, index)));
                self.copies.push(piece);
            }
        }
        Ok(true)
    }

    /// Returns the copies. Holds that had not ended when they were copied have the ends that the rings know now.
    pub fn into_copies(mut self) -> Vec<EventRun> {
        let spans = self.spans().unwrap_or_default();
        for (run, index) in std::mem::take(&mut self.open) {
            let run = &mut self.copies[run];
            let number = run.first + index as u64;
            let mut of_slot = spans.iter().filter(|span| span.slot == run.slot);
            let Some(place) = of_slot.find_map(|span| span.one(number)) else {
                continue;
            };
            let read = place.read(self.live.source()).unwrap_or_default();
            let event = &mut run.events[index];
            if let Some(now) = read.events.first()
                && now.0[..2] == event.0[..2]
            {
                *event = *now;
            }
        }
        self.copies
    }

    /// Returns where the events are now, those of one slot together and in their order.
    fn spans(&mut self) -> Result<Vec<EventSpan>, ReadError> {
        let segments = self.live.events()?;
        let mut spans: Vec<EventSpan> = segments.iter().flat_map(EventSegment::spans).collect();
        spans.retain(|span| span.count > 0);
        spans.sort_by_key(|span| (span.slot, span.first));
        Ok(spans)
    }
}

fn is_open(event: &EventWords) -> bool {
    event.kind() == Some(EventKind::TimedHold) && event.0[2] == 0
}

/// Returns the events of a run that were written after `from_ns`, and those whose time is not known.
fn since(mut run: EventRun, from_ns: u64) -> EventRun {
    let is_before = |event: &EventWords| written_ns(event).is_some_and(|it| it < from_ns);
    let mut skipped = run
        .events
        .iter()
        .rposition(is_before)
        .map_or(0, |it| it + 1);
    let is_half = |event: &EventWords| event.kind() == Some(EventKind::WaitDetail);
    if run.events.get(skipped).is_some_and(is_half) {
        skipped += 1;
    }
    run.events.drain(..skipped);
    run.first += skipped as u64;
    run
}

/// Returns the parts of a run that are in `spans`.
fn pieces(run: &EventRun, spans: &[EventSpan]) -> Vec<EventRun> {
    let end = run.first + run.events.len() as u64;
    let of_slot = spans.iter().filter(|span| span.slot == run.slot);
    let found = of_slot.filter_map(|span| {
        let (first, end) = (span.first.max(run.first), span.end().min(end));
        (first < end).then(|| EventRun {
            slot: run.slot,
            first,
            events: run.events[(first - run.first) as usize..(end - run.first) as usize].to_vec(),
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_recording::layout::LockKind;

    fn run(first: u64, events: &[(EventKind, u64)]) -> EventRun {
        let event = |&(kind, ns): &(EventKind, u64)| {
            EventWords::new(kind, (LockKind::Mutex, 8, 0), 0, [ns, ns], 0)
        };
        EventRun {
            slot: 1,
            first,
            events: events.iter().map(event).collect(),
        }
    }

    #[test]
    fn events_from_before_are_left_out_with_the_second_half_of_a_wait() {
        use EventKind::{Hold, TimedHold, Wait, WaitDetail};
        let all = run(
            10,
            &[
                (Hold, 5),
                (Wait, 7),
                (WaitDetail, 0),
                (TimedHold, 900),
                (Hold, 20),
            ],
        );
        let later = since(all.clone(), 8);
        assert_eq!((later.first, later.events.len()), (13, 2));
        assert_eq!(since(all.clone(), 5), all);
        assert!(since(all, 21).events.is_empty());
    }

    #[test]
    fn only_what_is_still_in_the_rings_is_copied() {
        let copied = run(100, &[(EventKind::Hold, 1); 50]);
        let appendix = |first: u64, count: usize| {
            let events = vec![copied.events[0]; count];
            EventRun {
                slot: 1,
                first,
                events,
            }
        };
        assert!(pieces(&copied, &[]).is_empty());
        let spans = [(90, 20), (130, 5), (140, 90)];
        let spans: Vec<EventSpan> = spans
            .into_iter()
            .map(|(first, count)| EventSpan::of(&appendix(first, count)))
            .collect();
        let found = pieces(&copied, &spans).into_iter();
        let found: Vec<(u64, usize)> = found.map(|it| (it.first, it.events.len())).collect();
        assert_eq!(found, [(100, 10), (130, 5), (140, 10)]);
    }
}
