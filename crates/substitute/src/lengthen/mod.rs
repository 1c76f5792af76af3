//! Lengthens the holds of chosen locks, for `locktoll whatif`.
//!
//! `LOCKTOLL_LOCK=lengthen:P` leaves every lock to the C library, and makes each hold of a lock that `LOCKTOLL_ONLY` names (of
//! every lock, without it) P per cent longer: before the release, this library works for that share of the hold as it was
//! measured. `lengthen:0` measures each hold in the same way and adds nothing, so runs with both differ in the added time alone.
//!
//! | file | contents |
//! |---|---|
//! | `request` | the language of `lengthen:P` |
//! | `chosen` | which objects are lengthened, noted in a word of the object that the C library does not use |
//! | `holds` | the holds of the calling thread, and what it has added to them |
//! | `work` | the clocks, and the time that is added |
//! | `mutex`, `rwlock`, `condition` | the functions behind the exported names |
//!
//! A wait for a condition ends the hold of its mutex, and a new one begins when the wait returns. A hold that
//! ends in another thread than it began in is not lengthened: only the acquiring thread knows when the hold began.

#[cfg(any(test, feature = "interpose"))]
mod chosen;
#[cfg(any(test, feature = "interpose"))]
mod condition;
#[cfg(any(test, feature = "interpose"))]
mod holds;
#[cfg(any(test, feature = "interpose"))]
mod mutex;
#[cfg(any(test, feature = "interpose"))]
mod replace;
pub mod request;
#[cfg(any(test, feature = "interpose"))]
pub mod rwlock;
#[cfg(any(test, feature = "interpose"))]
mod work;

#[cfg(any(test, feature = "interpose"))]
pub use {chosen::Noted, replace::replace};
