//! locktoll: how much locks and context switches cost on this machine and in your program, why,
//! and what would make them cheaper.

mod attach;
mod cli;
mod compare;
mod demo;
mod doctor;
mod ebpf;
mod embedded;
mod exit;
mod interrupt;
mod kernel;
mod launch;
mod output;
mod preemption;
mod profile;
mod program;
mod progress;
mod report;
mod reproduce;
mod saved;
mod slice_process;
mod target;
mod top;
mod trial;
mod verbs;

fn main() -> std::process::ExitCode {
    let outcome = cli::parse(std::env::args_os()).and_then(verbs::run);
    exit::finish(outcome)
}
