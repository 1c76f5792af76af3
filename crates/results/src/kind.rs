//! The kinds of results, by the names of their schemas.

use serde::{Deserialize, Serialize};

/// The kind of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `locktoll.bench/1`.
    Bench,
    /// `locktoll.machine/1`.
    Machine,
    /// `locktoll.reproduce/1`.
    Reproduce,
    /// `locktoll.tour/1`.
    Tour,
    /// A recording, or `locktoll.profile/1`.
    Profile,
    /// `locktoll.try/1`.
    Try,
    /// `locktoll.compare/1`.
    Compare,
    /// `locktoll.kernel/1`.
    Kernel,
    /// `locktoll.hang/1`.
    Hang,
    /// `locktoll.whatif/1`.
    WhatIf,
    /// `locktoll.advise/1`.
    Advise,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Bench,
        Self::Machine,
        Self::Reproduce,
        Self::Tour,
        Self::Profile,
        Self::Try,
        Self::Compare,
        Self::Kernel,
        Self::Hang,
        Self::WhatIf,
        Self::Advise,
    ];

    /// Returns the name in its schema, `locktoll.NAME/1`: usually the verb's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bench => "bench",
            Self::Machine => "machine",
            Self::Reproduce => "reproduce",
            Self::Tour => "tour",
            Self::Profile => "profile",
            Self::Try => "try",
            Self::Compare => "compare",
            Self::Kernel => "kernel",
            Self::Hang => "hang",
            Self::WhatIf => "whatif",
            Self::Advise => "advise",
        }
    }

    /// Returns words for people, with an article.
    pub fn described(self) -> &'static str {
        match self {
            Self::Bench => "a result of `bench`",
            Self::Machine => "a price list of `machine`",
            Self::Reproduce => "a result of `reproduce`",
            Self::Tour => "a result of `tour`",
            Self::Profile => "a recording or profile",
            Self::Try => "a result of `try`",
            Self::Compare => "a result of `compare`",
            Self::Kernel => "a result of `kernel`",
            Self::Hang => "a result of `hang`",
            Self::WhatIf => "a result of `whatif`",
            Self::Advise => "a result of `advise`",
        }
    }
}
