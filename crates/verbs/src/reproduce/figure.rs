//! The figure of a cell, of the system or of the price list that is compared.

use locktoll_lab::cell::Part;
use serde::Deserialize;

/// The figure that is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Wall time per operation. If everything compared has one thread, the empty loop is subtracted, as in `bench`.
    #[default]
    NsPerOp,
    /// Operations per second.
    OpsPerSecond,
    /// User CPU time per operation.
    UserNsPerOp,
    /// Kernel CPU time per operation.
    SystemNsPerOp,
    /// CPU time per operation, user and kernel.
    CpuNsPerOp,
    /// Ratio of kernel time to all CPU time, 0 to 1.
    SystemShare,
    /// Ratio of CPU time to wall time: the number of CPUs kept busy.
    CpusBusy,
    /// Ratio of CPU time to the time of all usable CPUs, 0 to 1.
    CpuLoad,
    /// Times per operation that a thread went to sleep (voluntary context switches).
    VoluntarySwitchesPerOp,
    /// Times per operation that a thread was preempted (involuntary context switches).
    InvoluntarySwitchesPerOp,
    /// Voluntary and involuntary context switches per operation.
    SwitchesPerOp,
    /// Median time of an acquisition.
    AcquireP50,
    /// 99th percentile of the time of an acquisition.
    AcquireP99,
    /// 99.9th percentile of the time of an acquisition.
    AcquireP999,
    /// Longest acquisition of a round.
    AcquireMax,
    /// Jain's index of fairness.
    Jain,
    /// Ratio of the operations of the slowest thread to those of the fastest.
    MinOverMax,
    /// The largest number of acquisitions in a row by one thread.
    LongestRun,
    /// Work of the busy threads that do not use the lock, per second.
    BystanderPerSecond,
    /// In a live run: context switches of the whole system per second.
    SwitchesPerSecond,
    /// In a live run: share of all CPUs' time in user mode.
    UserTimeShare,
    /// In a live run: share of all CPUs' time in the kernel.
    SystemTimeShare,
    /// In a live run: share of all CPUs' time that was idle.
    IdleTimeShare,
    /// In a live run: share of context switches to wait for a futex; from `/proc`, of threads that were only ever found waiting so.
    SwitchesByFutex,
    /// In a live run: share of context switches for pipes, sockets, disks and events of descriptors.
    SwitchesByIo,
    /// In a live run: share of context switches in which a thread could have continued, counted by the kernel.
    SwitchesTakenOff,
    /// In a live run: share of context switches at the end of a time slice; from `/proc`, an upper bound.
    SwitchesBySlice,
    /// In a live run: share of context switches by sched_yield; from `/proc`, a lower bound, with switches to a thread that woke up.
    SwitchesByYield,
    /// For a part of the price list: context switches that the kernel counted in a round.
    SwitchesCounted,
    /// In a kernel run: number of waits for spin locks that took this many cycles.
    SpinWaitCount,
    /// In a kernel run: share of the waits for spin locks that took this many cycles.
    SpinWaitShare,
    /// In a kernel run: upper bound on the ratio of waits for spin locks to acquisitions; only known acquisitions are counted.
    SpinWaitsPerAcquisition,
}

impl Figure {
    /// Returns the slices of a bench run in which it is measured.
    pub fn slices(self) -> Part {
        match self {
            Self::AcquireP50
            | Self::AcquireP99
            | Self::AcquireP999
            | Self::AcquireMax
            | Self::LongestRun => Part::Waiting,
            _ => Part::Throughput,
        }
    }

    /// Says whether it is a part of a whole, from 0 to 1.
    pub fn is_share(self) -> bool {
        matches!(
            self,
            Self::SystemShare
                | Self::UserTimeShare
                | Self::SystemTimeShare
                | Self::IdleTimeShare
                | Self::SwitchesByFutex
                | Self::SwitchesByIo
                | Self::SwitchesTakenOff
                | Self::SwitchesBySlice
                | Self::SwitchesByYield
                | Self::SpinWaitShare
                | Self::SpinWaitsPerAcquisition
        )
    }

    /// Says whether it is a share of switches with one cause.
    pub fn is_cause(self) -> bool {
        matches!(
            self,
            Self::SwitchesByFutex
                | Self::SwitchesByIo
                | Self::SwitchesTakenOff
                | Self::SwitchesBySlice
                | Self::SwitchesByYield
        )
    }

    /// Returns the unit, for the axis of a chart.
    pub fn unit(self) -> &'static str {
        match self {
            Self::NsPerOp => "ns/op",
            Self::OpsPerSecond => "op/s",
            Self::UserNsPerOp => "user ns/op",
            Self::SystemNsPerOp => "kernel ns/op",
            Self::CpuNsPerOp => "CPU ns/op",
            Self::SystemShare => "kernel share of CPU time",
            Self::CpusBusy => "CPUs kept busy",
            Self::CpuLoad => "CPU load",
            Self::VoluntarySwitchesPerOp => "voluntary switches/op",
            Self::InvoluntarySwitchesPerOp => "involuntary switches/op",
            Self::SwitchesPerOp => "switches/op",
            Self::AcquireP50 => "ns to acquire, median",
            Self::AcquireP99 => "ns to acquire, p99",
            Self::AcquireP999 => "ns to acquire, p99.9",
            Self::AcquireMax => "ns to acquire, longest",
            Self::Jain => "Jain's index",
            Self::MinOverMax => "least over most operations",
            Self::LongestRun => "acquisitions in a row",
            Self::BystanderPerSecond => "loops of bystanders/s",
            Self::SwitchesPerSecond => "switches/s",
            Self::UserTimeShare => "user share of all time",
            Self::SystemTimeShare => "kernel share of all time",
            Self::IdleTimeShare => "idle share of all time",
            Self::SwitchesByFutex => "share of switches: futex",
            Self::SwitchesByIo => "share of switches: I/O",
            Self::SwitchesTakenOff => "share of switches: taken off",
            Self::SwitchesBySlice => "share of switches: time slice over, at most",
            Self::SwitchesByYield => "share of switches: yield, at least",
            Self::SwitchesCounted => "switches/round",
            Self::SpinWaitCount => "waits",
            Self::SpinWaitShare => "share of the waits",
            Self::SpinWaitsPerAcquisition => "waits/acquisition, at most",
        }
    }
}
