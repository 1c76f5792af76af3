//! The verdict on a number and its bounds, and the verdict of all checks on a claim.

use std::cmp::Ordering;

use locktoll_lab::noise::Noise;
use locktoll_lab::stats::{Estimate, Look, least_samples};

use super::description::{CheckDescription, Description};
use super::shape::{Apart, Number};
use locktoll_results::reproduction::{Check, ClaimVerdict};
use locktoll_shown::short;

/// Judges one check.
///
/// A check *holds* only if the whole 95 % interval lies within the bounds, and *does not hold* only if the interval lies wholly
/// outside. If equal things differed by a factor in the same run, the interval is first widened by that factor: a difference that
/// the A/A pair shows too proves nothing.
///
/// `look` says how strict the intervals are, and so how many rounds they need.
///
/// `disturbed` says what else kept the machine busy, if that was significant. A disturbance changes the shape of curves, not only
/// times, and intervals do not show it. Exact counts are judged all the same.
pub fn check(
    look: Look,
    described: &CheckDescription,
    number: Result<Number, String>,
    disturbed: Option<&str>,
) -> Check {
    let (measured, (verdict, reason)) = match number {
        Ok(number) => match disturbed.filter(|_| !number.exact) {
            Some(by) => (
                Some(number.estimate),
                (ClaimVerdict::CannotBeJudgedHere, Some(by.to_owned())),
            ),
            None => (Some(number.estimate), verdict_of(look, described, &number)),
        },
        Err(reason) => (None, (ClaimVerdict::CannotBeJudgedHere, Some(reason))),
    };
    Check {
        what: described.what.clone(),
        at_least: described.at_least,
        at_most: described.at_most,
        published: described.published,
        measured,
        verdict,
        reason,
    }
}

/// Compares the figure with the published one, by the same interval as the verdict: `Equal` if the published one lies within it,
/// or there is none.
pub fn against_published(described: &CheckDescription, number: &Number) -> Ordering {
    let (low, high) = widened(number);
    match described.published {
        Some(published) if published < low => Ordering::Greater,
        Some(published) if high < published => Ordering::Less,
        _ => Ordering::Equal,
    }
}

/// Returns the check as it must be judged on a stand-in for the system or the processor (`stand_in`: `Wine 8.0, not Windows`):
/// everything that was measured or counted belongs to the stand-in, so the check neither holds nor fails.
pub fn on_stand_in(check: Check, stand_in: Option<&str>) -> Check {
    let Some(what) = stand_in else { return check };
    Check {
        verdict: ClaimVerdict::CannotBeJudgedHere,
        reason: match check.measured {
            Some(_) => Some(format!("this is {what}")),
            None => check.reason,
        },
        ..check
    }
}

/// On small machines: the share of the CPU time that other processes may take before timed figures are no longer judged.
const OTHERS_AT_MOST: f64 = 0.25;
/// On larger machines, where that share would be many CPUs: this fraction of one CPU. A process that takes half of a CPU stalls
/// the holder of a lock there.
const OTHERS_CPUS_AT_MOST: f64 = 0.5;
/// On very large machines, daemons alone reach that limit, so this share is always granted.
const OTHERS_ALWAYS: f64 = 0.02;
/// Share of the CPU time that the hypervisor may take.
const STEAL_AT_MOST: f64 = 0.1;

/// Returns what disturbed a run on a machine of `cpus` CPUs so much that its timed figures are no evidence about a claim. An
/// unknown disturbance counts as one.
pub fn disturbed(noise: &Noise, cpus: usize) -> Option<String> {
    let (Some(others), Some(steal)) = (noise.other_load_share, noise.steal_share) else {
        return Some("it is not known how busy other programs kept the machine".to_owned());
    };
    let granted = (OTHERS_CPUS_AT_MOST / cpus.max(1) as f64).clamp(OTHERS_ALWAYS, OTHERS_AT_MOST);
    if others > granted {
        return Some(format!(
            "other processes used {:.0} % of the machine's CPU time",
            others * 100.0
        ));
    }
    if steal > STEAL_AT_MOST {
        return Some(format!(
            "the hypervisor took {:.0} % of the CPU time away",
            steal * 100.0
        ));
    }
    let throttled_ns = noise.throttled_ns.filter(|ns| *ns > 0)?;
    Some(format!(
        "the control group's CPU quota stopped this process for {:.1} ms",
        throttled_ns as f64 / 1e6
    ))
}

