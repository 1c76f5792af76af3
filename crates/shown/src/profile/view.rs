//! The parts of a profile that a report shows.

/// Which table of a profile is shown, where a form has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// The locks, and the most useful figures next to them.
    #[default]
    Locks,
    /// The places that acquire each lock.
    Sites,
    /// Who waited for whom, for each lock.
    Blame,
    /// The stacks of calls that led to waits, for each lock.
    Stacks,
    /// The threads.
    Threads,
    /// Holders that lost their processor, for each lock.
    Preemption,
    /// Alerts that were raised while the program ran. Text has them.
    Alerts,
    /// The order of locks. Text has it.
    Order,
}

/// Whose places time spent waiting is shown under.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Side {
    /// The stack that waited: where the time was lost.
    Waiter,
    /// The place where the holder had acquired the lock: what to shorten.
    Holder,
}
