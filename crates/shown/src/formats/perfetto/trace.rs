//! The trace as a whole: a track for each thread, with slices for waits and holds, flows from a release to the thread that got the
//! lock, and a counter of waiting threads for the locks that were waited for longest.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anyhow::bail;

use super::blocks;
use super::lanes::{Lanes, Step};
use super::off_cpu;
use super::sequence::{Event, Kind, Sequence};
use crate::format::{Format, OfProfile, Write as Writes};
use crate::profile::Selection;
use crate::profile::timeline::{ByThread, Interval, Wanted, needs_a_timeline};
use locktoll_results::profile::timeline::{Index, SignalKind, Timeline};
use locktoll_terminal::escape::shown_text;

pub const FORMAT: Format = Format {
    name: "perfetto",
    summary: "A trace of the timeline, for ui.perfetto.dev",
    endings: &[".pftrace", ".perfetto-trace"],
    profile: OfProfile::Timeline,
    write: Writes::Stream(write),
};

/// The number of locks with a counter of waiting threads.
const COUNTERS: usize = 50;
/// A hold that begins at most this long after a wait began with that wait: both ends were read from different clocks.
const SAME_MOMENT_NS: u64 = 2_000;

fn write(selection: &Selection<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(timeline) = selection.profile.timeline.as_deref() else {
        bail!(needs_a_timeline("perfetto"));
    };
    let trace = Trace {
        timeline,
        wanted: Wanted::of(selection, timeline),
        names: Names::of(timeline),
        processes: processes(selection, timeline),
    };
    Ok(trace.write(&mut io::BufWriter::with_capacity(1 << 20, out))?)
}

struct Trace<'a> {
    timeline: &'a Timeline,
    wanted: Wanted,
    names: Names,
    /// The name of each process.
    processes: BTreeMap<u32, String>,
}

/// The names of slices and moments by lock.
struct Names {
    holds: Vec<String>,
    waits: Vec<String>,
    signals: Vec<String>,
    broadcasts: Vec<String>,
    releases: Vec<String>,
    acquisitions: Vec<String>,
    blocks: Vec<String>,
}

impl Names {
    fn of(timeline: &Timeline) -> Self {
        let all = |word: &str| -> Vec<String> {
            let locks = timeline.locks.iter();
            locks
                .map(|lock| format!("{word} {}", shown_text(&lock.name)))
                .collect()
        };
        Self {
            holds: all("hold"),
            waits: all("wait for"),
            signals: all("signal"),
            broadcasts: all("broadcast"),
            releases: all("release"),
            acquisitions: all("acquire"),
            blocks: all("may block while holding"),
        }
    }
}

/// Returns the number and the text of a name. All tables together have one range of numbers.
fn name(table: usize, names: &[String], lock: u32) -> (u64, &str) {
    const TABLES: u64 = 7;
    let number = u64::from(lock) * TABLES + table as u64 + 1 + off_cpu::NAMES;
    (number, names.get(lock as usize).map_or("", String::as_str))
}

fn processes(selection: &Selection<'_>, timeline: &Timeline) -> BTreeMap<u32, String> {
    let mut names: BTreeMap<u32, String> = timeline
        .threads
        .iter()
        .map(|it| (it.pid, String::new()))
        .collect();
    for process in &selection.profile.processes {
        if let Some(name) = names.get_mut(&process.pid) {
            *name = shown_text(&process.command.join(" "));
        }
    }
    names
}

/// Tracks have numbers by what they are: of a process, a thread, a further lane of a thread, a counter of a lock.
fn process_track(pid: u32) -> u64 {
    1 << 60 | u64::from(pid)
}

pub fn thread_track(thread: usize, lane: usize) -> u64 {
    2 << 60 | (lane as u64) << 40 | thread as u64
}

fn counter_track(lock: u32) -> u64 {
    3 << 60 | u64::from(lock)
}

