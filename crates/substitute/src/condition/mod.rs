//! `pthread_cond_t` and `cnd_t`: the condition variable of `locktoll-locks` in the program's own object.
//!
//! Replaced are all conditions of one process, whatever mutex is used with them and whatever lock is tried, `--only` or not:
//! the mutex is released and acquired again by the functions that its own names lead to, be it one of ours or one of the C
//! library's. The C library's conditions would work on a mutex past those names, and so destroy one of ours.
//!
//! | file | what |
//! |---|---|
//! | `object` | what lies where in the 48 bytes |
//! | `wait` | a wait, from the release of the mutex to its acquisition |
//! | `signal` | signal and broadcast |
//! | `lifecycle` | init and destroy |
//! | `cancellation` | how pthread_cancel(3) reaches a thread that waits |
//! | `clean_up` | the C library's clean-up handlers |
//! | `trampoline` | the frames of assembly through which a cancelled thread is unwound |
//! | `hidden` | a condition between processes, with a mutex of one process |
//! | `mutex` | whether a mutex is between processes, too |
//! | `replace` | where the names go |

mod cancellation;
mod clean_up;
mod hidden;
mod lifecycle;
mod mutex;
mod object;
mod replace;
mod signal;
mod trampoline;
mod wait;

pub use replace::{replace, start};
