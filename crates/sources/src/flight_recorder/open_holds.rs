//! Holds that had not ended when they were copied.

use std::collections::BTreeMap;

use locktoll_recording::layout::{EventKind, EventWords, LockKind};
use locktoll_recording::reader::{EventRun, EventSpan};

use super::rings::{of_slot, part_of};

/// The most such holds of a thread slot that are looked at again, those that began last; and the same for units of semaphores, many
/// of which never end.
const MOST: usize = 64;
/// Events that are at most this far apart are read together.
const APART: u64 = 128;

/// A copied hold that had not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The copy, and the event in it.
    run: usize,
    index: usize,
    is_unit: bool,
}

/// Copied holds that had not ended, by thread slot and number of the event.
#[derive(Default)]
pub struct OpenHolds(BTreeMap<(u32, u64), Place>);

impl OpenHolds {
    /// Notes those among the events of copy number `run`.
    pub fn note(&mut self, run: usize, copy: &EventRun) {
        let numbered = (copy.first..).zip(copy.events.iter().enumerate());
        for (number, (index, event)) in numbered.filter(|(_, (_, event))| is_open(event)) {
            let is_unit = event.lock_kind() == Some(LockKind::Semaphore);
            let place = Place {
                run,
                index,
                is_unit,
            };
            self.0.insert((copy.slot, number), place);
            let slot = (copy.slot, 0)..=(copy.slot, u64::MAX);
            let alike = self.0.range(slot).filter(|it| it.1.is_unit == is_unit);
            let alike: Vec<(u32, u64)> = alike.map(|it| *it.0).collect();
            if alike.len() > MOST {
                self.0.remove(&alike[0]);
            }
        }
    }

    /// Returns where they are in the sorted `spans`, and forgets those that have been overwritten.
    pub fn places(&mut self, spans: &[EventSpan]) -> Vec<EventSpan> {
        let mut places: Vec<EventSpan> = Vec::new();
        self.0.retain(|&(slot, number), _| {
            let has_it = |span: &&EventSpan| (span.first..span.end()).contains(&number);
            let Some(span) = of_slot(spans, slot).iter().find(has_it) else {
                return false;
            };
            match places.last_mut() {
                Some(last)
                    if last.slot == slot
                        && last.first >= span.first
                        && number < last.end() + APART =>
                {
                    last.count = number + 1 - last.first;
                }
                _ => places.push(part_of(*span, number..number + 1)),
            }
            true
        });
        places
    }

    /// Ends those that have ended, according to `now`, in the copies.
    pub fn end(&mut self, now: &EventRun, copies: &mut [EventRun]) {
        let numbers = now.first..now.first + now.events.len() as u64;
        let slot = now.slot;
        let among = self.0.range((slot, numbers.start)..(slot, numbers.end));
        let mut ended = Vec::new();
        for (&(slot, number), place) in among {
            let event = now.events[(number - now.first) as usize];
            let copied = &mut copies[place.run].events[place.index];
            if event.0[..2] == copied.0[..2] && !is_open(&event) {
                *copied = event;
                ended.push((slot, number));
            }
        }
        for key in ended {
            self.0.remove(&key);
        }
    }
}

fn is_open(event: &EventWords) -> bool {
    event.kind() == Some(EventKind::TimedHold) && event.0[2] == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(kind: LockKind, begin: u64, end: u64) -> EventWords {
        EventWords::new(EventKind::TimedHold, (kind, 8, 0), 0, [begin, end], 0)
    }

    fn run(first: u64, events: Vec<EventWords>) -> EventRun {
        EventRun {
            slot: 1,
            first,
            events,
        }
    }

    #[test]
    fn they_are_read_together_and_ended_once() {
        let mut events = vec![hold(LockKind::Mutex, 5, 9); 400];
        for open in [0, 100, 399] {
            events[open] = hold(LockKind::Mutex, open as u64 + 1, 0);
        }
        let mut copies = [run(1_000, events)];
        let mut holds = OpenHolds::default();
        holds.note(0, &copies[0]);
        let span = EventSpan::of(&copies[0]);
        let places = holds.places(&[span]);
        let places: Vec<(u64, u64)> = places.iter().map(|it| (it.first, it.count)).collect();
        assert_eq!(places, [(1_000, 101), (1_399, 1)]);
        let mut now = copies[0].clone();
        now.events[100] = hold(LockKind::Mutex, 101, 777);
        // Another event is in its place.
        now.events[399] = hold(LockKind::Mutex, 402, 888);
        holds.end(&now, &mut copies);
        assert_eq!(copies[0].events[100].0[2], 777);
        assert_eq!(copies[0].events[399].0[2], 0);
        // The first one has been overwritten, so its end is not looked for any more.
        let left = holds.places(&[part_of(span, 1_001..1_400)]);
        assert_eq!((left.len(), left[0].first), (1, 1_399));
    }

    #[test]
    fn units_that_never_end_do_not_pile_up() {
        let mut events = vec![hold(LockKind::Mutex, 1, 0)];
        events.resize(1 + 10 * MOST, hold(LockKind::Semaphore, 2, 0));
        let mut holds = OpenHolds::default();
        holds.note(0, &run(0, events));
        assert_eq!(holds.0.len(), 1 + MOST);
        assert!(holds.0.contains_key(&(1, 0)), "the hold is still there");
    }
}
