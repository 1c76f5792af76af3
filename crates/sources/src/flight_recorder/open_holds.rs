//! Holds that had not ended when they were copied, and holds at the end of a ring that may still change: while threads wait for a lock
//! in vain, the last hold of a series takes the place of the one before it.

use std::collections::BTreeMap;

use locktoll_recording::layout::{EventKind, EventWords, LockKind, event_flags};
use locktoll_recording::reader::{EventRun, EventSpan};

use super::rings::{of_slot, part_of};

/// The most such holds of a thread slot that are looked at again, those that began last; and the same for units of semaphores, many
/// of which never end.
const MOST: usize = 64;
/// Events that are at most this far apart are read together.
const APART: u64 = 128;

/// A copied hold that had not ended, or that may still change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// The copy, and the event in it.
    run: usize,
    index: usize,
    is_unit: bool,
    is_last: bool,
}

/// Copied holds that had not ended or may still change, by thread slot and number of the event.
#[derive(Default)]
pub struct OpenHolds(BTreeMap<(u32, u64), Place>);

impl OpenHolds {
    /// Notes those among the events of copy number `run`. The sorted `spans` are older than the copy.
    pub fn note(&mut self, run: usize, copy: &EventRun, spans: &[EventSpan]) {
        let numbered = (copy.first..).zip(copy.events.iter().enumerate());
        for (number, (index, event)) in numbered {
            let is_last = may_change(event) && is_last(spans, copy.slot, number);
            if !is_last && !is_open(event) {
                continue;
            }
            let is_unit = event.lock_kind() == Some(LockKind::Semaphore);
            let place = Place {
                run,
                index,
                is_unit,
                is_last,
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

    /// Ends those that have ended, according to `now`, in the copies, and changes those that have changed. The sorted `spans` are older
    /// than `now`.
    pub fn end(&mut self, now: &EventRun, copies: &mut [EventRun], spans: &[EventSpan]) {
        let numbers = now.first..now.first + now.events.len() as u64;
        let slot = now.slot;
        let among = self.0.range((slot, numbers.start)..(slot, numbers.end));
        let mut ended = Vec::new();
        for (&(slot, number), place) in among {
            let event = now.events[(number - now.first) as usize];
            let copied = &mut copies[place.run].events[place.index];
            if place.is_last {
                let lock = |it: &EventWords| (it.address(), it.generation());
                if may_change(&event) && lock(&event) == lock(copied) {
                    *copied = event;
                }
                // Nothing changes in front of another event.
                if !is_last(spans, slot, number) {
                    ended.push((slot, number));
                }
            } else if event.0[..2] == copied.0[..2] && !is_open(&event) {
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

/// Whether the event may be the last hold of a series.
fn may_change(event: &EventWords) -> bool {
    event.kind() == Some(EventKind::Hold)
        && event.0[0] == 0
        && event.flags() & event_flags::AWAITED != 0
}

/// Whether the event `number` is the last one of its slot.
fn is_last(spans: &[EventSpan], slot: u32, number: u64) -> bool {
    of_slot(spans, slot)
        .iter()
        .all(|span| span.end() <= number.saturating_add(1))
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
        let span = EventSpan::of(&copies[0]);
        holds.note(0, &copies[0], &[span]);
        let places = holds.places(&[span]);
        let places: Vec<(u64, u64)> = places.iter().map(|it| (it.first, it.count)).collect();
        assert_eq!(places, [(1_000, 101), (1_399, 1)]);
        let mut now = copies[0].clone();
        now.events[100] = hold(LockKind::Mutex, 101, 777);
        // Another event is in its place.
        now.events[399] = hold(LockKind::Mutex, 402, 888);
        holds.end(&now, &mut copies, &[span]);
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
        let units = run(0, events);
        holds.note(0, &units, &[EventSpan::of(&units)]);
        assert_eq!(holds.0.len(), 1 + MOST);
        assert!(holds.0.contains_key(&(1, 0)), "the hold is still there");
    }

    /// A release while a thread waits, by a thread that had the lock for an unknown time.
    fn passed(end: u64, lock: u64, site: u32) -> EventWords {
        let (lock, flags) = ((LockKind::Spin, lock, 1), event_flags::AWAITED);
        EventWords::new(EventKind::Hold, lock, flags, [0, end], site)
    }

    #[test]
    fn the_last_hold_of_a_series_changes_until_there_is_another_event() {
        let mut copies = [run(
            10,
            vec![passed(1, 8, 1), passed(2, 8, 1), passed(3, 8, 1)],
        )];
        let mut holds = OpenHolds::default();
        let mut spans = [EventSpan::of(&copies[0])];
        holds.note(0, &copies[0], &spans);
        let numbers =
            |places: Vec<EventSpan>| -> Vec<u64> { places.iter().map(|it| it.first).collect() };
        let look =
            |event, holds: &mut OpenHolds, copies: &mut [EventRun; 1], spans: &[EventSpan]| {
                holds.end(&run(12, vec![event]), copies, spans);
                copies[0].events[2]
            };
        assert_eq!(numbers(holds.places(&spans)), [12]);
        let longer = passed(7, 8, 2);
        assert_eq!(look(longer, &mut holds, &mut copies, &spans), longer);
        assert_eq!(
            look(passed(8, 16, 2), &mut holds, &mut copies, &spans),
            longer,
            "of another lock"
        );
        // It is read once more after the next event was seen.
        spans[0].count = 4;
        assert_eq!(numbers(holds.places(&spans)), [12]);
        let end = passed(9, 8, 2);
        assert_eq!(look(end, &mut holds, &mut copies, &spans), end);
        assert!(holds.places(&spans).is_empty());
    }

    #[test]
    fn holds_whose_beginning_is_known_and_holds_without_waiters_do_not_change() {
        let mut known = passed(3, 8, 1);
        known.0[0] = 1;
        let alone = EventWords::new(EventKind::Hold, (LockKind::Spin, 8, 1), 0, [0, 3], 1);
        for event in [known, alone, hold(LockKind::Mutex, 1, 3)] {
            let copy = run(10, vec![event]);
            let mut holds = OpenHolds::default();
            holds.note(0, &copy, &[EventSpan::of(&copy)]);
            assert!(holds.0.is_empty(), "{event:?}");
        }
    }
}
