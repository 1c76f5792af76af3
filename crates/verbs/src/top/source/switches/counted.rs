//! The program in the kernel, and its counts.

use std::collections::BTreeMap;

use aya::Pod;

use super::calls::meanings;
use crate::top::model::{CauseKind, Reading, SwitchCounts};
use crate::top::source::{Source, in_outermost_namespace};
use locktoll_sources::ebpf::{Loaded, Object};
use locktoll_terminal::failure::Failure;

/// `enum cause`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Cause {
    Other = 0,
    Lock,
    InputOutput,
    Sleep,
    Yielded,
    SliceOver,
    WokenOver,
}

impl Cause {
    const ALL: [Self; 7] = [
        Self::Other,
        Self::Lock,
        Self::InputOutput,
        Self::Sleep,
        Self::Yielded,
        Self::SliceOver,
        Self::WokenOver,
    ];

    fn shown(self) -> CauseKind {
        match self {
            Self::Other => CauseKind::Other,
            Self::Lock => CauseKind::Lock,
            Self::InputOutput => CauseKind::InputOutput,
            Self::Sleep => CauseKind::Sleep,
            Self::Yielded => CauseKind::Yielded,
            Self::SliceOver => CauseKind::SliceOver,
            Self::WokenOver => CauseKind::WokenOver,
        }
    }
}

/// `struct counts`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct Counts {
    of: [u64; Cause::ALL.len()],
}

// SAFETY: plain integers without padding between them, laid out as in C: any bytes are a value.
unsafe impl Pod for Counts {}

/// Switches by process and cause. The program in the kernel ends when this value is dropped.
pub struct Switches {
    loaded: Loaded,
    /// Whether processes have the numbers by which the kernel itself knows them, which are those of the outermost namespace.
    numbers_are_ours: bool,
}

impl Switches {
    /// Begins to count.
    ///
    /// # Errors
    /// [`Failure::Unsupported`] if the kernel does not allow it.
    pub fn start() -> Result<Self, Failure> {
        let mut loaded = Loaded::load(&Object::SWITCHES, &[], &[])?;
        let mut calls = loaded.array_mut::<u32>("calls")?;
        for (call, cause) in meanings() {
            calls
                .set(call, cause as u32, 0)
                .map_err(anyhow::Error::from)?;
        }
        loaded.attach(&Object::SWITCHES)?;
        Ok(Self {
            loaded,
            numbers_are_ours: in_outermost_namespace(),
        })
    }

    fn counts(&self) -> anyhow::Result<SwitchCounts> {
        let mut counted = SwitchCounts::default();
        let all = self.loaded.array_per_cpu::<Counts>("all")?.get(&0, 0)?;
        counted.all = summed(&all);
        if self.numbers_are_ours {
            for entry in self.loaded.hash_per_cpu::<u32, Counts>("processes")?.iter() {
                let (process, counts) = entry?;
                counted.processes.insert(process, summed(&counts));
            }
        }
        Ok(counted)
    }
}

impl Source for Switches {
    fn read(&mut self, reading: &mut Reading) {
        // Counts that cannot be read now may be readable the next time; until then the figures of other sources are shown.
        reading.switches = self.counts().ok();
    }

    fn choose(&mut self, _pid: Option<u32>) {
        // All processes are counted all the time.
    }
}

/// Sums over all processors.
fn summed(counts: &[Counts]) -> BTreeMap<CauseKind, u64> {
    let sum = |cause: Cause| {
        let of_each = counts.iter().map(|counts| counts.of[cause as usize]);
        of_each.fold(0, u64::saturating_add)
    };
    Cause::ALL.map(|cause| (cause.shown(), sum(cause))).into()
}
