//! Context switches of every process by cause, counted in the kernel: needs privileges.

use std::collections::BTreeMap;

use crate::top::model::{Reading, SwitchCounts};
use crate::top::source::Source;
use locktoll_results::top::CauseKind;
use locktoll_sources::ebpf::in_outermost_namespace;
use locktoll_sources::switches::{self, SwitchCause, Watch};
use locktoll_terminal::failure::Failure;

/// Switches by process and cause. The program in the kernel ends when this value is dropped.
pub struct Switches {
    watch: Watch,
    /// Whether processes have the numbers by which the kernel itself knows them, which are those of the outermost namespace.
    numbers_are_ours: bool,
}

impl Switches {
    /// Begins to count.
    ///
    /// # Errors
    /// [`Failure::NotTraced`] if the kernel does not allow it.
    pub fn start() -> Result<Self, Failure> {
        Ok(Self {
            watch: Watch::begin()?,
            numbers_are_ours: in_outermost_namespace(),
        })
    }

    fn counts(&self) -> anyhow::Result<SwitchCounts> {
        let mut counted = SwitchCounts {
            all: by_cause(&self.watch.all()?),
            ..SwitchCounts::default()
        };
        if self.numbers_are_ours {
            for (process, counts) in self.watch.by_process()? {
                counted.processes.insert(process, by_cause(&counts));
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

fn by_cause(counts: &switches::SwitchCounts) -> BTreeMap<CauseKind, u64> {
    SwitchCause::ALL
        .map(|cause| (shown(cause), counts.of(cause)))
        .into()
}

fn shown(cause: SwitchCause) -> CauseKind {
    match cause {
        SwitchCause::Other => CauseKind::Other,
        SwitchCause::Lock => CauseKind::Lock,
        SwitchCause::InputOutput => CauseKind::InputOutput,
        SwitchCause::Sleep => CauseKind::Sleep,
        SwitchCause::Yielded => CauseKind::Yielded,
        SwitchCause::SliceOver => CauseKind::SliceOver,
        SwitchCause::WokenOver => CauseKind::WokenOver,
    }
}
