//! The mutexes of oneTBB.

use std::ffi::c_void;

use super::super::visit::Visitor;
use super::cpp;
use super::ffi::{Functions, Object, functions};
use super::peer::{NoNode, Node, Peer};

functions!(
    TbbMutex,
    locktoll_tbb_mutex_init,
    locktoll_tbb_mutex_destroy,
    locktoll_tbb_mutex_lock,
    locktoll_tbb_mutex_unlock
);
functions!(
    TbbSpin,
    locktoll_tbb_spin_init,
    locktoll_tbb_spin_destroy,
    locktoll_tbb_spin_lock,
    locktoll_tbb_spin_unlock
);
functions!(
    queue TbbQueuing,
    locktoll_tbb_queuing_init,
    locktoll_tbb_queuing_destroy,
    locktoll_tbb_queuing_lock,
    locktoll_tbb_queuing_unlock
);

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Peer<TbbMutex, NoNode>>(cpp(
        "tbb-mutex",
        "tbb::mutex: spins, yields, then parks in a global table (through a direct call)",
    ));
    visitor.lock::<Peer<TbbSpin, NoNode>>(cpp(
        "tbb-spin",
        "tbb::spin_mutex: test-and-set with exponential pauses, then yields (through a direct call)",
    ));
    visitor.lock::<Peer<TbbQueuing, Node>>(
        cpp(
            "tbb-queuing",
            "tbb::queuing_mutex: MCS queue, pauses, then yields (through a direct call)",
        )
        .fifo(),
    );
}
