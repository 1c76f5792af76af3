//! The events that were asked for: those of named locks, or those around long waits.

use serde::{Deserialize, Serialize};

use locktoll_results::profile::Use;
use locktoll_results::profile::timeline::{Timeline, TimelineLock};

/// The events that were asked for. The recording keeps it as JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The names or ids of the only locks, or parts of them; empty for all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The waits around which events are kept; `None` for all events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
}

/// The waits around which events are kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct When {
    /// The condition, as on the command line.
    pub text: String,
    /// The waits that last longer than this, nanoseconds.
    pub longer_than_ns: u64,
    /// How long before the beginning and after the end of such a wait, nanoseconds.
    pub around_ns: u64,
    /// Such waits for which some surrounding events did not fit.
    #[serde(default)]
    pub missed: u64,
    /// When the copies were made that were followed by a pause in copying, `CLOCK_MONOTONIC`: events that are missing after such a copy
    /// were written later.
    #[serde(default)]
    pub complete_ns: Vec<u64>,
}

/// What the recording says about itself, as far as it is about the timeline.
#[derive(Deserialize)]
struct About {
    timeline: Option<Choice>,
}

/// Events of a thread that were overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The thread.
    pub thread: u32,
    /// How many.
    pub events: u64,
    /// When the last event before them was written, nanoseconds after the recording began.
    pub from_ns: u64,
    /// When the first event after them was written.
    pub to_ns: u64,
}

/// Stretches of time in their order, which do not touch.
struct Windows(Vec<(u64, u64)>);

impl Choice {
    /// Returns the choice that a recording's text about itself contains.
    pub fn of(about: &str) -> Option<Self> {
        serde_json::from_str::<About>(about).ok()?.timeline
    }

    /// Leaves out the events that were not asked for, and counts those of `gaps` that were. The recording began at `start_ns`.
    pub fn apply(&self, timeline: &mut Timeline, gaps: &[Gap], start_ns: u64) {
        let windows = self.when.as_ref().map(|when| Windows::of(timeline, when));
        let is_wanted: Vec<bool> = timeline.locks.iter().map(|it| self.names(it)).collect();
        let has = |begin_ns: u64, end_ns: u64| {
            let windows = windows.as_ref();
            windows.is_none_or(|windows| windows.have(begin_ns, end_ns))
        };
        let is_wanted = |lock: u32| is_wanted[lock as usize];
        if self.when.is_some() || !self.only.is_empty() {
            let about = |lock, begin_ns, end_ns| is_wanted(lock) && has(begin_ns, end_ns);
            let tables = &mut *timeline;
            let (waits, holds) = (&mut tables.waits, &mut tables.holds);
            waits.retain(|it| about(it.lock, it.begin_ns, it.end_ns));
            holds.retain(|it| about(it.lock, it.begin_ns, it.end_ns));
            tables
                .signals
                .retain(|it| about(it.lock, it.at_ns, it.at_ns));
            tables
                .blocks
                .retain(|it| about(it.lock, it.begin_ns, it.end_ns));
            tables.switches.retain(|it| has(it.out_ns, it.in_ns));
        }
        let complete: &[u64] = self.when.as_ref().map_or(&[], |it| &it.complete_ns);
        let complete = complete.iter().map(|it| it.saturating_sub(start_ns));
        let from_ns = |gap: &Gap| {
            let before = complete.clone().filter(|&it| it <= gap.to_ns);
            before.max().unwrap_or(0).max(gap.from_ns)
        };
        for gap in gaps.iter().filter(|it| has(from_ns(it), it.to_ns)) {
            let thread = &mut timeline.threads[gap.thread as usize];
            thread.overwritten = thread.overwritten.saturating_add(gap.events);
            thread.complete_from_ns = thread.complete_from_ns.max(gap.to_ns);
            let lost = &mut timeline.kept.lost;
            lost.overwritten = lost.overwritten.saturating_add(gap.events);
        }
        timeline.kept.only.clone_from(&self.only);
        timeline.kept.when = self.when.as_ref().map(|it| it.text.clone());
        timeline.kept.around_ns = self.when.as_ref().map(|it| it.around_ns);
        timeline.kept.missed = self.when.as_ref().map_or(0, |it| it.missed);
    }

    fn names(&self, lock: &TimelineLock) -> bool {
        let is_it = |asked: &String| lock.id.contains(asked) || lock.name.contains(asked);
        self.only.is_empty() || self.only.iter().any(is_it)
    }
}

impl Windows {
    /// Returns the time around the long waits of a timeline.
    fn of(timeline: &Timeline, when: &When) -> Self {
        let is_lock = |lock: u32| timeline.locks[lock as usize].used_as != Use::Signal;
        let waits = timeline.waits.iter();
        let long =
            waits.filter(|it| it.end_ns - it.begin_ns > when.longer_than_ns && is_lock(it.lock));
        let around = long.map(|it| {
            let begin_ns = it.begin_ns.saturating_sub(when.around_ns);
            (begin_ns, it.end_ns.saturating_add(when.around_ns))
        });
        let mut windows: Vec<(u64, u64)> = Vec::new();
        // Waits are in the order of their beginnings.
        for (begin_ns, end_ns) in around {
            match windows.last_mut() {
                Some(last) if begin_ns <= last.1 => last.1 = last.1.max(end_ns),
                _ => windows.push((begin_ns, end_ns)),
            }
        }
        Self(windows)
    }

