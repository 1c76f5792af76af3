//! Verdicts on published claims, on both sides.

use super::measure::{Entry, Measured, Metric, row};
use locktoll_results::comparison::{Row, RowVerdict, Unit};
use locktoll_results::reproduction::{Claim, ClaimVerdict, Reproduction};

/// Figures of a claim; rows are judged by the first.
pub const METRICS: [Metric; 2] = [
    // The number of checks that hold. It exists only because a row needs a figure; the comparison is between the verdicts.
    Metric::more("checks_held", Unit::Count),
    Metric::neither("measured", Unit::Quotient),
];

/// Returns one row per claim with its verdicts, and one per check with its measurements.
pub fn rows(a: &Reproduction, b: &Reproduction, lead: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let in_b = |claim: &Claim| b.claims.iter().find(|it| it.id == claim.id);
    let in_a = |claim: &Claim| a.claims.iter().find(|it| it.id == claim.id);
    for claim in &a.claims {
        rows.extend(of_claim(Some(claim), in_b(claim), lead));
    }
    for claim in b.claims.iter().filter(|claim| in_a(claim).is_none()) {
        rows.extend(of_claim(None, Some(claim), lead));
    }
    rows
}

fn of_claim(a: Option<&Claim>, b: Option<&Claim>, lead: &str) -> Vec<Row> {
    let claim_row = row(a.map(claim), b.map(claim), lead, 1.0).map(|mut row| {
        if let (Some(a), Some(b)) = (a, b) {
            row.verdict = turned(a.verdict, b.verdict);
        }
        let said = |side: Option<&Claim>| side.map_or("not there", |it| words(it.verdict));
        row.note = Some(match (said(a), said(b)) {
            (a, b) if a == b => a.to_owned(),
            (a, b) => format!("{a} in A, {b} in B"),
        });
        row
    });
    let mut rows: Vec<Row> = claim_row.into_iter().collect();
    // A check that one side does not have is covered by the row of its claim.
    if let (Some(a), Some(b)) = (a, b) {
        let checks = |claim: &Claim| -> Vec<Entry> {
            claim.checks.iter().map(|it| check(claim, it)).collect()
        };
        rows.extend(super::pair::pair(checks(a), checks(b), "measured", |_| 1.0));
    }
    rows
}

fn claim(claim: &Claim) -> Entry {
    let held = claim
        .checks
        .iter()
        .filter(|check| check.verdict == ClaimVerdict::Holds)
        .count();
    Entry {
        key: claim.id.clone(),
        name: claim.title.clone(),
        figures: vec![(METRICS[0], Measured::once(held as f64))],
    }
}

fn check(claim: &Claim, check: &locktoll_results::reproduction::Check) -> Entry {
    let measured = check
        .measured
        .and_then(|measured| Measured::of_rounds([measured]));
    Entry {
        key: format!("{}: {}", claim.id, check.what),
        name: check.what.clone(),
        figures: measured.map(|it| (METRICS[1], it)).into_iter().collect(),
    }
}

/// Compares two verdicts: a claim that held and no longer does is worse, the reverse is better; a transition to or from "cannot
/// be judged" is a change.
fn turned(a: ClaimVerdict, b: ClaimVerdict) -> RowVerdict {
    use ClaimVerdict::{DoesNotHold, Holds};
    match (a, b) {
        _ if a == b => RowVerdict::NoDifference,
        (Holds, DoesNotHold) => RowVerdict::Slower,
        (DoesNotHold, Holds) => RowVerdict::Faster,
        _ => RowVerdict::Changed,
    }
}

/// Whether the note of a claim's row says that the claim holds or that it does not.
pub fn is_decided(row: &Row) -> bool {
    [ClaimVerdict::Holds, ClaimVerdict::DoesNotHold]
        .into_iter()
        .any(|verdict| row.note.as_deref() == Some(words(verdict)))
}

fn words(verdict: ClaimVerdict) -> &'static str {
    match verdict {
        ClaimVerdict::Holds => "holds",
        ClaimVerdict::DoesNotHold => "does not hold",
        ClaimVerdict::CannotBeJudgedHere => "cannot be judged",
        ClaimVerdict::NotYet => "not run yet",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up;

    #[test]
    fn a_verdict_turns_for_the_worse_or_the_better_or_just_changes() {
        use ClaimVerdict::{CannotBeJudgedHere, DoesNotHold, Holds};
        for (a, b, expected) in [
            (Holds, Holds, RowVerdict::NoDifference),
            (DoesNotHold, DoesNotHold, RowVerdict::NoDifference),
            (Holds, DoesNotHold, RowVerdict::Slower),
            (DoesNotHold, Holds, RowVerdict::Faster),
            (Holds, CannotBeJudgedHere, RowVerdict::Changed),
            (CannotBeJudgedHere, DoesNotHold, RowVerdict::Changed),
        ] {
            assert_eq!(turned(a, b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn a_row_says_what_was_found_on_either_side() {
        let a = made_up::reproduction();
        let mut b = a.clone();
        b.claims[0].verdict = match a.claims[0].verdict {
            ClaimVerdict::Holds => ClaimVerdict::CannotBeJudgedHere,
            _ => ClaimVerdict::Holds,
        };
        let gone = b.claims.pop().unwrap().id;
        let note = |rows: &[Row], key: &str| {
            let row = rows.iter().find(|row| row.key == key).unwrap();
            (row.note.clone().unwrap(), is_decided(row))
        };
        let (there, back) = (rows(&a, &b, "checks_held"), rows(&b, &a, "checks_held"));
        let first = &a.claims[0];
        let (was, is) = (words(first.verdict), words(b.claims[0].verdict));
        assert_eq!(
            note(&there, &first.id),
            (format!("{was} in A, {is} in B"), false)
        );
        let verdict = words(a.claims.last().unwrap().verdict);
        assert_eq!(
            note(&there, &gone),
            (format!("{verdict} in A, not there in B"), false)
        );
        assert_eq!(
            note(&back, &gone),
            (format!("not there in A, {verdict} in B"), false)
        );
        for claim in &a.claims[1..a.claims.len() - 1] {
            let decided = matches!(
                claim.verdict,
                ClaimVerdict::Holds | ClaimVerdict::DoesNotHold
            );
            let expected = (words(claim.verdict).to_owned(), decided);
            assert_eq!(note(&there, &claim.id), expected, "{}", claim.id);
        }
        // A claim has a row of its own once.
        let of_claims = |rows: &[Row]| rows.iter().filter(|row| row.note.is_some()).count();
        assert_eq!(of_claims(&there), a.claims.len());
        assert_eq!(of_claims(&back), a.claims.len());
    }

    #[test]
    fn the_figure_of_a_claim_is_how_many_of_its_checks_hold() {
        let mut claim = made_up::reproduction().claims.remove(0);
        let one = claim.checks[0].clone();
        claim.checks = [ClaimVerdict::Holds, ClaimVerdict::DoesNotHold]
            .into_iter()
            .chain([ClaimVerdict::Holds; 2])
            .map(|verdict| locktoll_results::reproduction::Check {
                verdict,
                ..one.clone()
            })
            .collect();
        assert_eq!(
            super::claim(&claim).figures,
            [(METRICS[0], Measured::once(3.0))]
        );
    }
}
