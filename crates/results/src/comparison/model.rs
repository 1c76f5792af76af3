//! The schema `locktoll.compare/1`.

use locktoll_lab::stats::{Estimate, Ratio};
use serde::{Deserialize, Serialize};

use crate::{Kind, Made};

/// Two results side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// `locktoll.compare/1`.
    pub schema: String,
    /// The program that compared.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// The kind of both.
    pub kind: Kind,
    /// The figure by which rows are judged and ordered; a row without it does not have a verdict.
    pub metric: String,
    /// The first result.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// The differences between their surroundings.
    pub differs: Vec<Difference>,
    /// The noise.
    pub noise: Noise,
    /// Notes that the reader of the figures needs, in plain sentences.
    pub notes: Vec<String>,
    /// Every row, the most changed first.
    pub rows: Vec<Row>,
    /// The outcomes of the rules of `--fail-if`.
    pub rules: Vec<RuleOutcome>,
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Side {
    /// The files, one for each run.
    pub files: Vec<String>,
    /// The run, in a line.
    pub what: String,
    /// The warnings of the results themselves.
    pub warnings: Vec<String>,
    /// The stand-in for the system or the processor (`Wine 8.0, not Windows`): then no row is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
}

/// A difference between the surroundings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Difference {
    /// Its name: `kernel`.
    pub what: String,
    /// In A.
    pub a: String,
    /// In B.
    pub b: String,
}

/// The noise: the difference between equal measurements in these runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Noise {
    /// A ratio between its inverse and this is not a difference; at least 1.
    pub factor: f64,
    /// The evidence, one sentence each.
    pub evidence: Vec<String>,
}

/// One thing that is in A, in B, or in both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Row {
    /// The key by which it was matched: parameters, a part's name, a lock's identity.
    pub key: String,
    /// The name for people, if it is not the key.
    pub name: String,
    /// The name of the figure in `a`, `b`, `ratio` and `verdict`.
    pub metric: String,
    /// That figure in A; with several runs, the median of the runs.
    #[serde(with = "super::bounds", default)]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::bounds::Saved>"))]
    pub a: Option<Estimate>,
    /// That figure in B.
    #[serde(with = "super::bounds", default)]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::bounds::Saved>"))]
    pub b: Option<Estimate>,
    /// B over A; `null` if one is missing.
    pub ratio: Option<Ratio>,
    /// The verdict.
    pub verdict: RowVerdict,
    /// The noise of this row, as a factor; at least 1.
    pub noise: f64,
    /// All figures of the row, including that one.
    pub metrics: Vec<Figure>,
    /// A note: a claim's verdicts.
    pub note: Option<String>,
    /// The runs of each side, if `a` and `b` have one figure per run. Not saved.
    #[serde(skip)]
    pub runs: Option<[Vec<f64>; 2]>,
}

/// One figure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Figure {
    /// Its name, as in rules.
    pub name: String,
    /// Its unit.
    pub unit: Unit,
    /// Whether less or more is better.
    pub better: Better,
    /// In A.
    #[serde(with = "super::bounds", default)]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::bounds::Saved>"))]
    pub a: Option<Estimate>,
    /// In B.
    #[serde(with = "super::bounds", default)]
    #[cfg_attr(feature = "schemas", schemars(with = "Option<super::bounds::Saved>"))]
    pub b: Option<Estimate>,
    /// B over A.
    pub ratio: Option<Ratio>,
    /// The verdict on this figure.
    pub verdict: RowVerdict,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Things.
    Count,
    /// Things per second.
    PerSecond,
    /// Parts of a whole, 0 to 1.
    Share,
    /// A quotient without a unit.
    Quotient,
}

/// Whether less or more of a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Less is better: costs.
    Less,
    /// More is better: yields.
    More,
    /// Neither: the amount of work.
    Neither,
}

/// The verdict of a comparison on B relative to A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RowVerdict {
    /// Better in B.
    Faster,
    /// Worse in B.
    Slower,
    /// Changed in B, and neither better nor worse.
    Changed,
    /// No detectable difference: not proof that they are equal.
    NoDifference,
    /// A side is from a stand-in, so no difference can be judged.
    NotJudged,
    /// Not in B.
    OnlyA,
    /// Not in A.
    OnlyB,
}

/// The outcome of a `--fail-if` rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RuleOutcome {
    /// The rule as it was given.
    pub rule: String,
    /// Keys of the rows that break it.
    pub broken_by: Vec<String>,
    /// Keys of the matching rows that could not be judged.
    pub unjudged: Vec<String>,
    /// Why they could not be judged, one sentence for each cause.
    #[serde(default)]
    pub unjudged_why: Vec<String>,
    /// The number of rows on which the rule was judged, broken or kept.
    #[serde(default)]
    pub judged: usize,
}

impl RowVerdict {
    /// Returns its word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::Changed => "changed",
            Self::NoDifference => "no_difference",
            Self::NotJudged => "not_judged",
            Self::OnlyA => "only_a",
            Self::OnlyB => "only_b",
        }
    }

    /// Every verdict that a rule may name.
    pub const NAMED: [Self; 5] = [
        Self::Slower,
        Self::Faster,
        Self::Changed,
        Self::OnlyA,
        Self::OnlyB,
    ];
}
