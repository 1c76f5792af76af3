//! Locks that enter the kernel on every operation and are no part of `locktoll-locks`.

mod flock;
mod thread_slot;

use super::visit::Visitor;

pub(super) fn visit(visitor: &mut impl Visitor) {
    flock::visit(visitor);
}
