//! Features of the kernel that tracing programs rely on.

use crate::diagnosis::KernelVersion;

/// A feature of the kernel that tracing programs rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Storage for each thread, for BPF programs.
    TaskStorage,
    /// The user-mode registers of a thread that is in the kernel.
    TaskRegisters,
    /// Loops in BPF programs.
    Loop,
    /// The tracepoint of context switches.
    SchedSwitch,
    /// The state of the thread that is switched out, as an argument of that tracepoint.
    SwitchState,
    /// The tracepoints of system calls.
    SystemCalls,
    /// The tracepoints of contended kernel locks.
    Contention,
}

impl Feature {
    /// All features.
    pub const ALL: [Self; 7] = [
        Self::TaskStorage,
        Self::TaskRegisters,
        Self::Loop,
        Self::SchedSwitch,
        Self::SwitchState,
        Self::SystemCalls,
        Self::Contention,
    ];

    /// Number of arguments of the function type of `sched_switch` with [`SwitchState`](Self::SwitchState): the tracer's own,
    /// whether the switch is involuntary, the two threads, the state.
    pub const SWITCH_ARGUMENTS: usize = 5;

    /// Returns the name among the kernel's types that shows it; `None` where no name does.
    pub const fn type_name(self) -> Option<&'static str> {
        match self {
            Self::TaskStorage => Some("BPF_MAP_TYPE_TASK_STORAGE"),
            Self::TaskRegisters => Some("BPF_FUNC_task_pt_regs"),
            Self::Loop => Some("BPF_FUNC_loop"),
            Self::SchedSwitch => Some("btf_trace_sched_switch"),
            Self::SwitchState => None,
            Self::SystemCalls => Some("btf_trace_sys_enter"),
            Self::Contention => Some("btf_trace_contention_begin"),
        }
    }

    /// Returns its name for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TaskStorage => "task storage",
            Self::TaskRegisters => "bpf_task_pt_regs",
            Self::Loop => "bpf_loop",
            Self::SchedSwitch => "sched_switch",
            Self::SwitchState => "prev_state of sched_switch",
            Self::SystemCalls => "sys_enter",
            Self::Contention => "lock:contention_begin",
        }
    }

    /// Returns the first version that has it. The tracepoints of the scheduler and of system calls are older than BTF, which
    /// tracing programs can use since 5.5.
    pub const fn since(self) -> KernelVersion {
        match self {
            Self::SchedSwitch | Self::SystemCalls => KernelVersion(5, 5),
            Self::TaskStorage => KernelVersion(5, 11),
            Self::TaskRegisters => KernelVersion(5, 15),
            Self::Loop => KernelVersion(5, 17),
            Self::SwitchState => KernelVersion(5, 18),
            Self::Contention => KernelVersion(5, 19),
        }
    }
}
