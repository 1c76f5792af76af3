//! Sources of profiles, and the one joiner that makes `locktoll.profile/1` of their facts; and `locktoll.kernel/1`.
//!
//! - [`joiner`]: from the facts of any source to a profile.
//! - [`recording`]: the facts of a recording, by lock and call site.
//! - [`futexes`]: the futex calls of a running program, seen from the kernel (`attach`, `top`).
//! - [`kernel_locks`]: waits for the kernel's own locks (`kernel`).
//! - [`flight_recorder`]: the events around long waits, copied while a program is recorded (`record --timeline-when`).
//! - [`preemption`]: preempted holders (`record --preemption`).
//! - [`stuck`]: the threads of a process that makes no progress, and who waits for whom (`hang`).
//! - [`switches`]: context switches by process and cause (`top`, `reproduce`).
//! - [`spinning`]: busy waiting, from samples of running code (`record`, `attach`, `top`); [`perf`]: the kernel's events behind
//!   it; [`spun`]: its results, as recordings keep them.
//! - [`findings`]: convoys, bursts and more in a timeline, in sentences.
//! - `bounded`: reads files of code up to a limit; `elf`: their names and addresses.
//! - [`mapped`]: the mappings of processes, and the files behind them.
//! - [`clock`]: the clock of recordings and of the kernel's programs.
//! - [`ebpf`]: loads the programs of the last four sources and attaches them to the kernel.

#[cfg(target_os = "linux")]
pub mod alerts;
mod bounded;
#[cfg(target_os = "linux")]
pub mod clock;
#[cfg(target_os = "linux")]
pub mod ebpf;
mod elf;
pub mod findings;
#[cfg(target_os = "linux")]
pub mod flight_recorder;
#[cfg(target_os = "linux")]
pub mod futexes;
pub mod joiner;
#[cfg(target_os = "linux")]
pub mod kernel_locks;
#[cfg(target_os = "linux")]
pub mod mapped;
#[cfg(target_os = "linux")]
pub mod perf;
#[cfg(target_os = "linux")]
pub mod preemption;
pub mod recording;
#[cfg(target_os = "linux")]
pub mod spinning;
pub mod spun;
#[cfg(target_os = "linux")]
pub mod stuck;
#[cfg(target_os = "linux")]
pub mod switches;
