//! `nsync_mu`.

use super::super::visit::Visitor;
use super::cpp;
use super::ffi::{Functions, Object, functions};
use super::peer::{NoNode, Peer};

functions!(
    Nsync,
    locktoll_nsync_init,
    locktoll_nsync_destroy,
    locktoll_nsync_lock,
    locktoll_nsync_unlock
);

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Peer<Nsync, NoNode>>(cpp(
        "nsync",
        "nsync_mu: spins briefly, then queues and parks; designated waker (through a direct call)",
    ));
}
