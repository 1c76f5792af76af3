//! The spin locks of Concurrency Kit.

use std::ffi::c_void;

use super::super::visit::Visitor;
use super::cpp;
use super::ffi::{Functions, Object, functions};
use super::peer::{NoNode, Node, Peer};

functions!(
    CkFas,
    locktoll_ck_fas_init,
    locktoll_ck_fas_destroy,
    locktoll_ck_fas_lock,
    locktoll_ck_fas_unlock
);
functions!(
    CkTicket,
    locktoll_ck_ticket_init,
    locktoll_ck_ticket_destroy,
    locktoll_ck_ticket_lock,
    locktoll_ck_ticket_unlock
);
functions!(
    queue CkMcs,
    locktoll_ck_mcs_init,
    locktoll_ck_mcs_destroy,
    locktoll_ck_mcs_lock,
    locktoll_ck_mcs_unlock
);
functions!(
    queue CkClh,
    locktoll_ck_clh_init,
    locktoll_ck_clh_destroy,
    locktoll_ck_clh_lock,
    locktoll_ck_clh_unlock
);

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Peer<CkFas, NoNode>>(cpp(
        "ck-fas",
        "Concurrency Kit fetch-and-store spin lock: test-and-test-and-set (through a direct call)",
    ));
    visitor.lock::<Peer<CkTicket, NoNode>>(
        cpp(
            "ck-ticket",
            "Concurrency Kit ticket lock (through a direct call)",
        )
        .fifo(),
    );
    visitor.lock::<Peer<CkMcs, Node>>(
        cpp(
            "ck-mcs",
            "Concurrency Kit MCS queue lock (through a direct call)",
        )
        .fifo(),
    );
    visitor.lock::<Peer<CkClh, Node>>(
        cpp(
            "ck-clh",
            "Concurrency Kit CLH queue lock (through a direct call)",
        )
        .fifo(),
    );
}
