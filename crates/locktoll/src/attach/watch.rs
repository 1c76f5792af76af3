//! Keeps the programs, and reads what they have gathered.

use super::call::Call;
use super::gathered::{Gathered, Wait, Wake};
use super::raw;
use super::unwind::{self, Code};
use crate::ebpf::{Loaded, Object};
use crate::exit::Failure;

/// How much the kernel keeps for us at most.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// Different places that wait or wake, and threads at once.
    pub entries: u32,
    /// Rules for walking stacks: each takes eight bytes of memory that is not swapped out.
    pub rules: u32,
}

/// The kernel's programs at work on one process, or on all.
pub struct Watch {
    loaded: Loaded,
    code: Option<Code>,
}

impl Watch {
    /// Begins. `process` zero means all.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn begin(process: u32, capacity: Capacity) -> Result<Self, Failure> {
        let entries = capacity.entries;
        let mut sizes = ["threads", "waits", "wakes", "stacks"]
            .map(|map| (map, entries))
            .to_vec();
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
        Ok(Self { loaded, code })
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
        let mut gathered = Gathered::default();
        for entry in self.loaded.hash::<raw::WaitKey, raw::Wait>("waits")?.iter() {
            let (key, wait) = entry?;
            let Some(call) = Call::of(key.call) else {
                continue;
            };
            gathered.waits.push(Wait {
                process: key.process,
                word: key.word,
                call,
                stack: key.stack,
                waker_stack: key.waker_stack,
                woken: wait.woken,
                again: wait.again,
                timed_out: wait.timed_out,
                interrupted: wait.interrupted,
                failed: wait.failed,
                total_ns: wait.total_ns,
                max_ns: wait.max_ns,
                runnable_ns: wait.runnable_ns,
                log2: wait.log2.to_vec(),
                ..Wait::default()
            });
        }
        for entry in self.loaded.hash::<raw::WakeKey, raw::Wake>("wakes")?.iter() {
            let (key, wake) = entry?;
            let Some(call) = Call::of(key.call) else {
                continue;
            };
            gathered.wakes.push(Wake {
                process: key.process,
                word: key.word,
                call,
                stack: key.stack,
                calls: wake.calls,
                empty: wake.empty,
                woken: wake.woken,
                failed: wake.failed,
                ..Wake::default()
            });
        }
        let stacks = unwind::stacks(&self.loaded)?;
        gathered.stacks = stacks.addresses;
        gathered.cut_stacks = stacks.cut;
        gathered.walks = stacks.walks;
        gathered.walks.extent = self.code.as_ref().map(Code::extent);
        gathered.dropped.stacks = stacks.dropped;
        let dropped = self.loaded.array::<u64>("dropped")?;
        gathered.dropped.threads = dropped.get(&0, 0)?;
        gathered.dropped.waits = dropped.get(&1, 0)?;
        gathered.dropped.wakes = dropped.get(&2, 0)?;
        Ok(gathered)
    }
}
