//! Locks from C and C++ libraries (feature `cpp-peers`).
//!
//! Each goes through a shim in `cpp/`, because their fast paths are inline functions and templates
//! of their own languages. A C++ program inlines these; here each acquisition and each release is
//! one direct call on top, which `bench --list` says.

mod ffi;
mod peer;

use super::Family;
use super::visit::{Listing, Visitor};
use peer::{NoNode, Node, Peer};

pub(super) fn visit(visitor: &mut impl Visitor) {
    let cpp = |name, summary| Listing::new(name, Family::Cpp, summary);
    visitor.lock::<Peer<ffi::Absl, NoNode>>(cpp(
        "absl",
        "absl::Mutex, deadlock detector off: spins, then queues and parks (through a direct call)",
    ));
    visitor.lock::<Peer<ffi::TbbMutex, NoNode>>(cpp(
        "tbb-mutex",
        "tbb::mutex: spins, yields, then parks in a global table (through a direct call)",
    ));
    visitor.lock::<Peer<ffi::TbbSpin, NoNode>>(cpp(
        "tbb-spin",
        "tbb::spin_mutex: test-and-set with exponential pauses, then yields (through a direct call)",
    ));
    visitor.lock::<Peer<ffi::TbbQueuing, Node>>(
        cpp(
            "tbb-queuing",
            "tbb::queuing_mutex: MCS queue, pauses, then yields (through a direct call)",
        )
        .fifo(),
    );
    visitor.lock::<Peer<ffi::Nsync, NoNode>>(cpp(
        "nsync",
        "nsync_mu: spins briefly, then queues and parks; designated waker (through a direct call)",
    ));
    visitor.lock::<Peer<ffi::CkFas, NoNode>>(cpp(
        "ck-fas",
        "Concurrency Kit fetch-and-store spin lock: test-and-test-and-set (through a direct call)",
    ));
    visitor.lock::<Peer<ffi::CkTicket, NoNode>>(
        cpp(
            "ck-ticket",
            "Concurrency Kit ticket lock (through a direct call)",
        )
        .fifo(),
    );
    visitor.lock::<Peer<ffi::CkMcs, Node>>(
        cpp(
            "ck-mcs",
            "Concurrency Kit MCS queue lock (through a direct call)",
        )
        .fifo(),
    );
    visitor.lock::<Peer<ffi::CkClh, Node>>(
        cpp(
            "ck-clh",
            "Concurrency Kit CLH queue lock (through a direct call)",
        )
        .fifo(),
    );
}
