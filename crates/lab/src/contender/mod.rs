//! The locks under test, behind one trait.
//!
//! [`Contender`] is the interface of a lock that the measured loop needs. Each family has a folder
//! or a file; [`registry`] lists them all, with the loop compiled for each, and [`find`] looks one
//! up by the name that `--lock` takes.
//!
//! ```
//! use locktoll_lab::contender::{Family, find};
//!
//! assert_eq!(find("parking_lot").unwrap().family, Family::Rust);
//! let error = find("parking-lot").unwrap_err();
//! assert!(error.to_string().contains("`parking_lot`"));
//! ```

#[cfg(any(
    feature = "peer-absl",
    feature = "peer-tbb",
    feature = "peer-nsync",
    feature = "peer-ck"
))]
mod cpp;
mod elsewhere;
#[cfg(target_os = "linux")]
mod kernel;
mod none;
mod ours;
#[cfg(target_os = "linux")]
mod pthread;
mod registry;
mod rust;
mod traits;
mod visit;
#[cfg(windows)]
mod windows;

#[cfg(test)]
mod exclusion;

// The system's own locks; on Linux `kernel` holds those that enter the kernel every time.
#[cfg(target_os = "linux")]
use pthread as system;
#[cfg(windows)]
use windows::{self as system, kernel};

pub use crate::harness::{Contender, CreateError, LockOptions};
pub use crate::lock_names::{saved_name, spelled_today};
pub use elsewhere::Elsewhere;
#[cfg(target_os = "linux")]
pub use kernel::remove_sysv_semaphores;
pub use locktoll_locks::catalogue::{Parameter, Waits};
pub use registry::{CPP_PEERS, NONE, Named, UnknownLock, find, named, none, registry};
pub use traits::{Entry, Family, Pairs};
