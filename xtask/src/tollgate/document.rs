//! The table as JSON: schema `locktoll.tollgate/1`.

use locktoll_lab::stats::Estimate;
use serde_json::{Value, json};

use super::campaign::Campaign;
use super::group::Goal;
use super::row::{Field, Row, Standing, Unit};

/// The document of all lines. Ratios are by rounds: a peer's figure over the subject's.
pub fn document(field: Field<'_>, quick: bool, campaign: &Campaign, rows: &[Row]) -> Value {
    json!({
        "schema": "locktoll.tollgate/1",
        "subject": field.subject,
        "peers": field.peers,
        "quick": quick,
        "machine": campaign.machine,
        "taken_by_others": campaign.taken,
        "warnings": campaign.warnings,
        "failures": campaign.failures,
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn row(row: &Row) -> Value {
    let (least, most) = match row.goal {
        Some(Goal::AtLeast(limit)) => (Some(limit), None),
        Some(Goal::AtMost(limit)) => (None, Some(limit)),
        None => (None, None),
    };
    json!({
        "group": row.group.name(),
        "cell": row.cell,
        "title": row.title,
        "unit": match row.unit {
            Unit::Ns => "ns",
            Unit::Share => "share",
            Unit::Times => "ratio",
        },
        "judged": estimate(row.judged),
        "at_least": least,
        "at_most": most,
        "verdict": row.verdict.word(),
        "lost_by": row.verdict.lost_by(),
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
