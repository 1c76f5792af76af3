//! The profile as a whole: a thread for each thread, with its markers and samples.

use std::collections::HashMap;
use std::io::Write;
use std::time::Duration;

use anyhow::bail;
use flate2::Compression;
use flate2::write::GzEncoder;
use fxprof::{
    CategoryHandle, CpuDelta, Frame, FrameFlags, FrameInfo, MarkerTiming, ReferenceTimestamp,
    SamplingInterval, StackHandle, StringHandle, ThreadHandle, Timestamp,
};
use fxprof_processed_profile as fxprof;

use super::marker::{Kinds, Mark};
use super::names::Names;
use crate::format::{Format, OfProfile, Write as Writes};
use crate::profile::timeline::{ByThread, Interval, Wanted, needs_a_timeline};
use crate::profile::{Selection, words};
use locktoll_results::from_utc;
use locktoll_results::profile::Profile;
use locktoll_results::profile::timeline::{Index, SignalKind, Timeline};
use locktoll_terminal::escape::shown_text;

pub const FORMAT: Format = Format {
    name: "firefox",
    summary: "The timeline for the Firefox Profiler, profiler.firefox.com",
    endings: &[".json.gz"],
    profile: OfProfile::Timeline,
    write: Writes::Stream(write),
};

fn write(selection: &Selection<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
    let Some(timeline) = selection.profile.timeline.as_deref() else {
        bail!(needs_a_timeline("firefox"));
    };
    let document = document(selection, timeline);
    let mut packed = GzEncoder::new(out, Compression::fast());
    // The encoder takes large pieces at a time.
    let mut buffered = std::io::BufWriter::with_capacity(1 << 16, &mut packed);
    serde_json::to_writer(&mut buffered, &document)?;
    buffered.flush()?;
    drop(buffered);
    packed.finish()?;
    Ok(())
}

fn document(selection: &Selection<'_>, timeline: &Timeline) -> fxprof::Profile {
    let profile = selection.profile;
    let mut document = fxprof::Profile::new(
        &shown_text(&profile.command.join(" ")),
        ReferenceTimestamp::from_duration_since_unix_epoch(began(profile)),
        // Samples are waits, which come when they come.
        SamplingInterval::from_millis(1),
    );
    document.set_symbolicated(true);
    let threads = threads(&mut document, profile, timeline);
    // The profiler shows the time between the first and the last sample; its figures do not include markers outside this time.
    if let Some(&first) = threads.first() {
        for ns in [timeline.begin_ns, timeline.end_ns] {
            document.add_sample(first, at(ns), None, CpuDelta::ZERO, 0);
        }
    }
    let (kinds, names) = (
        Kinds::new(&mut document),
        Names::new(&mut document, timeline),
    );
    let wanted = Wanted::of(selection, timeline);
    let by_thread = ByThread::of(timeline);
    for (number, &thread) in threads.iter().enumerate() {
        let mut lane = Lane {
            document: &mut document,
            thread,
            timeline,
            names: &names,
            kinds: &kinds,
            stacks: HashMap::new(),
        };
        let intervals = by_thread.intervals(timeline, number);
        for interval in intervals.filter(|it| wanted.has(it.lock)) {
            lane.interval(interval);
        }
        for &row in by_thread.signals.of_thread(number) {
            if wanted.has(timeline.signals.lock[row as usize]) {
                lane.signal(row as usize);
            }
        }
        for &row in by_thread.blocks.of_thread(number) {
            if wanted.has(timeline.blocks.lock[row as usize]) {
                lane.block(row as usize);
            }
        }
        for &row in by_thread.switches.of_thread(number) {
            lane.switch(row as usize);
        }
    }
    document
}

/// Returns when the recording began, after 1970; nothing if that is not known.
fn began(profile: &Profile) -> Duration {
    let date = profile.made.as_ref().and_then(|made| made.date.as_deref());
    Duration::from_secs(date.and_then(from_utc).unwrap_or(0))
}

/// Adds the processes and threads. Returns the threads in the order of the timeline.
fn threads(
    document: &mut fxprof::Profile,
    profile: &Profile,
    timeline: &Timeline,
) -> Vec<ThreadHandle> {
    let mut processes = HashMap::new();
    let mut handles = Vec::new();
    for thread in &timeline.threads {
        let process = *processes.entry(thread.pid).or_insert_with(|| {
            let known = profile.processes.iter().find(|it| it.pid == thread.pid);
            let name = known.map_or_else(String::new, |it| shown_text(&it.command.join(" ")));
            let start_ns = known.map_or(0, |it| it.start_ns);
            document.add_process(&name, thread.pid, at(start_ns))
        });
        let is_main = thread.pid == thread.tid;
        let handle = document.add_thread(process, thread.tid, at(thread.begin_ns), is_main);
        document.set_thread_name(handle, &shown_text(&thread.name));
        document.set_thread_show_markers_in_timeline(handle, true);
        if let Some(end_ns) = thread.end_ns {
            document.set_thread_end_time(handle, at(end_ns));
        }
        handles.push(handle);
    }
    handles
}

