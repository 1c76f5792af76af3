//! The sentences about what a verdict means to a reader today: which one is said, and the figures in it.
//!
//! An author writes them once for each outcome. Which of them is true depends on the figures, so the figures choose.

use std::cmp::Ordering;

use locktoll_results::reproduction::{Check, ClaimVerdict};
use locktoll_shown::short;
use serde::Deserialize;

use super::description::{CheckDescription, Description};

/// The table `[means]` of a claim's file. Its sentences may contain `{measured}` and `{published}`, the figures of the check
/// that decides, and `{times}`, the measured ratio before `as much` or the like.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Means {
    /// What it means that the claim holds.
    pub holds: String,
    /// Instead of `holds`, if the figure is certainly greater than the published one.
    pub holds_more: Option<String>,
    /// Instead of `holds`, if the figure is certainly less than the published one.
    pub holds_less: Option<String>,
    /// What it means that the claim does not hold; `below` and `above` of the check that decides take precedence.
    pub does_not_hold: String,
}

/// A check that was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The check with its verdict.
    pub check: Check,
    /// The measured figure against the published one; `Equal` if they are not certainly different, or one is missing.
    pub against_published: Ordering,
}

/// Returns the sentence for a verdict. A claim without a verdict has none: nothing is known about today.
pub fn sentence(
    described: &Description,
    judged: &[Judged],
    verdict: ClaimVerdict,
) -> Option<String> {
    let means = described.means.as_ref()?;
    let checks = || described.checks.iter().zip(judged);
    match verdict {
        ClaimVerdict::Holds => {
            let (check, judged) = checks().nth(decides(&described.checks))?;
            let variant = match judged.against_published {
                Ordering::Greater => means.holds_more.as_ref(),
                Ordering::Less => means.holds_less.as_ref(),
                Ordering::Equal => None,
            };
            with_figures(variant.unwrap_or(&means.holds), check, &judged.check)
        }
        ClaimVerdict::DoesNotHold => {
            let fails = |judged: &Judged| judged.check.verdict == ClaimVerdict::DoesNotHold;
            let (check, judged) = checks().find(|(_, judged)| fails(judged))?;
            let measured = judged.check.measured?.median;
            let side = match check.at_least.is_some_and(|least| measured < least) {
                true => check.below.as_ref(),
                false => check.above.as_ref(),
            };
            with_figures(side.unwrap_or(&means.does_not_hold), check, &judged.check)
        }
        ClaimVerdict::CannotBeJudgedHere | ClaimVerdict::NotYet => None,
    }
}

/// Returns the index of the check whose figures stand for a claim that holds: the first with a published figure, else the first.
fn decides(checks: &[CheckDescription]) -> usize {
    let published = checks.iter().position(|check| check.published.is_some());
    published.unwrap_or(0)
}

impl Description {
    /// Checks that a claim that can be run has a sentence for each outcome, and that each figure in them exists.
    pub(in crate::reproduce) fn check_means(&self) -> Result<(), String> {
        let Some(means) = &self.means else {
            return Err(
                "needs [means] with holds = \"...\" and does_not_hold = \"...\"".to_owned(),
            );
        };
        let variants = || [&means.holds_more, &means.holds_less].into_iter().flatten();
        let published = self.checks.iter().any(|check| check.published.is_some());
        if !published && variants().next().is_some() {
            return Err(
                "[means] has holds_more or holds_less, but no check is published".to_owned(),
            );
        }
        for sentence in std::iter::once(&means.holds).chain(variants()) {
            placeholders(sentence, published)?;
        }
        let all_published = self.checks.iter().all(|check| check.published.is_some());
        placeholders(&means.does_not_hold, all_published)
    }
}

impl CheckDescription {
    /// Checks `below` and `above`.
    pub(in crate::reproduce) fn check_sides(&self) -> Result<(), String> {
        let sides = [
            ("below", &self.below, "at_least", self.at_least),
            ("above", &self.above, "at_most", self.at_most),
        ];
        for (side, sentence, bound, value) in sides {
            let Some(sentence) = sentence else { continue };
            if value.is_none() {
                return Err(format!("{side} is never said without {bound}"));
            }
            placeholders(sentence, self.published.is_some())?;
        }
        Ok(())
    }
}

/// Checks the placeholders of a sentence; `published` says whether the check that decides has a published figure.
fn placeholders(sentence: &str, published: bool) -> Result<(), String> {
    fill_in(sentence, |name| match (name, published) {
        ("measured" | "times", _) | ("published", true) => Ok(String::new()),
        ("published", false) => Err(format!(
            "'{{published}}' in '{sentence}': the check that decides has no published figure"
        )),
        _ => Err(format!(
            "'{{{name}}}' in '{sentence}' names nothing; accepted: {{measured}}, {{times}}, {{published}}"
        )),
    })
    .map(drop)
}

fn with_figures(sentence: &str, described: &CheckDescription, check: &Check) -> Option<String> {
    let figure = |number: f64| match described.is_share() {
        true => format!("{} %", short(number * 100.0)),
        false => short(number),
    };
    let filled = fill_in(sentence, |name| {
        let measured = check.measured.map(|measured| measured.median);
        let said = match name {
            "measured" => measured.map(figure),
            "times" if measured.is_some_and(|it| short(it) == short(1.0)) => {
                Some("just".to_owned())
            }
            "times" => measured.map(times),
            _ if sentence.contains("{times}") => check.published.map(times),
            _ => check.published.map(figure),
        };
        said.ok_or_else(|| format!("no {name}"))
    });
    filled.ok()
}

/// A ratio before `as much`. "0.65 times as much" would take a second look.
fn times(ratio: f64) -> String {
    match ratio < 1.0 {
        true => format!("{} %", short(ratio * 100.0)),
        false => format!("{} times", short(ratio)),
    }
}

/// Replaces `{name}` by the figure of that name.
fn fill_in(
    sentence: &str,
    figure: impl Fn(&str) -> Result<String, String>,
) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = sentence;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, behind) = behind
            .split_once('}')
            .ok_or_else(|| format!("a brace in '{sentence}' is never closed"))?;
        filled.push_str(before);
        filled.push_str(&figure(name)?);
        rest = behind;
    }
    filled.push_str(rest);
    Ok(filled)
}