fn verdict_of(
    look: Look,
    bounds: &CheckDescription,
    number: &Number,
) -> (ClaimVerdict, Option<String>) {
    let estimate = number.estimate;
    let least = least_samples(look.misses());
    if !number.exact && estimate.n < least {
        let reason = format!(
            "{} rounds give no {} % interval; {least} do",
            estimate.n,
            short((1.0 - look.misses()) * 100.0)
        );
        return (ClaimVerdict::CannotBeJudgedHere, Some(reason));
    }
    let (low, high) = widened(number);
    let least = bounds.at_least.unwrap_or(f64::NEG_INFINITY);
    let most = bounds.at_most.unwrap_or(f64::INFINITY);
    if least <= low && high <= most {
        return (ClaimVerdict::Holds, None);
    }
    if high < least || most < low {
        return (ClaimVerdict::DoesNotHold, None);
    }
    let inside = least <= estimate.low && estimate.high <= most;
    let outside = estimate.high < least || most < estimate.low;
    let reason = if inside || outside {
        match number.apart {
            Apart::Factor(factor) if factor.is_finite() => {
                format!("the same lock measured twice differed by up to {factor:.2}x")
            }
            Apart::Factor(_) => "one of two equal runs yielded nothing".to_owned(),
            Apart::Shift(shift) => format!(
                "the same lock measured twice differed by up to {}",
                short(shift)
            ),
        }
    } else {
        "the interval crosses the bound".to_owned()
    };
    (ClaimVerdict::CannotBeJudgedHere, Some(reason))
}

/// Returns the interval, widened by the difference between equal things.
fn widened(number: &Number) -> (f64, f64) {
    let Estimate { low, high, .. } = number.estimate;
    match number.apart {
        Apart::Shift(shift) => (low - shift, high + shift),
        Apart::Factor(factor) if !factor.is_finite() => (f64::NEG_INFINITY, f64::INFINITY),
        // A figure that is itself a difference can be negative, and a division would then narrow the interval.
        Apart::Factor(factor) => (
            (low / factor).min(low * factor),
            (high / factor).max(high * factor),
        ),
    }
}

/// Derives the verdict on the claim from its checks, with the reason.
pub fn claim(described: &Description, checks: &[Check]) -> (ClaimVerdict, String) {
    if let Some(reason) = &described.not_yet {
        return (ClaimVerdict::NotYet, reason.clone());
    }
    let first = |verdict| checks.iter().find(|check| check.verdict == verdict);
    if let Some(check) = first(ClaimVerdict::DoesNotHold) {
        return (ClaimVerdict::DoesNotHold, sentence(check));
    }
    if let Some(check) = first(ClaimVerdict::CannotBeJudgedHere) {
        return (ClaimVerdict::CannotBeJudgedHere, sentence(check));
    }
    match checks {
        [] => (
            ClaimVerdict::CannotBeJudgedHere,
            "nothing was checked".to_owned(),
        ),
        [check] => (ClaimVerdict::Holds, sentence(check)),
        [..] => (
            ClaimVerdict::Holds,
            format!("all {} checks lie within their bounds", checks.len()),
        ),
    }
}

/// Describes a check in words.
fn sentence(check: &Check) -> String {
    let what = &check.what;
    let bounds = match (check.at_least, check.at_most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "anything".to_owned(),
    };
    match (check.measured, &check.reason) {
        (Some(measured), reason) => {
            let (median, low, high) = (
                short(measured.median),
                short(measured.low),
                short(measured.high),
            );
            let interval = if measured.n > 1 {
                format!(" ({low} to {high})")
            } else {
                String::new()
            };
            let reason = reason
                .as_ref()
                .map_or(String::new(), |reason| format!(": {reason}"));
            format!("{what}: measured {median}{interval}; the claim allows {bounds}{reason}")
        }
        (None, Some(reason)) => format!("{what}: {reason}"),
        (None, None) => what.clone(),
    }
}
