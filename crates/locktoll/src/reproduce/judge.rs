//! What a number says of a bound, and what the checks together say of a claim.

use locktoll_lab::stats::confidence;

use super::description::{CheckDescription, Description};
use super::shape::Number;
use crate::report::{Check, ClaimVerdict, short};

/// Judges one check.
///
/// *Holds* only if the whole 95 % interval lies within the bounds, *does not hold* only if it lies wholly outside.
/// Where equal things differed by a factor in the same run, the interval is widened by that factor first: what the A/A
/// pair shows too proves nothing.
pub fn check(described: &CheckDescription, number: Result<Number, String>) -> Check {
    let (measured, (verdict, reason)) = match number {
        Ok(number) => (Some(number.estimate), verdict_of(described, &number)),
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

fn verdict_of(bounds: &CheckDescription, number: &Number) -> (ClaimVerdict, Option<String>) {
    let estimate = number.estimate;
    if !number.exact && confidence(estimate.n) < 0.95 {
        let reason = format!("{} rounds give no 95 % interval; 6 do", estimate.n);
        return (ClaimVerdict::CannotBeJudgedHere, Some(reason));
    }
    let (low, high) = (estimate.low / number.noise, estimate.high * number.noise);
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
        format!(
            "equal things differed by up to {:.2}x in the same run",
            number.noise
        )
    } else {
        "the interval reaches across the bound".to_owned()
    };
    (ClaimVerdict::CannotBeJudgedHere, Some(reason))
}

/// What the checks say of the claim, and why.
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

/// A check in words.
fn sentence(check: &Check) -> String {
    let what = &check.what;
    let bounds = match (check.at_least, check.at_most) {
        (Some(least), Some(most)) => format!("{least} to {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "anything".to_owned(),
    };
    match (check.measured, &check.reason) {
        (Some(measured), None) => format!(
            "{what}: {} where {bounds} is claimed",
            short(measured.median)
        ),
        (Some(measured), Some(reason)) => {
            let (low, high) = (short(measured.low), short(measured.high));
            format!("{what}: {low} to {high} where {bounds} is claimed: {reason}")
        }
        (None, Some(reason)) => format!("{what}: {reason}"),
        (None, None) => what.clone(),
    }
}
