//! Context switches of every process by cause, counted in the kernel: needs privileges.

use std::collections::BTreeMap;

use locktoll_results::top::CauseKind;
use locktoll_sources::ebpf::in_outermost_namespace;
use locktoll_sources::switches::{self, SwitchCause, Watch};
use locktoll_terminal::failure::Failure;

/// Switches since counting began, by process and cause.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SwitchCounts {
    /// By process id.
    pub processes: BTreeMap<u32, BTreeMap<CauseKind, u64>>,
    /// Sums over all processes, including those that are not counted separately.
    pub all: BTreeMap<CauseKind, u64>,
}

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

    /// Returns the counts so far.
    ///
    /// # Errors
    /// If the kernel does not let us read them.
    pub fn counts(&self) -> anyhow::Result<SwitchCounts> {
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
