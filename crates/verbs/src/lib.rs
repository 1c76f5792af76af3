//! The verbs of locktoll, one module each, from its flags to its output.
//!
//! [`command_line`] parses the command line and runs the verb. Below the verbs are modules that several of them use: `arguments`
//! (the languages of flags), `alarm` (locks held or waited for too long), `groups` (control groups and containers), `present` (where results go), `slices` (processes that
//! measure), `run_program` (a program, checked and started with a library in front of it), `diagnosis` (what works here), `demo`.
//! [`command_line`] runs `first_run` if there are no arguments.

pub mod command_line;
#[cfg(target_os = "linux")]
pub mod run_program;

// The verbs, in the order a newcomer meets them. `build.rs` generates the table of the command line from these lines: the verb
// `x` has `XArgs` in `flags.rs`, whose doc is its line in the help, and `run`. Blank lines keep rustfmt from reordering them.

#[cfg(target_os = "linux")]
mod tour; // locktoll tour

mod machine; // locktoll machine

mod bench; // locktoll bench

mod reproduce; // locktoll reproduce

#[cfg(target_os = "linux")]
mod record; // locktoll record

#[cfg(target_os = "linux")]
mod snapshot; // locktoll snapshot

mod report; // locktoll report

#[cfg(target_os = "linux")]
mod trial; // locktoll try

#[cfg(target_os = "linux")]
mod whatif; // locktoll whatif

#[cfg(target_os = "linux")]
mod advise; // locktoll advise

#[cfg(target_os = "linux")]
mod attach; // locktoll attach

#[cfg(target_os = "linux")]
mod hang; // locktoll hang

#[cfg(target_os = "linux")]
mod top; // locktoll top

#[cfg(target_os = "linux")]
mod agent; // locktoll agent

#[cfg(target_os = "linux")]
mod kernel; // locktoll kernel

mod compare; // locktoll compare

mod doctor; // locktoll doctor

// Modules that several verbs use.

#[cfg(target_os = "linux")]
mod alarm;
mod arguments;
#[cfg(target_os = "linux")]
mod demo;
mod diagnosis;
#[cfg(all(test, target_os = "linux"))]
mod documents;
mod first_run;
#[cfg(target_os = "linux")]
mod groups;
mod inner;
mod present;
mod progress_bar;
#[cfg(target_os = "linux")]
mod running;
mod saved;
mod serve;
mod slices;
