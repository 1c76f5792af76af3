//! The objects that this binary contains.

use aya::include_bytes_aligned;

/// Programs and maps that are loaded together.
#[derive(Clone, Copy, Debug)]
pub struct Object {
    /// The compiled file, aligned as its reader needs it.
    pub bytes: &'static [u8],
    /// Its programs, in the order in which they are attached, each with its tracepoint.
    pub programs: &'static [(&'static str, &'static str)],
    /// Programs that go through all threads on request. Older kernels do without them.
    pub over_threads: &'static [&'static str],
}

impl Object {
    /// Holders that lose their processor: `bpf/preemption.bpf.c`. Its program `holds_registered` belongs to a function, and is
    /// attached last.
    pub const PREEMPTION: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/preemption.bpf.o"),
        programs: &[
            ("holds_exit", "sched_process_exit"),
            ("holds_exec", "sched_process_exec"),
            ("holds_switch", "sched_switch"),
        ],
        over_threads: &[],
    };

    /// Futex calls: `bpf/futex.bpf.c`. The programs that see calls return are attached separately, by `futexes::returns`.
    pub const FUTEX: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/futex.bpf.o"),
        programs: &[
            ("futex_gone", "sched_process_exit"),
            ("futex_replaced", "sched_process_exec"),
            ("futex_signal", "signal_deliver"),
            ("futex_waking", "sched_waking"),
            ("futex_switch", "sched_switch"),
            ("futex_started", "sched_process_fork"),
        ],
        over_threads: &["futex_asleep"],
    };
    /// A program that does nothing: `bpf/trial.bpf.c`. It shows whether the kernel accepts programs from us at all.
    pub const TRIAL: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/trial.bpf.o"),
        programs: &[("trial_switch", "sched_switch")],
        over_threads: &[],
    };

    /// Context switches by process and cause: `bpf/switches.bpf.c`.
    pub const SWITCHES: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/switches.bpf.o"),
        programs: &[
            ("switches_waking", "sched_waking"),
            ("switches_switch", "sched_switch"),
        ],
        over_threads: &[],
    };

    /// Waits for the kernel's spin locks by the function for them: `bpf/spin_slow_path.bpf.c`. Both programs are attached
    /// separately, by `kernel_locks::slow_path`.
    pub const SPIN_SLOW_PATH: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/spin_slow_path.bpf.o"),
        programs: &[],
        over_threads: &[],
    };

    /// The kernel's own locks: `bpf/kernel.bpf.c`. Programs for the ends of waits are attached before those for their beginnings.
    pub const KERNEL: Self = Self {
        bytes: include_bytes_aligned!("../../bpf/built/kernel.bpf.o"),
        programs: &[
            ("kernel_end", "contention_end"),
            ("kernel_begin", "contention_begin"),
        ],
        over_threads: &[],
    };

    /// The same, for only the processes that one process starts. The program must know a process before it waits for the first
    /// time.
    pub const KERNEL_OF_PROCESSES: Self = Self {
        bytes: Self::KERNEL.bytes,
        programs: &[
            ("kernel_fork", "sched_process_fork"),
            ("kernel_end", "contention_end"),
            ("kernel_begin", "contention_begin"),
        ],
        over_threads: &[],
    };
}
