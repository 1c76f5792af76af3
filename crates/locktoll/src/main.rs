//! locktoll: how much locks and context switches cost on this machine and in your program, why,
//! and what would make them cheaper.
//!
//! What watches programs is Linux's; what measures locks, and shows what was measured, is Windows' too.

#[cfg(target_os = "linux")]
mod attach;
mod cli;
mod compare;
#[cfg(target_os = "linux")]
mod demo;
mod doctor;
#[cfg(target_os = "linux")]
mod ebpf;
#[cfg(target_os = "linux")]
mod embedded;
mod exit;
mod interrupt;
#[cfg(target_os = "linux")]
mod kernel;
#[cfg(target_os = "linux")]
mod launch;
mod output;
#[cfg(target_os = "linux")]
mod preemption;
mod profile;
#[cfg(target_os = "linux")]
mod program;
mod progress;
mod report;
mod reproduce;
mod saved;
mod slice_process;
mod system;
mod target;
#[cfg(target_os = "linux")]
mod top;
#[cfg(target_os = "linux")]
mod trial;
mod verbs;

fn main() -> std::process::ExitCode {
    let outcome = cli::parse(std::env::args_os()).and_then(verbs::run);
    exit::finish(outcome)
}
