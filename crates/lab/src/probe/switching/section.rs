//! The family as a whole.

use std::time::Duration;

use super::super::session::Session;
use super::super::{Group, Part, Prices};
use super::entry;

/// Measures everything that involves the kernel.
pub(in super::super) fn measure(session: &Session<'_>, prices: &mut Prices) {
    let probes = [
        entry::system_call(),
        entry::futex_wake(),
        entry::futex_wait(),
    ];
    let budget = session.budget(Duration::from_secs(6), Duration::from_millis(1500));
    let series = session.interleave(&probes, budget);
    let names = [
        ("syscall", "system call", "getppid(2), one thread"),
        (
            "futex-wake-none",
            "futex wake, nobody waits",
            "FUTEX_WAKE, one thread",
        ),
        (
            "futex-wait-again",
            "futex wait that returns at once",
            "FUTEX_WAIT on a changed word",
        ),
    ];
    for ((name, title, formula), one) in names.into_iter().zip(&series) {
        prices.parts.push(
            Part::new(name, title, Group::KernelEntry, formula)
                .value(one.ns())
                .counts(one),
        );
    }
}
