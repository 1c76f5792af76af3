//! The reasons why a rule could not judge a row.

/// The cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// One side does not have the row or the figure.
    Missing,
    /// Equal things differed by more than the bound.
    Noise,
    /// The ratio has no bound on the side that decides.
    NoBound,
    /// Zero in A and more in B, from too few runs.
    FromNothing,
    /// Too few runs or rounds for any verdict.
    Few,
    /// A difference, but among this many rows one may appear by chance.
    Chance,
    /// A claim that could not be judged on one side.
    Claim,
    /// A side is from a stand-in.
    StandIn,
}

impl Why {
    /// Returns the cause in words, to follow a number of rows.
    pub fn words(self) -> &'static str {
        match self {
            Self::Missing => "on one side only",
            Self::Noise => "the noise floor exceeds the bound of the rule",
            Self::NoBound => "the interval of the ratio does not reach the bound",
            Self::FromNothing => {
                "0 in A and more in B, with too few runs; add an amount, such as `and wait_ns>1ms`"
            }
            Self::Few => "too few runs or rounds for a verdict",
            Self::Chance => "one such difference among so many rows may be chance",
            Self::Claim => "the claim could not be judged on one side",
            Self::StandIn => {
                "a side was measured on a stand-in, whose figures say nothing about the real system"
            }
        }
    }
}
