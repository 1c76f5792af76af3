//! What threads do in an experiment, whatever the lock.

/// One experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setting {
    /// The lab's name of what happens inside.
    pub workload: &'static str,
    /// Competing threads.
    pub threads: u32,
    /// Work between two operations, in nanoseconds.
    pub think_ns: u64,
    /// Work while holding, in nanoseconds.
    pub hold_ns: u64,
    /// Busy threads beside.
    pub hogs: u32,
    /// Acquisitions are timed, rather than operations counted.
    pub waiting: bool,
}

/// Nothing turned: threads that compete for the lock without a pause.
pub const AT_REST: Setting = Setting {
    workload: "list",
    threads: 1,
    think_ns: 0,
    hold_ns: 0,
    hogs: 0,
    waiting: false,
};
