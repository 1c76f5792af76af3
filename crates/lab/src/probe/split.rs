//! The common parts of the splits of a hand-over, on every system.

use crate::stats::Estimate;

use super::paired::paired;
use super::ping_pong::Arm as Way;
use super::series::Series;
use super::switch::{switch, switch_ns};
use super::{Arm, Decomposition, Found, HandOver, Share};

/// Where a hand-over takes place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    OneCpu,
    TwoCpus,
}

/// An arm's own calls, and its ping-pong.
pub(super) struct MeasuredArm {
    pub arm: Way,
    pub alone: Series,
    pub one_cpu: Series,
    pub two_cpus: Series,
}

impl MeasuredArm {
    /// Builds an arm from the next three series.
    pub fn of(arm: Way, mut next: impl FnMut() -> Series) -> Self {
        Self {
            arm,
            alone: next(),
            one_cpu: next(),
            two_cpus: next(),
        }
    }

    /// Returns the ping-pong at `place`.
    pub fn between(&self, place: Where) -> &Series {
        match place {
            Where::OneCpu => &self.one_cpu,
            Where::TwoCpus => &self.two_cpus,
        }
    }
}

/// Returns the split on one CPU and across two: of a futex hand-over, with parts found by eventfd, unless the caller sets the
/// fields that say otherwise.
pub(super) fn in_both_places(
    hand_over: impl Fn(Where) -> Result<HandOver, String>,
) -> Decomposition {
    let same_cpu = hand_over(Where::OneCpu);
    let cross_cpu = hand_over(Where::TwoCpus);
    let reasons: Vec<String> = [("on one CPU", &same_cpu), ("across CPUs", &cross_cpu)]
        .into_iter()
        .filter_map(|(place, side)| Some(format!("{place}: {}", side.as_ref().err()?)))
        .collect();
    Decomposition {
        same_cpu: same_cpu.ok(),
        cross_cpu: cross_cpu.ok(),
        refused: (!reasons.is_empty()).then(|| reasons.join("; ")),
        ..Decomposition::default()
    }
}

/// Predicts each arm, or gives the reason why it could not be predicted, with its title.
pub(super) fn arms(
    measured: &[MeasuredArm],
    predict: impl Fn(&MeasuredArm) -> Result<Arm, String>,
) -> (Vec<Arm>, Vec<String>) {
    let (mut arms, mut refused) = (Vec::new(), Vec::new());
    for one in measured {
        match predict(one) {
            Ok(arm) => arms.push(arm),
            Err(reason) => refused.push(format!("{}: {reason}", one.arm.title)),
        }
    }
    (arms, refused)
}

/// Builds one part of a hand-over.
pub(super) fn share(name: &str, title: &str, found: Found, ns: Estimate, formula: &str) -> Share {
    Share {
        name: name.into(),
        title: title.into(),
        ns,
        formula: formula.into(),
        found,
    }
}

/// Returns the part due to the two calls that make the whole hand-over.
pub(super) fn system_calls(calls: [&Series; 2], formula: &str) -> Result<Share, String> {
    let ns = paired(calls, |[wake, wait]| wake.ns + wait.ns)?;
    Ok(share(
        "system-calls",
        "system calls",
        Found::Measured,
        ns,
        formula,
    ))
}

/// Yields between two threads, and yields of one thread alone.
#[derive(Clone, Copy)]
pub(super) struct Yields<'m> {
    pub pair: &'m Series,
    pub alone: &'m Series,
}

impl Yields<'_> {
    /// Returns the part due to the switch.
    pub fn switch(self, formula: &str) -> Result<Share, String> {
        let ns = switch(self.pair, self.alone)?;
        Ok(share("switch", "switch", Found::Measured, ns, formula))
    }

    /// Returns the scheduler's part: the time that another way to hand over takes on one CPU beyond its own calls and the switch.
    pub fn scheduler(self, other: &MeasuredArm, formula: &str) -> Result<Share, String> {
        let series = [&other.one_cpu, &other.alone, self.pair, self.alone];
        let ns = paired(series, |[one, calls, pair, alone]| {
            one.ns - calls.ns - switch_ns(pair, alone)
        })?;
        Ok(share(
            "scheduler",
            "scheduler",
            Found::Subtraction,
            ns,
            formula,
        ))
    }
}
