//! The file of this process: opened, extended, mapped, and divided into segments.
//!
//! Space is allocated to the file with fallocate(2) before it is mapped, because a write to a hole in a mapped file ends the
//! process with `SIGBUS` when the disk is full. No file descriptor is kept: programs close descriptors they do not know, rely
//! on their numbers, and pass them to their children. Each extension opens the file by its name again and checks that it is
//! the same file.
//!
//! # Invariants
//!
//! - **P1** All functions are called by the holder of the recorder's lock, except [`Part::drop_one`] and [`Part::stop`].
//! - **P2** `header` is null or points to the mapped first page of the part, for the life of the process.
//! - **P3** The bytes from `window` to `window_end` are mapped, zero, backed by blocks, and not in use; in the file they
//!   begin at `header.end`.

mod command;
mod file;
mod path;

pub use file::Part;
