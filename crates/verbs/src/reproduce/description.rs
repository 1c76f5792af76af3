//! The contents of a file of `experiments/`; `experiments/README.md` explains them to authors.

mod validity;

use std::hash::{Hash, Hasher};

use serde::Deserialize;

use super::axis::Axis;
use super::figure::Figure;
use super::other_systems::{OnWindows, System};
use super::selection::Select;
use locktoll_results::reproduction::{Published, Source};

/// A published claim and how to test it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// A letter and a number: `A5`.
    pub id: String,
    /// What it is about, in a few words.
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
    /// Which part of locktoll the claim waits for; such a claim has no runs.
    pub not_yet: Option<String>,
    /// Said beside the verdict: in what the test differs from what was published.
    pub note: Option<String>,
    /// What the machine must have.
    #[serde(default)]
    pub needs: Needs,
    /// What is measured.
    #[serde(default, rename = "run")]
    pub runs: Vec<Run>,
    /// What must come out.
    #[serde(default, rename = "check")]
    pub checks: Vec<CheckDescription>,
    /// What is drawn.
    #[serde(default)]
    pub chart: Chart,
    /// What is different on Windows.
    pub windows: Option<OnWindows>,
    /// Why it cannot be run on the system that it was adapted to ([`Description::on`]).
    #[serde(skip)]
    pub cannot_run: Option<String>,
    /// Of the file's text: a verdict on another text is not one on this.
    #[serde(skip)]
    pub fingerprint: u64,
}

/// What the machine must have for a claim to be judged on it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Needs {
    /// CPUs that may be used, at least.
    pub cpus: Option<usize>,
}

/// One measurement: a verb of ours with its flags. Exactly one verb.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// How checks name it; needed where a claim has several runs.
    pub name: Option<String>,
    /// Flags of `locktoll bench`.
    pub bench: Option<String>,
    /// Flags of `locktoll bench` for a single cell, which is run between looks at what the whole system does.
    pub live: Option<String>,
    /// A build under the watch of the kernel's locks: `--repeat`, `--duration`, `--jobs`, `--hogs`, `--host idle|busy`.
    pub kernel: Option<String>,
    /// Flags of `locktoll machine`: none or `--quick`.
    pub machine: Option<String>,
}

/// One number that must lie within bounds.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckDescription {
    /// What is checked: "kernel lock over user-first lock, 1 thread".
    pub what: String,
    /// The figure of all selections that name none.
    #[serde(default)]
    pub figure: Option<Figure>,
    /// The figure itself.
    pub value: Option<Select>,
    /// One figure over another.
    pub ratio: Option<Ratio>,
    /// Each figure over the one before: the least of these quotients.
    pub order: Option<Vec<Select>>,
    /// The greatest of several figures over the least.
    pub spread: Option<Vec<Select>>,
    /// The exponent p in figure ~ axis^p.
    pub exponent: Option<Along>,
    /// The curve's last point over the straight line through its first ones, drawn on.
    pub beyond_line: Option<Bend>,
    /// The least value with which the claim holds.
    pub at_least: Option<f64>,
    /// The greatest one.
    pub at_most: Option<f64>,
    /// What the published figures give.
    pub published: Option<f64>,
}

/// A quotient.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// Above the line.
    pub of: Select,
    /// Below it.
    pub over: Select,
}

/// A curve: all cells that a selection leaves, along one knob.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Along {
    /// Everything but the knob along which it runs.
    pub of: Select,
    /// The knob.
    pub along: Axis,
}

/// A curve whose beginning is to be straight.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bend {
    /// Everything but the knob along which it runs.
    pub of: Select,
    /// The knob.
    pub along: Axis,
    /// The last of the points through which the line is drawn.
    pub up_to: f64,
}

/// What is drawn of a claim.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chart {
    /// The knob along the axis; without one, that which takes most values.
    pub along: Option<Axis>,
    /// The figure; without one, that of the first check.
    pub figure: Option<Figure>,
}

/// Reads a description; `name` is the file's, for the one line that says what is wrong with it.
///
/// # Errors
/// That line.
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

impl CheckDescription {
    /// All that it selects.
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

    /// The same, to be changed.
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

    /// The figures of all that it selects.
    fn figures(&self) -> impl Iterator<Item = Figure> {
        let default = self.figure.unwrap_or_default();
        let selections = self.selections().into_iter();
        selections.map(move |select| select.figure.unwrap_or(default))
    }
}
