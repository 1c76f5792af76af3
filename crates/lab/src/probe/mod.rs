//! Probes: what the parts of locking cost on this machine, each checked against the kernel's own counts.

mod prices;

pub use prices::{
    Arm, Counters, Decomposition, Group, HandOver, Java, LockPrice, Part, Prices, Refill,
    RefillKind, Scheduling, Share, Switches, Transfers,
};
