//! The collected data about futex calls. Times are nanoseconds; addresses are those of the watched process; threads have the
//! numbers that the program itself sees (its own pid namespace), processes those of the initial pid namespace unless said
//! otherwise.

use std::collections::HashMap;

use locktoll_results::profile::OwnerField;

use super::call::Call;
use super::unwind::{Cut, Walks};

/// Waits for one word at one place, ended by wakes from one place. `woken`, `again`, `timed_out`, `interrupted` and `failed` add up to the
/// calls.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wait {
    /// The process.
    pub process: u32,
    /// The futex word's address; for futex_waitv(2), the word that the wait ended on, else the first of its list.
    pub word: u64,
    /// The word on which the wait ended, if a requeue had moved the thread there; else zero.
    pub ended_on: u64,
    /// The call.
    pub call: Call,
    /// The operation with its flags, as the program gave it (FUTEX_PRIVATE_FLAG, FUTEX_CLOCK_REALTIME); for the calls of futex2, their
    /// flags.
    pub op: u32,
    /// The waiter's stack, in [`Gathered::stacks`]; zero if it was not taken.
    pub stack: u32,
    /// The stack of the thread that woke it, in [`Gathered::stacks`]; zero if not known.
    pub waker_stack: u32,
    /// The process of the thread that woke it (another process may wake at a word in shared memory); zero if not known.
    pub waker_process: u32,
    /// Waits that ended with a wake-up, or with the acquisition of the lock.
    pub woken: u64,
    /// Those of `woken` whose thread never left its processor. The times do not include them.
    pub at_once: u64,
    /// Calls that found the word changed and did not wait (EAGAIN). The times do not include them.
    pub again: u64,
    /// Waits that ended at their deadline.
    pub timed_out: u64,
    /// Waits that a signal ended.
    pub interrupted: u64,
    /// Calls that ended with any other error.
    pub failed: u64,
    /// How often a wait was interrupted and restarted by the kernel. The restarts of a wait do not count as further waits.
    pub restarted: u64,
    /// The total time of all waits, each from the moment when its thread left the processor until its call returned.
    pub total_ns: u64,
    /// The longest wait.
    pub max_ns: u64,
    /// The total time of all waits from the wake-up until the call returned.
    pub runnable_ns: u64,
    /// Waits that began while the lock's owner was known.
    pub owner_known: u64,
    /// Waits by powers of two of their length.
    pub log2: Vec<u64>,
}

impl Wait {
    /// Returns the number of waits that ended, however they did.
    pub fn waits(&self) -> u64 {
        [self.woken, self.timed_out, self.interrupted, self.failed]
            .into_iter()
            .fold(0, u64::saturating_add)
    }
}

/// Wakes of one word from one place.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Wake {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The second word (where waiters are moved to, or the second that FUTEX_WAKE_OP wakes); else zero.
    pub second: u64,
    /// The call.
    pub call: Call,
    /// The operation with its flags, as for a wait.
    pub op: u32,
    /// The stack, taken only if somebody was woken; else zero.
    pub stack: u32,
    /// Calls.
    pub calls: u64,
    /// Calls that found nobody waiting.
    pub empty: u64,
    /// Calls that ended with an error.
    pub failed: u64,
    /// Threads woken.
    pub woken: u64,
    /// Threads moved to the second word.
    pub moved: u64,
}

/// Waiting while one thread owned the lock. Over all owners of a word, it adds up to the waiting there since an owner was first
/// known, including waits that have not ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Owner {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The thread. Zero for the time from a release until the thread that it woke returned, when no owner is known.
    pub thread: u32,
    /// Waits that began while it owned the lock.
    pub count: u64,
    /// The time that all waiters together waited while it owned the lock.
    pub wait_ns: u64,
}

/// Preemptions of the owner of one lock while others waited for it. Each counts once, however many threads waited.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Preemption {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The number of preemptions.
    pub count: u64,
    /// Their total time.
    pub total_ns: u64,
    /// The time that all waiters together waited meanwhile.
    pub waited_ns: u64,
    /// The longest preemption.
    pub max_ns: u64,
    /// Preemptions by powers of two of their length.
    pub log2: Vec<u64>,
}

/// The memory around a word at the end of one of its first waits. The kind of the object there is determined elsewhere.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Word {
    /// The process.
    pub process: u32,
    /// The futex word's address.
    pub word: u64,
    /// The value that the waiter had expected there.
    pub value: u32,
    /// The 48 bytes before the word; none if they could not be read.
    pub before: Option<[u8; 48]>,
    /// The 48 bytes from the word on; none if they could not be read.
    pub from: Option<[u8; 48]>,
    /// Waits that ended because a thread ended whose clear_child_tid is this word (pthread_join). The word is then not a lock.
    pub joined: u64,
}

/// Waits that began on one word and ended on another (FUTEX_REQUEUE and similar operations, futex_requeue(2)).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moved {
    /// The process.
    pub process: u32,
    /// The word on which they began.
    pub from: u64,
    /// The word on which they ended.
    pub to: u64,
    /// Waits.
    pub count: u64,
    /// Their time until they were moved.
    pub before_ns: u64,
    /// Their time after they had been moved.
    pub after_ns: u64,
}

/// One thread that waited or was preempted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thread {
    /// The process.
    pub process: u32,
    /// The thread.
    pub thread: u32,
    /// Its name when it was last seen.
    pub name: String,
    /// What it had used from its beginning to its end; `None` if it goes on.
    pub ended: Option<Ended>,
    /// Waits that ended.
    pub waits: u64,
    /// Their total time.
    pub wait_ns: u64,
    /// The longest wait.
    pub max_ns: u64,
    /// How often it was taken off the processor although it could have gone on (not by sched_yield).
    pub preempted: u64,
    /// How long that lasted.
    pub preempted_ns: u64,
    /// How often sched_yield took it off the processor.
    pub yielded: u64,
}

