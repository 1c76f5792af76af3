//! Linux's.

use clap::{Parser, Subcommand};

use super::Absent;
use crate::cli::{
    AttachArgs, BenchArgs, CompareArgs, DoctorArgs, KernelArgs, MachineArgs, RecordArgs,
    ReportArgs, ReproduceArgs, TopArgs, TourArgs, TryArgs,
};

/// How much locks and context switches cost, on this machine and in your program; why; and what
/// would make them cheaper.
#[derive(Debug, Parser)]
#[command(
    name = "locktoll",
    version = env!("LOCKTOLL_VERSION"),
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Start with `locktoll tour`. Every verb has examples: `locktoll bench --help`.\n\
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
    /// The first look: this machine's lock prices, a profile of a small contended program, and
    /// what the figures say. Under a minute, no privileges.
    Tour(TourArgs),
    /// The price list of this machine: atomics, system calls, switches, wake-ups, cache refills, every lock; and what a
    /// contended hand-over is made of.
    Machine(MachineArgs),
    /// One experiment with every knob: locks x workloads x threads x depth x hold x think ...
    Bench(Box<BenchArgs>),
    /// Published claims on what locks cost, run again: does each hold on this machine?
    Reproduce(ReproduceArgs),
    /// Profile the locks of an unmodified program.
    Record(RecordArgs),
    /// Show a recording: text, CSV, JSON, pprof, folded stacks, a flame graph.
    Report(ReportArgs),
    /// Run an unmodified program on other locks, and say which one wins, by how much, or that nothing can be told.
    Try(Box<TryArgs>),
    /// The futex waits of a running program, in any language, without stopping it (needs privileges).
    Attach(AttachArgs),
    /// Live: why the machine switches, which programs wait for locks, and for which.
    Top(TopArgs),
    /// The kernel's own locks while a workload runs: who waits, for which, how long (needs privileges).
    Kernel(Box<KernelArgs>),
    /// Two saved results or recordings side by side: what changed, with intervals. A gate for CI.
    Compare(CompareArgs),
    /// What works here and what does not, and the exact command that would allow it.
    Doctor(DoctorArgs),
    /// Print a completion script for a shell.
    #[command(after_help = "EXAMPLES
  locktoll completions bash > ~/.local/share/bash-completion/completions/locktoll
  locktoll completions zsh > _locktoll        into a folder of $fpath
  locktoll completions fish > ~/.config/fish/completions/locktoll.fish")]
    Completions {
        /// The shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    #[command(after_help = "EXAMPLES
  locktoll man | man -l -                     read it
  locktoll man > locktoll.1                   keep it")]
    Man,
}

/// What is not there: nothing.
pub const ABSENT: &[Absent] = &[];
