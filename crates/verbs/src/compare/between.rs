//! Makes a comparison from two sides.

use super::context::Around;
use super::measure::Metric;
use super::order::{Apart, order};
use super::side::Results;
use super::stand_in::{leave_unjudged, stand_in};
use super::{bench, locks, machine, reproduction, tour, trial};
use locktoll_results::Kind;
use locktoll_results::comparison::{Comparison, Difference, Row, Side};
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::Failure;

/// Returns all figures that rows of this kind of result can have. Rows are judged by the first, unless the user asks for another.
pub fn metrics(kind: Kind) -> Vec<Metric> {
    match kind {
        Kind::Bench => bench::METRICS.to_vec(),
        Kind::Machine => machine::METRICS.to_vec(),
        Kind::Reproduce => reproduction::METRICS.to_vec(),
        Kind::Profile => locks::METRICS.to_vec(),
        Kind::Tour => [&bench::METRICS[..], &locks::METRICS[..]].concat(),
        Kind::Try => trial::METRICS.to_vec(),
        Kind::Compare | Kind::Kernel | Kind::Hang | Kind::WhatIf | Kind::Advise => Vec::new(),
    }
}

/// Compares two sides of one kind, by the figure `by` if it is given.
///
/// # Errors
/// [`Failure::Usage`] if the sides are of two kinds, or if such results do not have the figure.
pub fn between(a: &Results, b: &Results, by: Option<&str>) -> Result<Comparison, Failure> {
    a.goes_with(b)?;
    if a.kind == Kind::Tour && by.is_some() {
        return Err(Failure::Usage(
            "--by is not for results of tour: its benches and its server have no figure in common"
                .to_owned(),
        ));
    }
    let known = metrics(a.kind);
    let lead = match by {
        None => known.first().map_or("", |metric| metric.name),
        Some(by) => known
            .iter()
            .find(|metric| metric.name == by)
            .map(|metric| metric.name)
            .ok_or_else(|| {
                Failure::Usage(format!(
                    "'{}' is not a figure of {}; --by accepts: {}",
                    shown_text(by),
                    a.kind.described(),
                    names(&known)
                ))
            })?,
    };
    let around = Around::of(a, b);
    let mut rows = rows(a, b, lead, &around);
    let apart = match a.kind {
        Kind::Profile => Apart::Amount,
        _ => Apart::Factor,
    };
    order(&mut rows, apart);
    let (stand_in_a, stand_in_b) = (stand_in(a), stand_in(b));
    if stand_in_a.is_some() || stand_in_b.is_some() {
        leave_unjudged(&mut rows);
    }
    let side = |of: &Results, what: String, warnings: Vec<String>, stand_in| Side {
        files: of
            .files
            .iter()
            .map(|file| shown(file.as_os_str()))
            .collect(),
        what: shown_text(&what),
        warnings: warnings.iter().map(|it| shown_text(it)).collect(),
        stand_in,
    };
    Ok(Comparison {
        schema: "locktoll.compare/1".to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        made: None,
        kind: a.kind,
        metric: lead.to_owned(),
        a: side(a, around.what_a, around.warnings_a, stand_in_a),
        b: side(b, around.what_b, around.warnings_b, stand_in_b),
        differs: around
            .differs
            .0
            .into_iter()
            .map(|it| Difference {
                what: it.what,
                a: shown_text(&it.a),
                b: shown_text(&it.b),
            })
            .collect(),
        noise: around.noise,
        notes: around.notes.iter().map(|it| shown_text(it)).collect(),
        rows,
        rules: Vec::new(),
    })
}

/// Joins the names of figures, for a message.
pub fn names(metrics: &[Metric]) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
    names.join(", ")
}

/// Returns the rows of two sides of one kind, in the order in which they were found.
fn rows(a: &Results, b: &Results, lead: &str, around: &Around) -> Vec<Row> {
    let drift = around.drift;
    match a.kind {
        Kind::Bench => bench::rows(&a.benches(), &b.benches(), lead, drift),
        Kind::Machine => machine::rows(&a.machines(), &b.machines(), lead, around.prices.as_ref()),
        Kind::Tour => tour::rows(&a.tours(), &b.tours(), drift),
        Kind::Profile => locks::rows(&a.profiles(), &b.profiles(), lead),
        Kind::Try => trial::rows(&a.trials(), &b.trials(), lead),
        Kind::Reproduce => {
            let pairs = a.reproductions().into_iter().zip(b.reproductions());
            pairs
                .flat_map(|(a, b)| reproduction::rows(a, b, lead))
                .collect()
        }
        Kind::Compare | Kind::Kernel | Kind::Hang | Kind::WhatIf | Kind::Advise => Vec::new(),
    }
}