    /// Whether a part of the time from `begin_ns` to `end_ns` is in one of them.
    fn have(&self, begin_ns: u64, end_ns: u64) -> bool {
        let first = self.0.partition_point(|window| window.1 < begin_ns);
        self.0.get(first).is_some_and(|window| window.0 <= end_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_results::profile::LockKind;
    use locktoll_results::profile::timeline::{
        Block, Hold, HoldFlags, Index, Signal, SignalKind, Switch, TimelineThread, Wait, WaitEnd,
    };

    fn wait(lock: u32, begin_ns: u64, end_ns: u64) -> Wait {
        Wait {
            thread: 0,
            lock,
            begin_ns,
            end_ns,
            end: WaitEnd::Done,
            stack: Index::NONE,
            holder: Index::NONE,
            holder_place: Index::NONE,
            released_by: Index::NONE,
            released_ns: 0,
        }
    }

    /// A timeline of 10 s, with an event of each kind in each second.
    fn timeline(waits: &[Wait]) -> Timeline {
        let lock = |name: &str, used_as| TimelineLock {
            id: format!("mutex:app:{name}"),
            name: name.to_owned(),
            kind: LockKind::Mutex,
            used_as,
            pid: 1,
            address: 0,
        };
        let mut timeline = Timeline {
            threads: vec![TimelineThread::default()],
            locks: vec![lock("journal", Use::Lock), lock("idle", Use::Signal)],
            ..Timeline::default()
        };
        waits.iter().for_each(|&it| timeline.waits.push(it));
        for second in 0..10 {
            let (begin_ns, end_ns) = (second * 1_000, second * 1_000 + 10);
            let (thread, place) = (0, Index::NONE);
            let lock = (second % 2) as u32;
            timeline.holds.push(Hold {
                thread,
                lock,
                begin_ns,
                end_ns,
                place,
                flags: HoldFlags::default(),
            });
            timeline.signals.push(Signal {
                thread,
                lock,
                at_ns: begin_ns,
                kind: SignalKind::One,
                place,
                woken: 0,
            });
            timeline.blocks.push(Block {
                thread,
                lock,
                begin_ns,
                end_ns,
            });
            timeline.switches.push(Switch {
                thread,
                out_ns: begin_ns,
                in_ns: end_ns,
                waker: place,
                preempted: false,
            });
        }
        timeline
    }

    fn when() -> Choice {
        Choice {
            when: Some(When {
                text: "wait>1us".to_owned(),
                longer_than_ns: 1_000,
                around_ns: 500,
                missed: 3,
                complete_ns: vec![77_300],
            }),
            ..Choice::default()
        }
    }

    #[test]
    fn the_time_around_long_waits_for_locks_is_kept() {
        let waits = [
            wait(1, 0, 9_000),
            wait(0, 1_000, 1_900),
            wait(0, 3_100, 4_600),
            wait(0, 4_700, 5_800),
        ];
        let mut timeline = timeline(&waits);
        let gap = |from_ns, to_ns| Gap {
            thread: 0,
            events: 7,
            from_ns,
            to_ns,
        };
        let gaps = [gap(100, 2_000), gap(2_000, 2_600), gap(6_200, 9_000)];
        // A copy at 7.3 us had all that was written until then.
        when().apply(&mut timeline, &gaps, 70_000);
        // From 2.6 us to 6.3 us.
        assert_eq!(timeline.holds.begin_ns, [3_000, 4_000, 5_000, 6_000]);
        assert_eq!(timeline.signals.at_ns, timeline.holds.begin_ns);
        assert_eq!(timeline.blocks.begin_ns, timeline.holds.begin_ns);
        assert_eq!(timeline.switches.out_ns, timeline.holds.begin_ns);
        // The wait for a signal goes on in that time, and does not make it longer.
        assert_eq!(timeline.waits.begin_ns, [0, 3_100, 4_700]);
        let kept = &timeline.kept;
        assert_eq!((kept.lost.overwritten, kept.missed), (7, 3));
        assert_eq!(timeline.threads[0].complete_from_ns, 2_600);
        assert_eq!(kept.when.as_deref(), Some("wait>1us"));
    }

    #[test]
    fn without_a_long_wait_nothing_is_kept() {
        let mut timeline = timeline(&[wait(0, 1_000, 1_900)]);
        when().apply(&mut timeline, &[], 0);
        assert_eq!(timeline.events(), 0);
    }

    #[test]
    fn the_events_of_named_locks_are_kept() {
        let mut timeline = timeline(&[wait(0, 1_000, 1_900), wait(1, 5, 6)]);
        let choice = Choice {
            only: vec!["journal".to_owned(), "other".to_owned()],
            ..Choice::default()
        };
        choice.apply(&mut timeline, &[], 0);
        assert_eq!(timeline.waits.lock, [0]);
        assert_eq!(timeline.holds.lock, [0; 5]);
        // Times without a CPU have no lock.
        assert_eq!(timeline.switches.len(), 10);
        let text = format!(
            "{{\"host\":\"x\",\"timeline\":{}}}",
            serde_json::to_string(&choice).unwrap()
        );
        assert_eq!(Choice::of(&text), Some(choice));
        assert_eq!(Choice::of("{\"host\":\"x\"}"), None);
    }
}
