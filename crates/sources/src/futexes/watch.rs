//! Keeps the programs, and reads what they have gathered.

use super::gathered::{Gathered, Lives};
use super::unwind::Code;
use super::{asleep, before_watching, limits, tables};
use crate::clock::now_ns;
use crate::ebpf::{Loaded, Object};
use locktoll_terminal::failure::Failure;

/// How much the kernel keeps for us at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Different places that wait or wake, words, owners, stacks, and threads at once: each as many.
    pub entries: u32,
    /// Rules for walking stacks: each takes eight bytes of memory that is not swapped out.
    pub rules: u32,
}

/// The maps that [`Capacity`] is the size of.
const SIZED: [&str; 11] = [
    "threads",
    "ended",
    "waits",
    "wakes",
    "owners",
    "holders",
    "preemptions",
    "words",
    "requeues",
    "moved",
    "stacks",
];

/// The kernel's programs at work on one process, or on all.
pub struct Watch {
    loaded: Loaded,
    process: u32,
    code: Option<Code>,
    /// Whether the kernel has programs that go through all threads.
    looks: bool,
    /// Waits that had begun before, and count since.
    since_we_came: u64,
}

impl Watch {
    /// Begins. `process` zero means all.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(process: u32, capacity: Capacity) -> Result<Self, Failure> {
        let mut watch = Self::begin_without_a_look(process, capacity)?;
        // Where the kernel refuses to go through threads, less is known, and all else is as good.
        let asleep = asleep::find(&mut watch.loaded).unwrap_or(None);
        watch.looks = asleep.is_some();
        let asleep = asleep.unwrap_or_default();
        let since_we_came = asleep.iter().filter(|it| it.is_since_we_came).count();
        watch.since_we_came = since_we_came as u64;
        Ok(watch)
    }

    /// The same without a look at the threads that wait already.
    pub(super) fn begin_without_a_look(process: u32, capacity: Capacity) -> Result<Self, Failure> {
        if process != 0 {
            limits::check(process)?;
        }
        let mut sizes = SIZED.map(|map| (map, capacity.entries)).to_vec();
        // Of a process that is gone, or not ours to look at, there is nothing to be read; without tables, frame pointers are followed.
        let mut code = match process {
            0 => None,
            process => Code::survey(process, capacity.rules).ok(),
        };
        sizes.extend(code.iter().flat_map(Code::sizes));
        let mut loaded = Loaded::load(&Object::FUTEX, &sizes, &[("target", process)])?;
        if let Some(code) = &mut code {
            code.install(&mut loaded)?;
        }
        loaded.attach(&Object::FUTEX)?;
        if process != 0 {
            before_watching::note_threads(&mut loaded, process)?;
        }
        Ok(Self {
            loaded,
            process,
            code,
            looks: false,
            since_we_came: 0,
        })
    }

    /// Reads what the process has mapped since it was last looked at; to be called once a second or so.
    ///
    /// # Errors
    /// If the kernel's maps cannot be written.
    pub fn refresh(&mut self) -> anyhow::Result<()> {
        match &mut self.code {
            Some(code) => code.refresh(&mut self.loaded),
            None => Ok(()),
        }
    }

    /// What there is so far. The programs go on meanwhile, so two figures of one entry may be a moment apart.
    ///
    /// # Errors
    /// If the kernel does not let the maps be read.
    pub fn gathered(&mut self) -> anyhow::Result<Gathered> {
        let asleep = match self.looks {
            true => asleep::find(&mut self.loaded).unwrap_or(None),
            false => None,
        };
        let mut gathered = tables::read(&self.loaded, now_ns())?;
        gathered.since_we_came = self.since_we_came;
        match (&asleep, &self.code) {
            (Some(asleep), Some(code)) => {
                asleep::add_stacks(&mut gathered, asleep, self.process, code);
            }
            (None, _) if self.process != 0 => {
                before_watching::add_waiting(&mut gathered, self.process);
            }
            _ => {}
        }
        gathered.walks.extent = self.code.as_ref().map(Code::extent);
        Ok(gathered)
    }

    /// What became of the watched processes so far.
    ///
    /// # Errors
    /// As [`gathered`](Self::gathered).
    pub fn lives(&self) -> anyhow::Result<Lives> {
        tables::read_lives(&self.loaded)
    }
}
