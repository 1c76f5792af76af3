//! Processes and threads, and where their time went.

use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// One process: from exec or fork to its end or its next exec. Or the sum of the processes of one program that have ended
/// (`record --live`).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Process {
    /// Process id; 0 for a sum.
    pub pid: u32,
    /// The process that started it.
    pub parent_pid: u32,
    /// Its command line.
    pub command: Vec<String>,
    /// The number of processes whose figures are added up here; left out for one process. A process that became another program is counted
    /// in the sum of each of its programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub added_up: Option<u64>,
    /// Threads that took a lock in it and are listed; of a sum, none is.
    pub threads: u64,
    /// Threads that are not listed: all of a sum and, with `record --live`, most of those of a process that have ended. Left out if there
    /// are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted_threads: u64,
    /// The lifetimes of those threads, added up, nanoseconds; left out if they are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlisted_ns: Option<u64>,
    /// When it began, nanoseconds after the first process.
    pub start_ns: u64,
    /// How long it ran, nanoseconds; `null` if its end was not seen (killed, `_exit`, exec).
    pub duration_ns: Option<u64>,
    /// User time, nanoseconds; `null` if the process did not report it before it ended.
    pub user_ns: Option<u64>,
    /// Kernel time, as `user_ns`.
    pub system_ns: Option<u64>,
    /// Voluntary context switches, as `user_ns`.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches, as `user_ns`.
    pub involuntary_switches: Option<u64>,
}

/// One thread.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Thread {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Its name, the last one seen.
    pub name: String,
    /// The function it was started with; `null` for a process's first thread or if not known.
    pub started_with: Option<Frame>,
    /// When it was first seen, nanoseconds after the first process began.
    pub start_ns: u64,
    /// How long it lived, nanoseconds.
    pub duration_ns: u64,
    /// On a CPU, nanoseconds; `null` if not known.
    pub cpu_ns: Option<u64>,
    /// Of `cpu_ns`, the time in busy waiting that is charged to no lock, nanoseconds: an estimate from samples. `null` if not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_ns: Option<u64>,
    /// Runnable, waiting for a CPU, nanoseconds; `null` if not known.
    pub cpu_wait_ns: Option<u64>,
    /// Waiting for locks, nanoseconds; includes a wait that had not ended, up to the end of recording. `null` if the purpose of
    /// this thread's waits is not known.
    pub lock_wait_ns: Option<u64>,
    /// Of that, the wait that had not ended, nanoseconds.
    pub lock_still_waiting_ns: u64,
    /// Waiting for events, nanoseconds, as `lock_wait_ns`.
    pub signal_wait_ns: Option<u64>,
    /// Of that, the wait that had not ended, nanoseconds.
    pub signal_still_waiting_ns: u64,
    /// Waiting in system calls for locks and events together, in waits that ended, nanoseconds; left out if each is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub futex_wait_ns: Option<u64>,
    /// Voluntary context switches; `null` if not known.
    pub voluntary_switches: Option<u64>,
    /// Involuntary context switches; `null` if not known. The kernel includes those by sched_yield(2).
    pub involuntary_switches: Option<u64>,
    /// Those of the involuntary switches that came from sched_yield(2): under `attach` and `top`, switches; in a recording,
    /// calls, each of which may or may not have switched, limited to the number of switches. `null` if not known.
    #[serde(default)]
    pub yields: Option<u64>,
}

/// Where the time of threads went, nanoseconds, added up over threads.
///
/// `null` if the kernel was not asked in time, as for threads that were killed with their process. The shares then refer to the
/// known threads, whose number is `threads`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ThreadTime {
    /// Threads whose whole time is known.
    pub threads: u64,
    /// Their lives, added up.
    pub total_ns: u64,
    /// On a processor.
    pub running_ns: u64,
    /// Waiting for locks, minus the part that was spent on a CPU or waiting for one, as far as it was examined.
    pub lock_ns: u64,
    /// Waiting for events: condition variables, barriers, semaphores that no thread held, futex words that are not locks.
    pub signal_ns: u64,
    /// Runnable, waiting for a processor.
    pub cpu_wait_ns: u64,
    /// The rest: input and output, sleep, and everything else that blocks.
    pub other_ns: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
