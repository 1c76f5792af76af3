//! Features of the kernel that tracing programs rely on.

use crate::diagnosis::KernelVersion;

/// A feature of the kernel that tracing programs rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Memory of a program for each thread.
    TaskStorage,
    /// The user's registers of a thread that is in the kernel.
    TaskRegisters,
    /// Loops in programs.
    Loop,
    /// The tracepoint of context switches.
    SchedSwitch,
    /// The state of the thread that is switched out, among the arguments of that tracepoint.
    SwitchState,
    /// The tracepoints of system calls.
    SystemCalls,
    /// The tracepoints of contended kernel locks.
    Contention,
}

impl Feature {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::TaskStorage,
        Self::TaskRegisters,
        Self::Loop,
        Self::SchedSwitch,
        Self::SwitchState,
        Self::SystemCalls,
        Self::Contention,
    ];

    /// Arguments of the function type of `sched_switch` with [`SwitchState`](Self::SwitchState): the tracer's own, whether
    /// it is an involuntary switch, the two threads, the state.
    pub const SWITCH_ARGUMENTS: usize = 5;

    /// The name among the kernel's types that shows it; `None` where no name does.
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

    /// What it is called.
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

    /// The first version that has it. Tracepoints of the scheduler and of system calls are older than BTF, which came to
    /// tracing programs with 5.5.
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
