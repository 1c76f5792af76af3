//! A result of any kind.

use crate::Kind;
use crate::advice::AdviceResult;
use crate::bench::BenchResult;
use crate::comparison::Comparison;
use crate::hang::HangResult;
use crate::kernel::KernelResult;
use crate::machine::MachineResult;
use crate::profile::Profile;
use crate::reproduction::Reproduction;
use crate::tour::TourResult;
use crate::trial::TrialResult;
use crate::whatif::WhatIfResult;

/// A result that was read back.
#[derive(Debug)]
pub enum Saved {
    /// Of `bench`.
    Bench(Box<BenchResult>),
    /// Of `machine`.
    Machine(Box<MachineResult>),
    /// Of `reproduce`.
    Reproduce(Box<Reproduction>),
    /// Of `tour`.
    Tour(Box<TourResult>),
    /// Of `record`.
    Profile(Box<Profile>),
    /// Of `try`.
    Try(Box<TrialResult>),
    /// Of `compare`.
    Compare(Box<Comparison>),
    /// Of `kernel`.
    Kernel(Box<KernelResult>),
    /// Of `hang`.
    Hang(Box<HangResult>),
    /// Of `whatif`.
    WhatIf(Box<WhatIfResult>),
    /// Of `advise`.
    Advise(Box<AdviceResult>),
}

impl Saved {
    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Bench(_) => Kind::Bench,
            Self::Machine(_) => Kind::Machine,
            Self::Reproduce(_) => Kind::Reproduce,
            Self::Tour(_) => Kind::Tour,
            Self::Profile(_) => Kind::Profile,
            Self::Try(_) => Kind::Try,
            Self::Compare(_) => Kind::Compare,
            Self::Kernel(_) => Kind::Kernel,
            Self::Hang(_) => Kind::Hang,
            Self::WhatIf(_) => Kind::WhatIf,
            Self::Advise(_) => Kind::Advise,
        }
    }
}
