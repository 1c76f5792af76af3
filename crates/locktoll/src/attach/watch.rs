//! Keeps the programs, and reads what they have gathered.

use rustix::time::{ClockId, clock_gettime};

use super::gathered::{Gathered, Lives};
use super::unwind::Code;
use super::{already, limits, tables};
use crate::doctor::{Verb, explained};
use crate::ebpf::{Loaded, Object};
use crate::exit::Failure;

/// How much the kernel keeps for us at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Different places that wait or wake, words, owners, stacks, and threads at once: each as many.
    pub entries: u32,
    /// Rules for walking stacks: each takes eight bytes of memory that is not swapped out.
    pub rules: u32,
}

/// The maps that [`Capacity`] is the size of.
const SIZED: [&str; 10] = [
    "threads",
    "ended",
    "waits",
    "wakes",
    "owners",
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
}

impl Watch {
    /// Begins. `process` zero means all.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(process: u32, capacity: Capacity) -> Result<Self, Failure> {
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
        let verb = if process == 0 {
            Verb::Top
        } else {
            Verb::Attach
        };
        let mut loaded = Loaded::load(&Object::FUTEX, &sizes, &[("target", process)])
            .map_err(explained(verb))?;
        if let Some(code) = &mut code {
            code.install(&mut loaded)?;
        }
        loaded.attach(&Object::FUTEX).map_err(explained(verb))?;
        if process != 0 {
            already::note_threads(&mut loaded, process)?;
        }
        Ok(Self {
            loaded,
            process,
            code,
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
    pub fn gathered(&self) -> anyhow::Result<Gathered> {
        let mut gathered = tables::read(&self.loaded, now_ns())?;
        if self.process != 0 {
            already::add_waiting(&mut gathered, self.process);
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

/// The clock that the programs read.
fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    part(now.tv_sec) * 1_000_000_000 + part(now.tv_nsec)
}
