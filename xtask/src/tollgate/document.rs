//! The table as JSON: schema `locktoll.tollgate/1`.

use locktoll_lab::stats::Estimate;
use serde_json::{Value, json};

use super::goal::Goal;
use super::judge::{Row, Standing};
use super::measured::Measured;
use super::text::Unit;

/// The document of all lines. Ratios are by rounds: a peer's figure over the subject's.
pub fn document(locks: &[&str], quick: bool, measured: &Measured, rows: &[Row]) -> Value {
    json!({
        "schema": "locktoll.tollgate/1",
        "subject": locks[0],
        "peers": locks[1..],
        "quick": quick,
        "machine": measured.machine,
        "taken_by_others": measured.taken,
        "warnings": measured.warnings,
        "failures": measured.failures,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let (least, most) = match row.line.goal {
        Some(Goal::AtLeast(limit)) => (Some(limit), None),
        Some(Goal::AtMost(limit)) => (None, Some(limit)),
        None => (None, None),
    };
    json!({
        "group": row.line.group.name,
        "cell": row.line.cell,
        "title": row.line.title,
        "unit": match Unit::of(row.line) {
            Unit::Ns => "ns",
            Unit::Share => "share",
            Unit::Times => "ratio",
        },
        "judged": estimate(row.judged),
        "at_least": least,
        "at_most": most,
        "verdict": row.verdict.map_or("no_goal", |it| it.word()),
        "lost_by": row.verdict.and_then(|it| it.lost_by()),
        "peer": row.peer.as_ref().map(|peer| peer.lock.as_str()),
        "locks": row.all.iter().map(lock).collect::<Vec<_>>(),
    })
}

fn lock(standing: &Standing) -> Value {
    json!({
        "lock": standing.lock,
        "figure": estimate(standing.figure),
        "over_subject": estimate(standing.ahead),
    })
}

fn estimate(estimate: Option<Estimate>) -> Value {
    serde_json::to_value(estimate).unwrap_or_default()
}
