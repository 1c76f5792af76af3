//! On Windows there is no means to watch the system.

use std::time::Duration;

use locktoll_lab::cell::Cell;
use locktoll_lab::machine::Machine;
use locktoll_lab::runner::{Executor, SliceFailure};

use crate::reproduce::evidence::SystemLook;
use crate::reproduce::kernel_plan::KernelPlan;
use crate::reproduce::kernel_run::KernelRun;

/// Refuses to run rounds of a build during which the kernel's locks are watched.
///
/// # Errors
/// Always: this cannot be done here.
pub fn carry_out(
    _plan: &KernelPlan,
    _machine: &Machine,
    _next: impl FnMut(u32) -> bool,
) -> Result<Option<KernelRun>, String> {
    Err("needs Linux: the kernel's locks are seen by programs in the kernel (eBPF)".to_owned())
}

/// Would count switches by cause in the kernel.
pub enum SwitchCounter {}

impl SwitchCounter {
    /// Refuses to count.
    ///
    /// # Errors
    /// Always: this cannot be done here.
    pub fn begin() -> Result<Self, String> {
        Err("needs Linux: switches are counted by programs in the kernel (eBPF)".to_owned())
    }
}

/// Refuses to observe the system by itself and with a cell running.
///
/// # Errors
/// Always: this cannot be done here.
pub fn look_twice(
    _executor: &mut impl Executor,
    _cell: &Cell,
    _length: Duration,
    _counter: Option<&SwitchCounter>,
) -> Result<(SystemLook, SystemLook), SliceFailure> {
    Err(SliceFailure::Refused(
        "needs Linux: the causes of switches are read in /proc".to_owned(),
    ))
}
