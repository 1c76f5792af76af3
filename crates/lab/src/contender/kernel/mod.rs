//! Locks that enter the kernel on every operation.

mod descriptors;
mod flock;
mod sysv;
mod sysv_registry;
mod thread_slot;

pub use sysv_registry::remove_all as remove_sysv_semaphores;

use super::CreateError;
use super::visit::Visitor;

pub(super) fn visit(visitor: &mut impl Visitor) {
    sysv::visit(visitor);
    descriptors::visit(visitor);
    flock::visit(visitor);
}

/// Converts a refusal by the kernel, as `locktoll-locks` reports it.
fn refused(what: &'static str) -> impl FnOnce(locktoll_locks::Refused) -> CreateError {
    move |refused| CreateError {
        what,
        source: std::io::Error::from_raw_os_error(refused.raw_os_error()),
    }
}