/// What a thread had used from its beginning to its end, including the time before we came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ended {
    /// Its number in the initial pid namespace.
    pub global: u32,
    /// When it began, by the kernel's monotonic clock.
    pub began_ns: u64,
    /// When it ended, by the same clock.
    pub ended_ns: u64,
    /// User time, in steps of a clock tick on most kernels.
    pub user_ns: u64,
    /// Kernel time, as `user_ns`.
    pub system_ns: u64,
    /// On a processor.
    pub cpu_ns: u64,
    /// Runnable, waiting for a processor.
    pub cpu_wait_ns: u64,
    /// Voluntary context switches.
    pub voluntary: u64,
    /// Involuntary context switches.
    pub involuntary: u64,
}

/// A thread that waits now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waiting {
    /// The process.
    pub process: u32,
    /// The thread.
    pub thread: u32,
    /// The futex word's address; for futex_waitv(2), the first of its list.
    pub word: u64,
    /// The call.
    pub call: Call,
    /// The operation with its flags, as for a wait.
    pub op: u32,
    /// The value that it expects there.
    pub value: u32,
    /// The owner, if the lock names one; else zero.
    pub owner: u32,
    /// The owner in the mutex's owner field, if it is not another thread of the process.
    pub owner_field: Option<OwnerField>,
    /// How long it has waited. For a wait that began before we did, the time since we began, if the kernel lets us see that; else
    /// none.
    pub wait_ns: Option<u64>,
    /// When `wait_ns` began, by the kernel's monotonic clock; zero if it is not known.
    pub since_ns: u64,
    /// The stack, in [`Gathered::stacks`]; zero if it was not taken.
    pub stack: u32,
}

/// A wait that goes on, as the kernel's programs know it at this moment: what alerts need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitNow {
    /// The process.
    pub process: u32,
    /// The thread.
    pub thread: u32,
    /// The futex word's address.
    pub word: u64,
    /// The owner when the wait began, if the lock names one.
    pub owner: Option<u32>,
    /// The address at which the lock names its owner.
    pub owner_at: Option<u64>,
    /// When it began or, if that was before we did, when we came; by the kernel's monotonic clock.
    pub since_ns: u64,
    /// Whether it has been woken, and is on its way.
    pub is_woken: bool,
}

/// Data for which there was no room, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// How often there was no room for a thread. Its wait counts as one that ended at once, and its time is missing.
    pub threads: u64,
    /// Waits.
    pub waits: u64,
    /// Wakes.
    pub wakes: u64,
    /// Owners.
    pub owners: u64,
    /// Preemptions of owners.
    pub preemptions: u64,
    /// Words whose surrounding memory is not known.
    pub words: u64,
    /// Waits that were moved.
    pub moved: u64,
    /// Threads that had ended.
    pub ended: u64,
    /// Stacks that could not be taken. Their waits and wakes have none.
    pub stacks: u64,
    /// Processes that were started and are not watched.
    pub images: u64,
}

/// What happened to the watched processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lives {
    /// Threads that were started.
    pub threads_started: u64,
    /// Threads that ended.
    pub threads_ended: u64,
    /// Processes that they started. These are not watched, unless all processes are.
    pub processes_started: u64,
    /// Processes that ended.
    pub processes_ended: u64,
    /// How often a process became another program (execve). Earlier addresses and stacks belong to the earlier program.
    pub programs_replaced: u64,
}

/// A process image: a process until execve(2) makes another program of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The number by which everything else here refers to the process.
    pub number: u32,
    /// The process's own number, in the initial pid namespace.
    pub process: u32,
    /// The image that it came from; zero if it was there before.
    pub parent: u32,
    /// Whether it replaced its parent image (execve); otherwise it was forked.
    pub is_by_exec: bool,
    /// When it began, by the kernel's monotonic clock.
    pub began_ns: u64,
    /// When it ended, by the same clock; zero as long as it runs.
    pub ended_ns: u64,
}

/// Everything that was gathered.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// Waits that ended.
    pub waits: Vec<Wait>,
    /// Wakes.
    pub wakes: Vec<Wake>,
    /// Owners of those locks that name their owner.
    pub owners: Vec<Owner>,
    /// Preemptions of owners.
    pub preemptions: Vec<Preemption>,
    /// The memory at the words.
    pub words: Vec<Word>,
    /// Waits that were moved.
    pub moved: Vec<Moved>,
    /// Threads.
    pub threads: Vec<Thread>,
    /// Threads that wait now.
    pub waiting: Vec<Waiting>,
    /// Waits that had begun before we did, and have ended. No other figure includes them.
    pub begun_before: u64,
    /// Waits that had begun before we did, and count from our beginning.
    pub since_we_came: u64,
    /// What happened to the processes.
    pub lives: Lives,
    /// Whether processes that the watched ones start are also watched.
    pub follows_children: bool,
    /// The images of the watched processes, if some processes are watched. If one process is watched, or all are, they have their
    /// own numbers.
    pub images: Vec<Image>,
    /// Stacks by their number: addresses, innermost first.
    pub stacks: HashMap<u32, Vec<u64>>,
    /// The process to which each stack belongs, by the stack's number.
    pub stack_process: HashMap<u32, u32>,
    /// Stacks whose outermost functions are missing, by their number, and why.
    pub cut_stacks: HashMap<u32, Cut>,
    /// How stacks were taken.
    pub walks: Walks,
    /// Data for which there was no room.
    pub dropped: Dropped,
}
