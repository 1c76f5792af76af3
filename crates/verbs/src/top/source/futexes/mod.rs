//! Futex calls, seen in the kernel by the programs of `locktoll attach`: needs privileges, works for programs in any language.
//!
//! - `all_processes`: how much each process waits, for all processes at once. `one_process`: the locks of one process, as
//!   `locktoll attach` shows them.
//! - `is_lock_wait`: which waits of all processes are for locks. `watched_processes`: chooses between the two ([`Futexes`]).

mod all_processes;
mod is_lock_wait;
mod one_process;
mod watched_processes;

pub use watched_processes::Futexes;
