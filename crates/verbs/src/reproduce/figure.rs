//! The figure of a cell, of the system or of the price list that is compared.

use locktoll_lab::cell::Part;
use serde::Deserialize;

/// What is compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Wall time an operation. The empty loop is subtracted where everything compared has one thread, as `bench` does it.
    #[default]
    NsPerOp,
    /// Operations a second.
    OpsPerSecond,
    /// User CPU time an operation.
    UserNsPerOp,
    /// Kernel CPU time an operation.
    SystemNsPerOp,
    /// CPU time an operation, user and kernel.
    CpuNsPerOp,
    /// Kernel time over all CPU time, 0 to 1.
    SystemShare,
    /// CPU time over wall time: how many CPUs were kept busy.
    CpusBusy,
    /// CPU time over the time of all usable CPUs, 0 to 1.
    CpuLoad,
    /// Times a thread went to sleep, an operation.
    VoluntarySwitchesPerOp,
    /// Times a thread was made to give way, an operation.
    InvoluntarySwitchesPerOp,
    /// Both.
    SwitchesPerOp,
    /// Half of the acquisitions were faster.
    AcquireP50,
    /// One acquisition in a hundred took longer.
    AcquireP99,
    /// One in a thousand took longer.
    AcquireP999,
    /// The longest acquisition of a round.
    AcquireMax,
    /// Jain's index of fairness.
    Jain,
    /// The least busy thread's operations over the busiest one's.
    MinOverMax,
    /// Most acquisitions in a row by one thread.
    LongestRun,
    /// What the busy threads beside did, a second.
    BystanderPerSecond,
    /// Of a live run: context switches of the whole system a second.
    SwitchesPerSecond,
    /// Of a live run: share of all CPUs' time in user mode.
    UserTimeShare,
    /// Of a live run: share in the kernel.
    SystemTimeShare,
    /// Of a live run: share idle.
    IdleTimeShare,
    /// Of a live run: share of the switches of threads that were found waiting for nothing but futexes.
    SwitchesByFutex,
    /// Of a live run: share for pipes, sockets, disks and events of descriptors.
    SwitchesByIo,
    /// Of a live run: share of those in which a thread wanted to go on, counted by the kernel.
    SwitchesTakenOff,
    /// Of a live run: share for time slices that were over, at most.
    SwitchesBySlice,
    /// Of a live run: share for sched_yield, and for giving way to a thread that woke up, at least.
    SwitchesByYield,
    /// Of a part of the price list: context switches that the kernel counted in a round.
    SwitchesCounted,
    /// Of a kernel run: waits for spin locks of so many cycles.
    SpinWaitCount,
    /// Of a kernel run: share of the waits for spin locks that took so many cycles.
    SpinWaitShare,
    /// Of a kernel run: waits for spin locks over the acquisitions that are known of, at most.
    SpinWaitsPerAcquisition,
}

impl Figure {
    /// In which slices of a bench run it is measured.
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

    /// Its unit, for the axis of a chart.
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
