//! `absl::Mutex`.

use super::super::visit::Visitor;
use super::cpp;
use super::ffi::{Functions, Object, functions};
use super::peer::{NoNode, Peer};

functions!(
    Absl,
    locktoll_absl_init,
    locktoll_absl_destroy,
    locktoll_absl_lock,
    locktoll_absl_unlock
);

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Peer<Absl, NoNode>>(cpp(
        "absl",
        "absl::Mutex, deadlock detector off: spins, then queues and parks (through a direct call)",
    ));
}
