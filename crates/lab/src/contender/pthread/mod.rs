//! The C library's locks, called directly, with the objects inline in the contender.
//!
//! In POSIX, a synchronisation object has a fixed address from its initialisation on. The harness, however, places locks within a
//! cache line by moving them. Both glibc and musl allow that for an object that has never been used: their `init` functions and
//! static initialisers write no address into it, so the bytes may be copied before the first lock. If a kind of object contained
//! its own address, the tests, which lock after moving, would fail.

mod mutex;
mod raw;
mod rwlock;
mod semaphore;
mod spin;

use mutex::{Mutex, Normal};
pub(super) use raw::visit_gated;

use super::visit::Visitor;

pub(super) fn visit(visitor: &mut impl Visitor) {
    mutex::visit(visitor);
    rwlock::visit(visitor);
    spin::visit(visitor);
    semaphore::visit(visitor);
}

/// Typing errors in the names of this system's locks.
#[cfg(test)]
pub(super) const SLIPS: [(&str, &str); 2] = [
    ("pthred", "pthread"),
    ("pthread-adaptve", "pthread-adaptive"),
];

/// Beginnings of names, one of them in capitals.
#[cfg(test)]
pub(super) const BEGINNINGS: [(&str, &str); 3] = [
    ("PTHREAD", "pthread"),
    ("pthread_a", "pthread-adaptive"),
    ("event", "eventfd"),
];

/// Turns the return code of a pthread function into a creation error.
fn check(what: &'static str, code: libc::c_int) -> Result<(), super::CreateError> {
    match code {
        0 => Ok(()),
        code => Err(super::CreateError {
            what,
            source: std::io::Error::from_raw_os_error(code),
        }),
    }
}