impl Trace<'_> {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let last = self.timeline.threads.len() as u64 + 1;
        let mut first = Sequence::begin(out, self.timeline, last, process_track(0))?;
        for (&pid, name) in &self.processes {
            first.describe(|track| {
                track.number(1, process_track(pid));
                track.with(3, |process| {
                    process.number(1, u64::from(pid));
                    process.text(6, name);
                });
            })?;
        }
        self.counters(&mut first)?;
        let by_thread = ByThread::of(self.timeline);
        for thread in 0..self.timeline.threads.len() {
            self.thread(thread, &by_thread, out)?;
        }
        out.flush()
    }

    fn thread(&self, number: usize, by_thread: &ByThread, out: &mut impl Write) -> io::Result<()> {
        let thread = &self.timeline.threads[number];
        let own = thread_track(number, 0);
        let mut sequence = Sequence::begin(out, self.timeline, number as u64 + 1, own)?;
        sequence.describe(|track| {
            track.number(1, own);
            track.number(5, process_track(thread.pid));
            track.with(4, |it| {
                it.number(1, u64::from(thread.pid));
                it.number(2, u64::from(thread.tid));
                it.text(5, &shown_text(&thread.name));
            });
        })?;
        self.slices(number, by_thread, &mut sequence)?;
        self.moments(number, by_thread, &mut sequence)?;
        let calls = by_thread.blocks.of_thread(number).iter();
        let calls = calls.map(|&row| self.timeline.blocks.get(row as usize));
        let wanted = calls.filter(|it| self.wanted.has(it.lock));
        let named = wanted.map(|it| (it, name(6, &self.names.blocks, it.lock)));
        blocks::write(named, number, &mut sequence)?;
        off_cpu::write(self.timeline, number, by_thread, &mut sequence)
    }

    /// Writes the waits and holds of a thread.
    fn slices<W: Write>(
        &self,
        number: usize,
        by_thread: &ByThread,
        sequence: &mut Sequence<'_, W>,
    ) -> io::Result<()> {
        let mut lanes = Lanes::default();
        let mut described = 1;
        // The wait whose hold has not begun yet: its lock, end and flow.
        let mut handed: Option<(u32, u64, u64)> = None;
        for interval in by_thread.intervals(self.timeline, number) {
            if !self.wanted.has(interval.lock) {
                continue;
            }
            if let Some((lock, end_ns, flow)) = handed {
                let is_its_hold = !interval.is_wait && interval.lock == lock;
                if !is_its_hold && interval.begin_ns > end_ns.saturating_add(SAME_MOMENT_NS) {
                    self.acquired(sequence, lock, end_ns, flow)?;
                    handed = None;
                }
            }
            let mut last_of_flow = None;
            if !interval.is_wait
                && let Some((lock, end_ns, flow)) = handed
                && lock == interval.lock
            {
                if interval.begin_ns <= end_ns.saturating_add(SAME_MOMENT_NS) {
                    last_of_flow = Some(flow);
                } else {
                    self.acquired(sequence, lock, end_ns, flow)?;
                }
                handed = None;
            }
            lanes.add(interval.begin_ns, interval.end_ns, |step| match step {
                Step::End { lane, at_ns } => {
                    let track = (lane > 0).then(|| thread_track(number, lane));
                    sequence.end_slice(at_ns, track)
                }
                Step::Begin { lane } => {
                    while described <= lane {
                        describe_lane(sequence, number, described)?;
                        described += 1;
                    }
                    sequence.begin_slice(&Event {
                        track: (lane > 0).then(|| thread_track(number, lane)),
                        last_of_flow,
                        ..self.slice(interval)
                    })
                }
            })?;
            if interval.is_wait
                && self.timeline.waits.released_by[interval.row]
                    .get()
                    .is_some()
            {
                if let Some((lock, end_ns, flow)) = handed {
                    self.acquired(sequence, lock, end_ns, flow)?;
                }
                handed = Some((interval.lock, interval.end_ns, flow_of(interval.row)));
            }
        }
        if let Some((lock, end_ns, flow)) = handed {
            self.acquired(sequence, lock, end_ns, flow)?;
        }
        lanes.finish(|step| match step {
            Step::End { lane, at_ns } => {
                let track = (lane > 0).then(|| thread_track(number, lane));
                sequence.end_slice(at_ns, track)
            }
            Step::Begin { .. } => Ok(()),
        })
    }

    /// Returns the beginning of a slice on the thread's own track.
    fn slice(&self, interval: Interval) -> Event<'_> {
        let row = interval.row;
        let (kind, table, names, stack) = match interval.is_wait {
            true => (
                Kind::Wait,
                0,
                &self.names.waits,
                self.timeline.waits.stack[row],
            ),
            false => (
                Kind::Hold,
                1,
                &self.names.holds,
                self.timeline.holds.place[row],
            ),
        };
        Event {
            at_ns: interval.begin_ns,
            kind,
            name: name(table, names, interval.lock),
            stack,
            track: None,
            flow: None,
            last_of_flow: None,
        }
    }

    /// Writes the moment at which a thread got a lock whose hold is not in the timeline.
    fn acquired<W: Write>(
        &self,
        sequence: &mut Sequence<'_, W>,
        lock: u32,
        at_ns: u64,
        flow: u64,
    ) -> io::Result<()> {
        sequence.moment(&Event {
            at_ns,
            kind: Kind::HandOver,
            name: name(5, &self.names.acquisitions, lock),
            stack: Index::NONE,
            track: None,
            flow: None,
            last_of_flow: Some(flow),
        })
    }

    /// Writes the signals of a thread, and its releases that ended waits.
    fn moments<W: Write>(
        &self,
        number: usize,
        by_thread: &ByThread,
        sequence: &mut Sequence<'_, W>,
    ) -> io::Result<()> {
        let none = Index::NONE;
        let moment = |at_ns, kind, name, stack, flow| Event {
            at_ns,
            kind,
            name,
            stack,
            track: None,
            flow,
            last_of_flow: None,
        };
        for &row in by_thread.signals.of_thread(number) {
            let signal = self.timeline.signals.get(row as usize);
            if !self.wanted.has(signal.lock) {
                continue;
            }
            let name = match signal.kind {
                SignalKind::All => name(3, &self.names.broadcasts, signal.lock),
                SignalKind::One | SignalKind::Post => name(2, &self.names.signals, signal.lock),
            };
            sequence.moment(&moment(
                signal.at_ns,
                Kind::Signal,
                name,
                signal.place,
                None,
            ))?;
        }
        for &row in by_thread.released.of_thread(number) {
            let wait = self.timeline.waits.get(row as usize);
            if self.wanted.has(wait.lock) {
                let name = name(4, &self.names.releases, wait.lock);
                let flow = Some(flow_of(row as usize));
                sequence.moment(&moment(wait.released_ns, Kind::HandOver, name, none, flow))?;
            }
        }
        Ok(())
    }

    /// Writes the number of threads that wait for each lock, as it changes.
    fn counters<W: Write>(&self, sequence: &mut Sequence<'_, W>) -> io::Result<()> {
        let mut changes: Vec<Vec<(u64, bool)>> = vec![Vec::new(); COUNTERS];
        let waits = &self.timeline.waits;
        for row in 0..waits.len() {
            // Locks are in the order of their waits.
            let lock = waits.lock[row];
            if let Some(changes) = changes.get_mut(lock as usize)
                && self.wanted.has(lock)
            {
                changes.push((waits.begin_ns[row], true));
                changes.push((waits.end_ns[row], false));
            }
        }
        for (number, mut changes) in (0_u32..).zip(changes) {
            let Some(lock) = self.timeline.locks.get(number as usize) else {
                break;
            };
            if changes.is_empty() {
                continue;
            }
            sequence.describe(|track| {
                track.number(1, counter_track(number));
                track.number(5, process_track(lock.pid));
                track.text(
                    2,
                    &format!("threads waiting for {}", shown_text(&lock.name)),
                );
                track.with(8, |counter| counter.text(6, "threads"));
            })?;
            // At the same time, ends come first.
            changes.sort_unstable();
            let mut waiting: u64 = 0;
            for (at_ns, begins) in changes {
                waiting = match begins {
                    true => waiting + 1,
                    false => waiting.saturating_sub(1),
                };
                sequence.count(at_ns, counter_track(number), waiting)?;
            }
        }
        Ok(())
    }
}

fn flow_of(row: usize) -> u64 {
    row as u64 + 1
}

fn describe_lane<W: Write>(
    sequence: &mut Sequence<'_, W>,
    thread: usize,
    lane: usize,
) -> io::Result<()> {
    sequence.describe(|track| {
        track.number(1, thread_track(thread, lane));
        track.number(5, thread_track(thread, 0));
        track.text(2, &format!("locks, {}", lane + 1));
    })
}
