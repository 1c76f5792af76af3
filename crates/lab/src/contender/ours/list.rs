//! Our locks by name.

use locktoll_locks::{
    Adaptive, Cas, Clh, DesignatedWaker, Futex2, Futex3, Mcs, McsPark, OneSpinner, RwFair,
    RwReader, Tas, Ticket, TicketBackoff, TicketYield, Ttas, TtasBackoff, TtasBackoffYield,
    TtasCapped, Twa,
};

use super::super::Family;
use super::super::system;
use super::super::visit::{Listing, Visitor};
use super::Raw;
use super::recipe::{FixedSpin, Gated, Plain, Prepared, Spinning};
use super::rw::Rw;
use super::sequence::Sequence;

pub(in super::super) fn visit(visitor: &mut impl Visitor) {
    spinning(visitor);
    ordered(visitor);
    parking(visitor);
    composed(visitor);
}

const fn ours(name: &'static str, summary: &'static str) -> Listing {
    Listing::new(name, Family::Ours, summary)
}

/// Spin locks that anyone may win.
fn spinning(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<Plain<Tas>>>(ours("tas", "test-and-set by exchange (xchg)"));
    visitor.lock::<Raw<Plain<Cas>>>(ours(
        "cas",
        "test-and-set by compare-and-exchange (cmpxchg)",
    ));
    visitor.lock::<Raw<Plain<Ttas>>>(ours(
        "ttas",
        "test-and-test-and-set: spins on a plain read (Rudolph and Segall 1984)",
    ));
    visitor.lock::<Raw<Spinning<TtasCapped>>>(
        ours(
            "ttas-capped",
            "ttas that yields the CPU after so many units of spinning",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<TtasBackoff>>>(
        ours(
            "ttas-backoff",
            "ttas with exponential back-off (Anderson 1990); --spin is the cap",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<TtasBackoffYield>>>(
        ours(
            "ttas-backoff-yield",
            "ttas that pauses once, then yields the CPU more and more often; --spin is the pause",
        )
        .knobs(&["spin"]),
    );
}

/// Spin locks in order of arrival.
fn ordered(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<Plain<Ticket>>>(
        ours(
            "ticket",
            "ticket lock (Reed and Kanodia 1979; Mellor-Crummey and Scott 1991)",
        )
        .fifo(),
    );
    visitor.lock::<Raw<Spinning<TicketBackoff>>>(
        ours(
            "ticket-backoff",
            "ticket lock with a pause in proportion to the distance; --spin is the pause a place",
        )
        .fifo()
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<TicketYield>>>(
        ours(
            "ticket-yield",
            "ticket lock that yields the CPU after so many units of spinning",
        )
        .fifo()
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Plain<Twa>>>(
        ours(
            "twa",
            "ticket lock with a waiting array (Dice and Kogan 2019)",
        )
        .fifo(),
    );
    visitor.lock::<Raw<Plain<Clh>>>(
        ours(
            "clh",
            "queue lock, each spins on its predecessor (Craig 1993; Landin and Hagersten 1994)",
        )
        .fifo(),
    );
    visitor.lock::<Raw<Plain<Mcs>>>(
        ours(
            "mcs",
            "queue lock, each spins on its own node (Mellor-Crummey and Scott 1991)",
        )
        .fifo(),
    );
}

/// Locks whose waiters end up asleep.
fn parking(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<Prepared>>(ours(
        "tollgate",
        "one waiter spins, the others sleep in order of arrival; the first of them is handed the lock after 400 us",
    ));
    visitor.lock::<Raw<Spinning<McsPark>>>(
        ours("mcs-park", "mcs that spins, then parks; hands off in order").knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<Futex2>>>(
        ours(
            "futex2",
            "two-state futex lock: every release is a system call (Franke et al. 2002)",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<FixedSpin<Futex2, 0>>>(ours("futex2-spin0", "futex2 that parks at once"));
    visitor.lock::<Raw<FixedSpin<Futex2, 100>>>(ours(
        "futex2-spin100",
        "futex2 that spins 100 units first",
    ));
    visitor.lock::<Raw<Spinning<Futex3>>>(
        ours(
            "futex3",
            "three-state futex lock: a release calls only if somebody sleeps (Drepper 2004)",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<FixedSpin<Futex3, 0>>>(ours("futex3-spin0", "futex3 that parks at once"));
    visitor.lock::<Raw<FixedSpin<Futex3, 100>>>(ours(
        "futex3-spin100",
        "futex3 that spins 100 units first",
    ));
    visitor.lock::<Raw<Spinning<Adaptive>>>(
        ours(
            "adaptive",
            "futex3 that learns how long to spin, as glibc's adaptive mutex",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<DesignatedWaker>>>(
        ours(
            "designated-waker",
            "futex lock that wakes nobody while a woken thread has not run yet",
        )
        .knobs(&["spin"]),
    );
    visitor.lock::<Raw<Spinning<OneSpinner>>>(
        ours(
            "one-spinner",
            "futex lock in which one waiter spins and the others sleep",
        )
        .knobs(&["spin"]),
    );
}

/// Locks around other locks, and locks with readers.
fn composed(visitor: &mut impl Visitor) {
    system::visit_gated(visitor);
    visitor.lock::<Raw<Gated<Mcs>>>(
        ours("gate-mcs", "mcs behind a semaphore that lets K threads contend: K at most the CPUs, and it never stalls")
            .knobs(&["gate"]),
    );
    visitor.lock::<Rw<RwFair>>(
        ours(
            "rw-fair",
            "reader-writer lock in which readers and writers take turns",
        )
        .knobs(&["shared"]),
    );
    visitor.lock::<Rw<RwReader>>(
        ours(
            "rw-reader",
            "reader-writer lock in which readers overtake writers",
        )
        .knobs(&["spin", "shared"]),
    );
    visitor.lock::<Sequence>(
        ours(
            "seqlock",
            "sequence lock over futex3: readers take nothing and read again if a writer came in between",
        )
        .knobs(&["spin", "shared"]),
    );
}
