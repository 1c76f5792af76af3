//! Where machines disagree.

use locktoll_results::merged::{Difference, DifferenceKind, MergedClaim, MergedMachine};
use locktoll_results::reproduction::{Check, Claim, ClaimVerdict};
use locktoll_shown::{short, verdict_words};

/// Returns the differences between machines: unequal verdicts, and checks whose intervals do not overlap.
pub fn differences(machines: &[MergedMachine], claims: &[MergedClaim]) -> Vec<Difference> {
    let mut all = Vec::new();
    for claim in claims {
        all.extend(of_verdicts(machines, claim));
        let mut seen: Vec<&str> = Vec::new();
        for check in claim.results.iter().flatten().flat_map(|it| &it.checks) {
            if !seen.contains(&&*check.what) {
                seen.push(&check.what);
                all.extend(of_intervals(machines, claim, &check.what));
            }
        }
    }
    all
}

fn of_verdicts(machines: &[MergedMachine], claim: &MergedClaim) -> Option<Difference> {
    let verdicts: Vec<(&MergedMachine, ClaimVerdict)> = there(machines, claim)
        .map(|(machine, claim)| (machine, claim.verdict))
        .collect();
    let has = |verdict| verdicts.iter().any(|(_, it)| *it == verdict);
    let (holds, fails) = (has(ClaimVerdict::Holds), has(ClaimVerdict::DoesNotHold));
    let judged = |it: &ClaimVerdict| matches!(it, ClaimVerdict::Holds | ClaimVerdict::DoesNotHold);
    let all_judged = verdicts.iter().all(|(_, it)| judged(it));
    let kind = match (holds && fails, (holds || fails) && !all_judged) {
        (true, _) => DifferenceKind::Verdict,
        (false, true) => DifferenceKind::Unjudged,
        (false, false) => return None,
    };
    let said: Vec<String> = (verdicts.iter())
        .map(|(machine, verdict)| format!("{} on {}", verdict_words(*verdict), machine.name))
        .collect();
    Some(Difference {
        claim: claim.id.clone(),
        kind,
        check: None,
        what: format!("{} ({}): {}", claim.id, claim.title, said.join("; ")),
    })
}

/// Compares the two machines that are furthest apart: if their intervals overlap, so do those of all others.
fn of_intervals(machines: &[MergedMachine], claim: &MergedClaim, what: &str) -> Option<Difference> {
    let measured = || {
        there(machines, claim).filter_map(|(machine, claim)| {
            let check: &Check = claim.checks.iter().find(|it| it.what == what)?;
            // A number that was counted once has no interval.
            Some((machine, check.measured.filter(|it| it.n > 1)?))
        })
    };
    let lowest = measured().min_by(|a, b| a.1.high.total_cmp(&b.1.high))?;
    let highest = measured().max_by(|a, b| a.1.low.total_cmp(&b.1.low))?;
    if highest.1.low <= lowest.1.high {
        return None;
    }
    let figure = |(machine, it): (&MergedMachine, locktoll_lab::stats::Estimate)| {
        let (median, low, high) = (short(it.median), short(it.low), short(it.high));
        format!("{median} ({low} to {high}) on {}", machine.name)
    };
    Some(Difference {
        claim: claim.id.clone(),
        kind: DifferenceKind::Interval,
        check: Some(what.to_owned()),
        what: format!(
            "{}, {what}: the intervals do not overlap: {}, {}",
            claim.id,
            figure(lowest),
            figure(highest)
        ),
    })
}

/// Returns the machines that ran the claim.
fn there<'a>(
    machines: &'a [MergedMachine],
    claim: &'a MergedClaim,
) -> impl Iterator<Item = (&'a MergedMachine, &'a Claim)> {
    let all = machines.iter().zip(&claim.results);
    all.filter_map(|(machine, result)| Some((machine, result.as_ref()?)))
}
