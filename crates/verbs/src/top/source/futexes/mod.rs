//! Futex calls, seen in the kernel by the programs of `locktoll attach`: with privileges, of programs in any language.
//!
//! - `all_processes`: of all processes at once, how much each waits. `one_process`: of one, its locks as `locktoll attach` shows them.
//! - `is_lock_wait`: the waits of the former that are for locks. `watched_processes`: chooses between the two ([`Futexes`]).

mod all_processes;
mod is_lock_wait;
mod one_process;
mod watched_processes;

pub use watched_processes::Futexes;
