//! The interfaces for C and C++ programs. The features choose which of them are exported.
//!
//! | feature | header | contents |
//! |---|---|---|
//! | `c-library` | `include/locktoll.h`, `include/locktoll.hpp` | [`Tollgate`](crate::Tollgate) and [`Condition`](crate::Condition), to use in programs |
//! | `c-api` | `include/locktoll_locks.h` | all locks, by name, for comparisons |

#[cfg(feature = "c-api")]
mod by_name;
#[cfg(target_has_atomic = "64")]
mod condition;
#[cfg(target_has_atomic = "64")]
mod moment;
#[cfg(target_has_atomic = "64")]
mod mutex;
mod stop;

#[cfg(feature = "c-api")]
pub use by_name::*;
#[cfg(target_has_atomic = "64")]
pub use condition::*;
#[cfg(target_has_atomic = "64")]
pub use mutex::*;
