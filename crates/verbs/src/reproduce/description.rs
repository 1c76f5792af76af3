//! The contents of a file of `experiments/`; `experiments/README.md` explains them to authors.

mod published;
mod validity;

use std::hash::{Hash, Hasher};

use serde::Deserialize;

use super::axis::Axis;
use super::figure::Figure;
use super::means::Means;
use super::other_systems::{OnWindows, System};
use super::selection::Select;
use locktoll_results::reproduction::{Published, Source};

/// A published claim and how to test it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// A letter and a number: `A5`.
    pub id: String,
    /// The topic, in a few words.
    pub title: String,
    /// The claim as a sentence.
    pub claim: String,
    /// Where it was published.
    pub source: Source,
    /// Figures as they were published.
    #[serde(default)]
    pub published: Vec<Published>,
    /// How long the runs take, for the plan and the progress bar.
    #[serde(default)]
    pub seconds: f64,
    /// The part of locktoll that the claim waits for; such a claim has no runs.
    pub not_yet: Option<String>,
    /// A note shown with the verdict: how the test differs from the publication.
    pub note: Option<String>,
    /// What the verdicts mean to a reader today; required for a claim that has runs.
    pub means: Option<Means>,
    /// The requirements on the machine.
    #[serde(default)]
    pub needs: Needs,
    /// The measurements.
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
    /// The conditions that the results must meet.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckDescription>,
    /// The chart.
    #[serde(default)]
    pub chart: Chart,
    /// The differences on Windows.
    pub windows: Option<OnWindows>,
    /// Why the claim cannot be run on the system that it was adapted to ([`Description::on`]).
    #[serde(skip)]
    pub cannot_run: Option<String>,
    /// Fingerprint of the file's text: a verdict on another text does not apply to this one.
    #[serde(skip)]
    pub fingerprint: u64,
}

/// The requirements on a machine for the claim to be judged on it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// Minimum number of usable CPUs.
    pub cpus: Option<usize>,
}

/// One measurement: exactly one verb of locktoll with its flags.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The name that checks use for it; required if a claim has several runs.
    pub name: Option<String>,
    /// Flags of `locktoll bench`.
    pub bench: Option<String>,
    /// Flags of `locktoll bench` for a single cell, which is run between two observations of the whole system.
    pub live: Option<String>,
    /// A build during which the kernel's locks are watched: `--repeat`, `--duration`, `--jobs`, `--hogs`, `--host idle|busy`.
    pub kernel: Option<String>,
    /// An emulated virtual machine, whose kernel's locks are watched while the host is idle and busy: `--cpus`, `--jobs`,
    /// `--duration`, `--repeat`.
    pub guest: Option<String>,
    /// Flags of `locktoll machine`: none or `--quick`.
    pub machine: Option<String>,
}

/// One number that must lie within bounds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckDescription {
    /// What is checked: "kernel lock over user-first lock, 1 thread".
    pub what: String,
    /// The default figure of the selections.
    #[serde(default)]
    pub figure: Option<Figure>,
    /// One figure by itself.
    pub value: Option<Select>,
    /// The ratio of one figure to another.
    pub ratio: Option<Ratio>,
    /// The smallest ratio of a figure to the one before it.
    pub order: Option<Vec<Select>>,
    /// The ratio of the greatest of several figures to the least.
    pub spread: Option<Vec<Select>>,
    /// The exponent p in figure ~ axis^p.
    pub exponent: Option<Along>,
    /// The ratio of the curve's last point to the extended straight line through its first points.
    pub beyond_line: Option<Bend>,
    /// The smallest value with which the claim holds.
    pub at_least: Option<f64>,
    /// The greatest value with which the claim holds.
    pub at_most: Option<f64>,
    /// The value according to the published figures.
    pub published: Option<f64>,
    /// What it means that the claim does not hold, if this check decides and the value is less than `at_least`.
    pub below: Option<String>,
    /// The same, if the value is greater than `at_most`.
    pub above: Option<String>,
}

/// A quotient.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The numerator.
    pub of: Select,
    /// The denominator.
    pub over: Select,
}

/// A curve: all cells that match a selection, along one parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Along {
    /// The selection, without the parameter along which the curve runs.
    pub of: Select,
    /// The parameter along which the curve runs.
    pub along: Axis,
}

/// A curve whose beginning is expected to be straight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bend {
    /// The selection, without the parameter along which the curve runs.
    pub of: Select,
    /// The parameter along which the curve runs.
    pub along: Axis,
    /// The last point, by its position on the axis, through which the line is drawn.
    pub up_to: f64,
}

/// The chart of a claim.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chart {
    /// The parameter along the horizontal axis; by default the one with the most values.
    pub along: Option<Axis>,
    /// The figure; by default the one of the first check.
    pub figure: Option<Figure>,
}

/// Parses a description; `name` is the name of the file, for the error message.
///
/// # Errors
/// One line that says what is wrong with the file.
pub fn parse(name: &str, text: &str) -> Result<Description, String> {
    let mut described: Description = toml::from_str(text).map_err(|error| {
        let line = error
            .span()
            .map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        let message = error.message().replace('\n', "; ");
        match line {
            Some(line) => format!("{name}, line {line}: {message}"),
            None => format!("{name}: {message}"),
        }
    })?;
    described
        .check()
        .map_err(|wrong| format!("{name}: {wrong}"))?;
    if let Some(windows) = &described.windows {
        let there = || described.clone().on(System::Windows);
        (windows.check().and_then(|()| there().check()))
            .map_err(|wrong| format!("{name}, on Windows: {wrong}"))?;
    }
    let mut hasher = std::hash::DefaultHasher::new();
    text.hash(&mut hasher);
    described.fingerprint = hasher.finish();
    Ok(described)
}

impl Description {
    /// Whether a check of this claim asks for the causes of switches.
    pub fn asks_for_causes(&self) -> bool {
        let mut figures = self.checks.iter().flat_map(CheckDescription::figures);
        figures.any(Figure::is_cause)
    }
}

impl CheckDescription {
    /// Returns all selections of this check.
    pub fn selections(&self) -> Vec<&Select> {
        let ratio = self.ratio.iter().flat_map(|ratio| [&ratio.of, &ratio.over]);
        let lists = self.order.iter().chain(&self.spread).flatten();
        let curves = self.exponent.iter().map(|curve| &curve.of);
        let bends = self.beyond_line.iter().map(|curve| &curve.of);
        self.value
            .iter()
            .chain(ratio)
            .chain(lists)
            .chain(curves)
            .chain(bends)
            .collect()
    }

    /// Returns all selections of this check, for changes.
    pub fn selections_mut(&mut self) -> Vec<&mut Select> {
        let ratio = self.ratio.iter_mut();
        let ratio = ratio.flat_map(|ratio| [&mut ratio.of, &mut ratio.over]);
        let lists = self.order.iter_mut().chain(&mut self.spread).flatten();
        let curves = self.exponent.iter_mut().map(|curve| &mut curve.of);
        let bends = self.beyond_line.iter_mut().map(|curve| &mut curve.of);
        let value = self.value.iter_mut();
        value
            .chain(ratio)
            .chain(lists)
            .chain(curves)
            .chain(bends)
            .collect()
    }

    /// Says whether the number of this check is a part of a whole.
    pub fn is_share(&self) -> bool {
        self.value.is_some() && self.figures().all(Figure::is_share)
    }

    /// Returns the figures of all selections of this check.
    fn figures(&self) -> impl Iterator<Item = Figure> {
        let default = self.figure.unwrap_or_default();
        let selections = self.selections().into_iter();
        selections.map(move |select| select.figure.unwrap_or(default))
    }
}
