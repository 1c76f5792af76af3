//! The locks under test, behind one trait.
//!
//! [`Contender`] is what the measured loop needs from a lock. Each family has a folder or a file;
//! [`registry`] lists them all, with the loop compiled for each, and [`find`] looks one up by the
//! name that `--lock` takes.
//!
//! ```
//! use locktoll_lab::contender::{Family, find};
//!
//! assert_eq!(find("pthread").unwrap().family, Family::Pthread);
//! let error = find("pthred").unwrap_err();
//! assert!(error.to_string().contains("`pthread`"));
//! ```

#[cfg(any(
    feature = "peer-absl",
    feature = "peer-tbb",
    feature = "peer-nsync",
    feature = "peer-ck"
))]
mod cpp;
mod kernel;
mod none;
mod ours;
mod pthread;
mod registry;
mod rust;
mod traits;
mod visit;

#[cfg(test)]
mod exclusion;

pub use kernel::remove_sysv_semaphores;
pub use registry::{CPP_PEERS, NONE, UnknownLock, find, none, registry};
pub use traits::{Contender, CreateError, Entry, Family, LockOptions, Pairs};
