//! The verdict in a line.

use super::amounts::{amount, factor};
use locktoll_results::Kind;
use locktoll_results::comparison::{Comparison, RowVerdict};
use locktoll_terminal::quantity::counted;

/// What came out, in a sentence or two; the first one says most.
pub fn summary(it: &Comparison) -> Vec<String> {
    match it.kind {
        Kind::Reproduce => vec![claims(it)],
        Kind::Profile => [program(it), vec![rows(it, "lock", "locks")]].concat(),
        Kind::Bench => vec![rows(it, "cell", "cells")],
        Kind::Machine => vec![rows(it, "price", "prices")],
        Kind::Try => vec![rows(it, "lock", "locks")],
        _ => vec![rows(it, "row", "rows")],
    }
}

/// How many rows came out how; of recordings, without that of the whole program.
fn rows(it: &Comparison, one: &str, many: &str) -> String {
    let rows = it.rows.iter().filter(|row| row.key != "program");
    let count = |verdict| rows.clone().filter(|row| row.verdict == verdict).count() as u64;
    let all = counted(rows.clone().count() as u64, one, many);
    let mut parts: Vec<String> = Vec::new();
    for (verdict, words) in [
        (RowVerdict::Slower, "slower in B"),
        (RowVerdict::Faster, "faster in B"),
        (RowVerdict::Changed, "changed in B"),
        (RowVerdict::OnlyA, "missing in B"),
        (RowVerdict::OnlyB, "new in B"),
        (RowVerdict::NoDifference, "without a detectable difference"),
        (RowVerdict::NotJudged, "not judged"),
    ] {
        let count = count(verdict);
        if count > 0 {
            parts.push(format!("{count} {words}"));
        }
    }
    let changed = rows.clone().find(|row| {
        matches!(
            row.verdict,
            RowVerdict::Slower | RowVerdict::Faster | RowVerdict::Changed
        )
    });
    let most = changed.and_then(|row| {
        let name = if row.name.is_empty() {
            &row.key
        } else {
            &row.name
        };
        Some(format!(
            "; most of all {name}, {}",
            factor(row.ratio.as_ref()?)
        ))
    });
    match parts.is_empty() {
        true => format!("{all}."),
        false => format!(
            "{all}: {}, by {}{}.",
            parts.join(", "),
            it.metric,
            most.unwrap_or_default()
        ),
    }
}

/// The program as a whole.
fn program(it: &Comparison) -> Vec<String> {
    let row = it.rows.iter().find(|row| row.key == "program");
    let wait = row.and_then(|row| row.metrics.iter().find(|figure| figure.name == "wait_ns"));
    let Some((wait, a, b)) = wait.and_then(|wait| Some((wait, wait.a?, wait.b?))) else {
        return Vec::new();
    };
    let ratio = wait.ratio.as_ref().map(factor).unwrap_or_default();
    let judged = match wait.verdict {
        RowVerdict::Faster => "less than before",
        RowVerdict::Slower => "more than before",
        _ if wait.ratio.is_some_and(|ratio| ratio.confidence.is_none()) => {
            "one run each, so no difference is claimed"
        }
        _ => "no detectable difference",
    };
    vec![format!(
        "The program waited {} for locks in A and {} in B ({ratio}): {judged}.",
        amount(wait.unit, a),
        amount(wait.unit, b)
    )]
}

fn claims(it: &Comparison) -> String {
    let claims = it.rows.iter().filter(|row| row.note.is_some());
    let count = |verdict| claims.clone().filter(|row| row.verdict == verdict).count();
    let (worse, better, other) = (
        count(RowVerdict::Slower),
        count(RowVerdict::Faster),
        count(RowVerdict::Changed),
    );
    let all = counted(claims.clone().count() as u64, "claim", "claims");
    if count(RowVerdict::NotJudged) > 0 {
        return format!("{all}: none can be judged, since a side is from a stand-in.");
    }
    format!(
        "{all}: {worse} held in A but not in B, {better} hold in B but did not in A, {other} could be judged on one side only, and \
         {} have the same verdict.",
        count(RowVerdict::NoDifference)
    )
}
