//! The schema `locktoll.compare/1`.

use locktoll_lab::stats::{Estimate, Ratio};
use serde::{Deserialize, Serialize};

use crate::{Kind, Made};

/// Two results side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// `locktoll.compare/1`.
    pub schema: String,
    /// The program that compared.
    pub version: String,
    /// When, where and by which locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// What both are.
    pub kind: Kind,
    /// The figure that rows are judged and ordered by; a row without it has no verdict.
    pub metric: String,
    /// The first result.
    pub a: Side,
    /// The second.
    pub b: Side,
    /// What was not the same around the two.
    pub differs: Vec<Difference>,
    /// By what equal things differed.
    pub noise: Noise,
    /// What the reader of the figures should know, in plain sentences.
    pub notes: Vec<String>,
    /// Every row, the most changed first.
    pub rows: Vec<Row>,
    /// What became of the rules of `--fail-if`.
    pub rules: Vec<RuleOutcome>,
}

/// One of the two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Side {
    /// The files, one for each run.
    pub files: Vec<String>,
    /// What was run, in a line.
    pub what: String,
    /// What the results themselves warn of.
    pub warnings: Vec<String>,
    /// What played the system or the processor there (`Wine 8.0, not Windows`): then no row is judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stand_in: Option<String>,
}

/// Something around the figures that was not the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// What it is: `kernel`.
    pub what: String,
    /// In A.
    pub a: String,
    /// In B.
    pub b: String,
}

/// By what equal things differed in these runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// A ratio between its inverse and this is no difference; at least 1.
    pub factor: f64,
    /// What shows it, one sentence each.
    pub evidence: Vec<String>,
}

/// One thing that is in A, in B, or in both.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it was matched by: parameters, a part's name, a lock's identity.
    pub key: String,
    /// For people, where it is not the key.
    pub name: String,
    /// The figure that `a`, `b`, `ratio` and `verdict` are of.
    pub metric: String,
    /// That figure in A; with several runs, the median of the runs.
    #[serde(with = "super::bounds", default)]
    pub a: Option<Estimate>,
    /// That figure in B.
    #[serde(with = "super::bounds", default)]
    pub b: Option<Estimate>,
    /// B over A; `null` where one is missing.
    pub ratio: Option<Ratio>,
    /// What follows.
    pub verdict: RowVerdict,
    /// The factor by which equal things differed, as far as this row is concerned; at least 1.
    pub noise: f64,
    /// All figures of the row, that one among them.
    pub metrics: Vec<Figure>,
    /// What else there is to say of it: a claim's verdicts.
    pub note: Option<String>,
    /// The runs of each side, where `a` and `b` are of one figure a run. Not saved.
    #[serde(skip)]
    pub runs: Option<[Vec<f64>; 2]>,
}

/// One figure on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name, as in rules.
    pub name: String,
    /// What it counts.
    pub unit: Unit,
    /// Which way it is better.
    pub better: Better,
    /// In A.
    #[serde(with = "super::bounds", default)]
    pub a: Option<Estimate>,
    /// In B.
    #[serde(with = "super::bounds", default)]
    pub b: Option<Estimate>,
    /// B over A.
    pub ratio: Option<Ratio>,
    /// What follows for this figure.
    pub verdict: RowVerdict,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// Things.
    Count,
    /// Things a second.
    PerSecond,
    /// Parts of a whole, 0 to 1.
    Share,
    /// A quotient without a unit.
    Quotient,
}

/// Which way a figure is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Costs.
    Less,
    /// Yields.
    More,
    /// Neither: how much was done.
    Neither,
}

/// What a comparison says of B against A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RowVerdict {
    /// Better in B.
    Faster,
    /// Worse in B.
    Slower,
    /// Other in B, and neither better nor worse.
    Changed,
    /// No detectable difference: not proof that they are equal.
    NoDifference,
    /// A side is not from the real thing, so whatever differs, nothing follows.
    NotJudged,
    /// Not in B.
    OnlyA,
    /// Not in A.
    OnlyB,
}

/// What became of a rule of `--fail-if`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleOutcome {
    /// The rule as it was given.
    pub rule: String,
    /// Keys of the rows that break it.
    pub broken_by: Vec<String>,
    /// Keys of the rows that it is about and that could not be judged.
    pub unjudged: Vec<String>,
    /// Why not, one sentence for each cause.
    #[serde(default)]
    pub unjudged_why: Vec<String>,
    /// How many rows it was judged on, broken or kept.
    #[serde(default)]
    pub judged: usize,
}

impl RowVerdict {
    /// The word for it, as in JSON.
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

    /// Every one that a rule may name.
    pub const NAMED: [Self; 5] = [
        Self::Slower,
        Self::Faster,
        Self::Changed,
        Self::OnlyA,
        Self::OnlyB,
    ];
}
