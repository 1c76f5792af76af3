//! Texts of markers, which a profile keeps once each.

use fxprof::{Profile, StringHandle};
use fxprof_processed_profile as fxprof;

use crate::profile::words;
use locktoll_results::profile::timeline::{HoldFlags, Index, Timeline, WaitEnd};
use locktoll_terminal::escape::shown_text;

/// Texts by what they describe: an index of a table of the timeline.
pub struct Names {
    /// Of waits, by lock.
    pub waits: Vec<StringHandle>,
    /// Of holds, by lock.
    pub holds: Vec<StringHandle>,
    /// Of signals to one thread, by lock.
    pub signals: Vec<StringHandle>,
    /// Of signals to all threads, by lock.
    pub broadcasts: Vec<StringHandle>,
    /// The locks themselves.
    pub locks: Vec<StringHandle>,
    threads: Vec<StringHandle>,
    places: Vec<StringHandle>,
    ends: [StringHandle; 4],
    remarks: [StringHandle; 4],
    /// A call that may block.
    pub block: StringHandle,
    /// A time without a CPU.
    pub switch: StringHandle,
    /// The thread lost its CPU while it could have continued.
    pub preempted: StringHandle,
    /// The thread waited for something.
    pub blocked: StringHandle,
    /// Nothing.
    pub none: StringHandle,
}

impl Names {
    /// Adds the texts to a profile.
    pub fn new(profile: &mut Profile, timeline: &Timeline) -> Self {
        let mut text = |text: &str| profile.intern_string(text);
        let locks: Vec<String> = timeline
            .locks
            .iter()
            .map(|it| shown_text(&it.name))
            .collect();
        let mut all = |word: &str| -> Vec<StringHandle> {
            locks
                .iter()
                .map(|lock| text(&format!("{word}{lock}")))
                .collect()
        };
        let [waits, holds] = [all("wait for "), all("hold ")];
        let [signals, broadcasts] = [all("signal "), all("broadcast ")];
        let locks = all("");
        let threads = timeline.threads.iter();
        let places = timeline.stacks.iter().map(|stack| {
            let innermost = stack.first();
            innermost.and_then(|&frame| timeline.frames.get(frame as usize))
        });
        Self {
            waits,
            holds,
            signals,
            broadcasts,
            locks,
            threads: threads
                .map(|it| text(&format!("{} ({})", shown_text(&it.name), it.tid)))
                .collect(),
            places: places
                .map(|it| text(&it.map_or_else(|| "place not known".to_owned(), words::frame)))
                .collect(),
            ends: [
                "with the lock or event",
                "at its deadline",
                "with an error",
                "not before the end of the recording",
            ]
            .map(&mut text),
            remarks: [
                "",
                "not released before the end of the recording",
                "began earlier, at a time that is not known",
                "shared",
            ]
            .map(&mut text),
            block: text("call that may block"),
            switch: text("no CPU"),
            preempted: text("preempted"),
            blocked: text("blocked"),
            none: text(""),
        }
    }

    /// Returns the name of a thread, or nothing.
    pub fn thread(&self, thread: Index) -> StringHandle {
        self.at(&self.threads, thread)
    }

    /// Returns the place at the top of a stack, or nothing.
    pub fn place(&self, stack: Index) -> StringHandle {
        self.at(&self.places, stack)
    }

    /// Says how a wait ended.
    pub fn end(&self, end: WaitEnd) -> StringHandle {
        self.ends[usize::from(u8::from(end))]
    }

    /// Returns a remark about a hold, or nothing.
    pub fn remark(&self, flags: HoldFlags) -> StringHandle {
        let known = [
            (HoldFlags::UNFINISHED, 1),
            (HoldFlags::BEGAN_EARLIER, 2),
            (HoldFlags::SHARED, 3),
        ];
        let found = known.into_iter().find(|&(flag, _)| flags.has(flag));
        self.remarks[found.map_or(0, |(_, remark)| remark)]
    }

    fn at(&self, table: &[StringHandle], row: Index) -> StringHandle {
        let found = row.get().and_then(|row| table.get(row).copied());
        found.unwrap_or(self.none)
    }
}
