//! `pthread_cond_t` and `cnd_t`: the condition variable of `locktoll-locks` in the program's own object.
//!
//! All conditions within one process are replaced, whatever mutex is used with them and whatever lock is tried, with or
//! without `--only`. The mutex is released and acquired again by the functions of its exported names, whether it is one of
//! this library or of the C library. The C library's conditions would bypass those names, and so destroy a mutex of this
//! library.
//!
//! | file | contents |
//! |---|---|
//! | `object` | the layout of the 48 bytes |
//! | `wait` | a wait, from the release of the mutex to its acquisition |
//! | `signal` | signal and broadcast |
//! | `lifecycle` | init and destroy |
//! | `cancellation` | how pthread_cancel(3) reaches a waiting thread |
//! | `clean_up` | the C library's clean-up handlers |
//! | `trampoline` | the frames of assembly through which a cancelled thread is unwound |
//! | `hidden` | a condition between processes, with a mutex of one process |
//! | `mutex` | whether a mutex is also between processes |
//! | `replace` | the functions behind the exported names |

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
