//! What is needed of results that are shown everywhere by those who write them, where programs are watched.

use super::{KernelLockKind, KernelResult, TrialResult};

impl KernelLockKind {
    /// In the order of `enum kind` in `bpf/kernel.bpf.c`.
    pub const ALL: [Self; 12] = [
        Self::Spin,
        Self::RwlockRead,
        Self::RwlockWrite,
        Self::RwsemRead,
        Self::RwsemWrite,
        Self::Mutex,
        Self::PercpuRead,
        Self::PercpuWrite,
        Self::Rt,
        Self::RtRead,
        Self::RtWrite,
        Self::Other,
    ];
}

impl KernelResult {
    /// What [`schema`](Self::schema) says.
    pub const SCHEMA: &str = "locktoll.kernel/1";
}

impl TrialResult {
    /// What [`schema`](Self::schema) says.
    pub const SCHEMA: &str = "locktoll.try/1";
}
