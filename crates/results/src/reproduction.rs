//! The result of `reproduce`: the schema `locktoll.reproduce/1`.

use crate::{Made, PublishedLine};
use locktoll_lab::machine::Machine;
use locktoll_lab::stats::{Estimate, Modes, PlacementShare};
use serde::{Deserialize, Serialize};

/// Published claims, run again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Reproduction {
    /// `locktoll.reproduce/1`.
    pub schema: String,
    /// The program that measured.
    pub version: String,
    /// When, where and by which version of locktoll it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// Where it was measured.
    pub machine: Machine,
    /// True when not all claims were run.
    pub partial: bool,
    /// One entry per claim, in the order of their ids.
    pub claims: Vec<Claim>,
}

/// One claim: the published figures, the measured ones, and the verdict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Claim {
    /// Its id: `A5`.
    pub id: String,
    /// Its subject, in a few words.
    pub title: String,
    /// The claim as a sentence.
    pub claim: String,
    /// Where and when it was published, and on what machine.
    pub source: Source,
    /// Figures as they were published.
    pub published: Vec<Published>,
    /// The verdict.
    pub verdict: ClaimVerdict,
    /// The reason for the verdict, in a sentence.
    pub because: String,
    /// What the verdict means to a reader today, in a sentence or two; `None` without a verdict, and in results of versions that
    /// did not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub means: Option<String>,
    /// The difference between this test and the published one.
    #[serde(default)]
    pub note: Option<String>,
    /// The shape, check by check.
    pub checks: Vec<Check>,
    /// Where the figures were measured, if not on the machine itself: "an emulated virtual machine (...)"; `None` in results of
    /// versions that had no guests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured_in: Option<String>,
    /// The measured figures, as curves or bars.
    pub series: Vec<Series>,
    /// How to run the parts of it by hand.
    pub commands: Vec<String>,
    /// Disturbances of the run.
    pub warnings: Vec<String>,
    /// Where its figures come from, if there are several sources of them and not every machine or user has the best; `None` for
    /// other claims, and in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures_from: Option<FiguresFrom>,
    /// The rounds in which its figures were measured; `None` if it has none, or in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// How often it was judged while rounds were added (`--budget`). The intervals of its checks are those of the last look,
    /// stricter than 95 %; `None` if it was judged once, by 95 % intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<u32>,
    /// Cells whose slices' times per operation fall into two groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub two_modes: Vec<TwoModes>,
    /// How much of the variance between slices comes from where lock, data and threads lie; `None` if too few cells ran twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placement: Option<PlacementShare>,
    /// How long it took, nanoseconds; 0 if it was not run.
    pub duration_ns: u64,
}

/// A cell with two modes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TwoModes {
    /// The cell: "pthread (list, 4 threads)".
    pub cell: String,
    /// The modes of its time per operation, in nanoseconds.
    #[serde(flatten)]
    pub modes: Modes,
}

/// The source of a claim's figures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FiguresFrom {
    /// The source.
    pub source: FigureSource,
    /// The reason for not using the better source; `None` if this is the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
}

/// A source of figures that not every machine, or not every user, has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FigureSource {
    /// Switches counted by cause in the kernel, by a program of locktoll's (eBPF).
    Kernel,
    /// Causes of switches as far as `/proc` shows them: counters, and samples of what threads wait for.
    Proc,
    /// Hardware counters of the processor.
    Counters,
    /// The time of each access to memory, which shows whether it missed the cache.
    Time,
}

/// A publication.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Source {
    /// Title or author.
    pub article: String,
    /// Year of publication.
    pub year: u32,
    /// The machine of the publication.
    pub machine: String,
}

/// A published figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Published {
    /// The meaning of the figure.
    pub what: String,
    /// The figure with its unit, as published.
    pub figure: String,
    /// The numbers in it that lie on the axis of the measured series; empty if there are none, and in results of versions that
    /// did not have them.
    #[serde(default, rename = "line", skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<PublishedLine>,
}

/// The verdict of a run on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClaimVerdict {
    /// Every check's interval lies within its bounds.
    Holds,
    /// A check's interval lies wholly outside its bounds.
    DoesNotHold,
    /// Neither: too noisy, or the machine lacks something that the claim needs.
    CannotBeJudgedHere,
    /// Needs a part of locktoll that does not exist yet.
    NotYet,
}

/// One number that must lie within bounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Check {
    /// The check: "kernel lock over user-first lock, 1 thread".
    pub what: String,
    /// The least value with which the claim holds.
    pub at_least: Option<f64>,
    /// The greatest one.
    pub at_most: Option<f64>,
    /// The value from the published figures.
    pub published: Option<f64>,
    /// The measured value; `None` if it could not be measured.
    pub measured: Option<Estimate>,
    /// The verdict on this check.
    pub verdict: ClaimVerdict,
    /// The reason, if it could not be judged.
    pub reason: Option<String>,
}

/// One curve or group of bars.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Series {
    /// Its name, mostly a lock.
    pub name: String,
    /// The quantity on the axis: `threads`.
    pub x_name: String,
    /// Unit of the values: `ns/op`.
    pub unit: String,
    /// The points.
    pub points: Vec<Point>,
}

/// One point of a series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Point {
    /// Where on the axis: a number, or a word.
    pub x: String,
    /// The value; `None` if it could not be measured.
    pub y: Option<Estimate>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A claim as versions without `means` saved it.
    const OLD: &str = r#"{"id":"A1","title":"t","claim":"c","source":{"article":"a","year":1998,"machine":"m"},
        "published":[],"verdict":"holds","because":"b","note":null,"checks":[],"series":[],"commands":[],"warnings":[],
        "duration_ns":0}"#;

    #[test]
    fn a_claim_that_was_saved_without_a_meaning_is_read_and_written_as_it_was() {
        let claim: Claim = serde_json::from_str(OLD).unwrap();
        assert_eq!(claim.means, None);
        let old: serde_json::Value = serde_json::from_str(OLD).unwrap();
        assert_eq!(serde_json::to_value(&claim).unwrap(), old);
    }

    #[test]
    fn the_meaning_of_a_verdict_is_read_back() {
        let old: Claim = serde_json::from_str(OLD).unwrap();
        let means = Some("Yes, \"still\".".to_owned());
        let claim = Claim { means, ..old };
        let text = serde_json::to_string(&claim).unwrap();
        assert_eq!(serde_json::from_str::<Claim>(&text).unwrap(), claim);
    }
}
