//! The subjects of a finding's concerns.

use serde::Serialize;

/// The verbs. `record --preemption` counts as a separate verb, since it needs more than `record`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Verb {
    /// The price list.
    #[serde(rename = "machine")]
    Machine,
    /// One experiment.
    #[serde(rename = "bench")]
    Bench,
    /// Profiling through the preload library.
    #[serde(rename = "record")]
    Record,
    /// The same, with context switches of holders traced by the kernel.
    #[serde(rename = "record --preemption")]
    RecordPreemption,
    /// Other locks under a program.
    #[serde(rename = "try")]
    Try,
    /// Holds of other lengths under a program.
    #[serde(rename = "whatif")]
    WhatIf,
    /// Remedies for the locks of a program.
    #[serde(rename = "advise")]
    Advise,
    /// A running program's futex waits.
    #[serde(rename = "attach")]
    Attach,
    /// The kernel's own locks.
    #[serde(rename = "kernel")]
    Kernel,
    /// A process that makes no progress.
    #[serde(rename = "hang")]
    Hang,
    /// The live screen.
    #[serde(rename = "top")]
    Top,
    /// Metrics of running programs.
    #[serde(rename = "agent")]
    Agent,
    /// What a recording has gained.
    #[serde(rename = "snapshot")]
    Snapshot,
    /// The first look.
    #[serde(rename = "tour")]
    Tour,
    /// Published claims.
    #[serde(rename = "reproduce")]
    Reproduce,
    /// Recordings and results, shown.
    #[serde(rename = "report")]
    Report,
    /// Two of them, compared.
    #[serde(rename = "compare")]
    Compare,
    /// What works here.
    #[serde(rename = "doctor")]
    Doctor,
    /// Scripts for shells.
    #[serde(rename = "completions")]
    Completions,
    /// Manual pages.
    #[serde(rename = "man")]
    Man,
    /// Licences of the parts.
    #[serde(rename = "licences")]
    Licences,
}

impl Verb {
    /// The verbs that measure or trace, in the order in which they are listed. Findings mention only these.
    pub const ALL: [Self; 11] = [
        Self::Machine,
        Self::Bench,
        Self::Record,
        Self::RecordPreemption,
        Self::Try,
        Self::WhatIf,
        Self::Advise,
        Self::Attach,
        Self::Kernel,
        Self::Hang,
        Self::Top,
    ];

    /// Returns the verb as it is written on the command line.
    pub fn words(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Bench => "bench",
            Self::Record => "record",
            Self::RecordPreemption => "record --preemption",
            Self::Try => "try",
            Self::WhatIf => "whatif",
            Self::Advise => "advise",
            Self::Attach => "attach",
            Self::Kernel => "kernel",
            Self::Hang => "hang",
            Self::Top => "top",
            Self::Agent => "agent",
            Self::Snapshot => "snapshot",
            Self::Tour => "tour",
            Self::Reproduce => "reproduce",
            Self::Report => "report",
            Self::Compare => "compare",
            Self::Doctor => "doctor",
            Self::Completions => "completions",
            Self::Man => "man",
            Self::Licences => "licences",
        }
    }
}
