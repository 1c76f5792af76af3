//! Windows'.

use clap::{Parser, Subcommand};

use super::Absent;
use crate::cli::{BenchArgs, CompareArgs, DoctorArgs, MachineArgs, ReportArgs, ReproduceArgs};

/// How much locks and context switches cost on this machine; why; and what would make them cheaper.
#[derive(Debug, Parser)]
#[command(
    name = "locktoll",
    version = env!("LOCKTOLL_VERSION"),
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Start with `locktoll machine`. Every verb has examples: `locktoll bench --help`.\n\
                  On Linux there are more verbs, which look into programs: tour, record, try, attach, top, kernel.\n\
                  Exit codes: 0 done, 1 the run failed, 2 wrong use, 3 unsupported here."
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs, in the order a newcomer meets them.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// The price list of this machine: atomics, system calls, switches, wake-ups, every lock.
    Machine(MachineArgs),
    /// One experiment with every knob: locks x workloads x threads x depth x hold x think ...
    Bench(Box<BenchArgs>),
    /// Published claims on what locks cost, run again: does each hold on this machine?
    Reproduce(ReproduceArgs),
    /// Show a recording that was made on Linux: text, CSV, JSON, pprof, folded stacks, a flame graph; or a saved result.
    Report(ReportArgs),
    /// Two saved results or recordings side by side: what changed, with intervals. A gate for CI.
    Compare(CompareArgs),
    /// What works here and what does not.
    Doctor(DoctorArgs),
    /// Print a completion script for a shell.
    #[command(after_help = "EXAMPLES
  locktoll completions powershell | Out-String | Invoke-Expression
  locktoll completions bash > locktoll.bash")]
    Completions {
        /// The shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "EXAMPLES
  locktoll man > locktoll.1                   keep it; man(1) reads it")]
    Man,
}

/// What is not there.
pub const ABSENT: &[Absent] = &[
    Absent {
        words: &["record"],
        why: "it puts a library under the program by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["try"],
        why: "it puts other locks under the program by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["attach"],
        why: "it sees the waits of a running program by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["kernel"],
        why: "it sees the kernel's locks by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["top"],
        why: "it reads the switches of threads and their causes in /proc and by programs in the kernel (eBPF)",
    },
    Absent {
        words: &["tour"],
        why: "it records a small program, by the loader's LD_PRELOAD",
    },
    Absent {
        words: &["machine", "--watch"],
        why: "it reads the switches of threads in /proc",
    },
];
