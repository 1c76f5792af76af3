//! Objects of the Windows kernel, each with one call to wait for it and one to release it.

mod event;
mod mutex;
mod object;
mod semaphore;

#[cfg(test)]
mod crowd;

use super::super::visit::Visitor;

pub(in super::super) fn visit(visitor: &mut impl Visitor) {
    mutex::visit(visitor);
    semaphore::visit(visitor);
    event::visit(visitor);
}