fn at(ns: u64) -> Timestamp {
    Timestamp::from_nanos_since_reference(ns)
}

/// A thread that is being filled.
struct Lane<'a> {
    document: &'a mut fxprof::Profile,
    thread: ThreadHandle,
    timeline: &'a Timeline,
    names: &'a Names,
    kinds: &'a Kinds,
    /// The stacks that it has used.
    stacks: HashMap<usize, Option<StackHandle>>,
}

impl Lane<'_> {
    fn interval(&mut self, interval: Interval) {
        let (names, row) = (self.names, interval.row);
        let timing = MarkerTiming::Interval(at(interval.begin_ns), at(interval.end_ns));
        let lock = interval.lock as usize;
        if interval.is_wait {
            let wait = self.timeline.waits.get(row);
            let mark = Mark {
                kind: self.kinds.wait,
                name: names.waits[lock],
                fields: [
                    names.end(wait.end),
                    names.thread(wait.holder),
                    names.place(wait.holder_place),
                    names.thread(wait.released_by),
                ],
            };
            let marker = self.document.add_marker(self.thread, timing, mark);
            let stack = self.stack(wait.stack);
            self.document.set_marker_stack(self.thread, marker, stack);
            let begin = at(interval.begin_ns);
            self.document
                .add_sample(self.thread, begin, stack, CpuDelta::ZERO, 1);
        } else {
            let hold = self.timeline.holds.get(row);
            let (place, remark) = (names.place(hold.place), names.remark(hold.flags));
            self.add(self.kinds.hold, timing, names.holds[lock], [place, remark]);
        }
    }

    fn signal(&mut self, row: usize) {
        let (names, signal) = (self.names, self.timeline.signals.get(row));
        let table = match signal.kind {
            SignalKind::All => &names.broadcasts,
            SignalKind::One | SignalKind::Post => &names.signals,
        };
        let timing = MarkerTiming::Instant(at(signal.at_ns));
        let fields = [names.place(signal.place), names.none];
        self.add(
            self.kinds.signal,
            timing,
            table[signal.lock as usize],
            fields,
        );
    }

    fn block(&mut self, row: usize) {
        let (names, block) = (self.names, self.timeline.blocks.get(row));
        let timing = MarkerTiming::Interval(at(block.begin_ns), at(block.end_ns));
        let fields = [names.locks[block.lock as usize], names.none];
        self.add(self.kinds.block, timing, names.block, fields);
    }

    fn switch(&mut self, row: usize) {
        let (names, switch) = (self.names, self.timeline.switches.get(row));
        let timing = MarkerTiming::Interval(at(switch.out_ns), at(switch.in_ns));
        let why = match switch.preempted {
            true => names.preempted,
            false => names.blocked,
        };
        let fields = [why, names.thread(switch.waker)];
        self.add(self.kinds.switch, timing, names.switch, fields);
    }

    fn add(
        &mut self,
        kind: super::marker::Kind,
        timing: MarkerTiming,
        name: StringHandle,
        [first, second]: [StringHandle; 2],
    ) {
        let none = self.names.none;
        let fields = [first, second, none, none];
        self.document
            .add_marker(self.thread, timing, Mark { kind, name, fields });
    }

    /// Returns a stack of the timeline as one of this thread. Stacks of this format begin with the outermost call.
    fn stack(&mut self, stack: Index) -> Option<StackHandle> {
        let row = stack.get()?;
        if let Some(&known) = self.stacks.get(&row) {
            return known;
        }
        let mut frames: Vec<FrameInfo> = self
            .timeline
            .frames_of(stack)
            .map(|frame| FrameInfo {
                frame: Frame::Label(self.document.intern_string(&words::frame(frame))),
                category_pair: CategoryHandle::OTHER.into(),
                flags: FrameFlags::empty(),
            })
            .collect();
        frames.reverse();
        let new = self
            .document
            .intern_stack_frames(self.thread, frames.into_iter());
        self.stacks.insert(row, new);
        new
    }
}
