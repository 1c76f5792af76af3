//! Results of `reproduce` from several machines: the schema `locktoll.reproduce-merged/1`.

use locktoll_lab::machine::Machine;
use serde::{Deserialize, Serialize};

use crate::Made;
use crate::reproduction::Claim;

/// Published claims as several machines found them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Merged {
    /// `locktoll.reproduce-merged/1`.
    pub schema: String,
    /// The program that merged.
    pub version: String,
    /// When, where and by which version of locktoll the results were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// The machines, in the order of the files.
    pub machines: Vec<MergedMachine>,
    /// One entry per claim, in the order of their ids.
    pub claims: Vec<MergedClaim>,
    /// What differs between the machines, in the order of the claims.
    pub differences: Vec<Difference>,
}

/// A machine, and when its claims were run.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MergedMachine {
    /// Its name: processor and CPUs, different from those of the others.
    pub name: String,
    /// The version of locktoll that measured.
    pub version: String,
    /// When and where.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// The machine.
    pub machine: Machine,
    /// True when not all claims were run.
    pub partial: bool,
}

/// A claim, and what each machine found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MergedClaim {
    /// Its id: `A5`.
    pub id: String,
    /// Its subject, in a few words.
    pub title: String,
    /// The result of each machine, in their order; `None` if the claim was not run there.
    pub results: Vec<Option<Claim>>,
}

/// A difference between machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The id of the claim.
    pub claim: String,
    /// What differs.
    pub kind: DifferenceKind,
    /// The check whose intervals do not overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The difference in a sentence, without the full stop.
    pub what: String,
}

/// The kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The claim holds on one machine and does not hold on another.
    Verdict,
    /// The claim has a verdict on one machine, and could not be judged on another.
    Unjudged,
    /// The intervals of a check do not overlap.
    Interval,
}

impl MergedClaim {
    /// Returns the result of the first machine that ran it.
    pub fn first(&self) -> Option<&Claim> {
        self.results.iter().flatten().next()
    }
}
