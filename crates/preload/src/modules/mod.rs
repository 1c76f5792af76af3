//! Finds the file that contains the code at an address.
//!
//! The mappings of the process are read at the start, and again whenever a call comes from code in no known file, for example
//! after dlopen(3). They are not read from the dynamic linker, whose list is behind a lock (dl_iterate_phdr(3)).
//!
//! # Invariants
//!
//! - **M1** All of it is touched only by the holder of the recorder's lock.

mod group;
mod list;
mod records;

pub use list::Modules;
