//! The order of locks: which locks a thread held when it acquired another.
//!
//! Each thread keeps one record of each *context*: a call that acquires a lock, the lock, and the locks held by then. `chains`
//! finds the record of a context that came by recently; this room makes it. Whether two contexts contradict each other is decided
//! from the recording.
//!
//! A thread keeps the first contexts by the locks themselves. Once it has many, further ones are *pooled*: they name the places
//! where the locks come from, and how their addresses compare. So memory is bounded, whatever the program does; contexts that
//! find no room are counted.
//!
//! The locks are held while a context is seen for the first time: its stack is walked, and its record is made.

mod context;
mod note;
mod unusual;

pub use note::{keep_stack, note_acquisition, note_wait};
pub use unusual::{note_condition_wait, note_fork, note_thread_end};
