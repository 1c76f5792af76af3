//! Published lines over measured ones.
//!
//! A machine of 1998 and one of today differ in every unit, so the published numbers of a claim are multiplied by one factor,
//! which puts one of their points on the measured one. On a logarithmic axis that is a shift: the shape of each line and the
//! distances between them stay as published.

use locktoll_results::PublishedLine;
use locktoll_results::reproduction::{Claim, Series};

/// The published lines that belong to a group of measured series.
#[derive(Clone, Debug, PartialEq)]
pub struct Overlay {
    /// Each line, and the index of its measured series in the group.
    pub lines: Vec<(PublishedLine, usize)>,
    /// The factor by which the published values are drawn.
    pub factor: f64,
    /// The name of the line and the place that the factor puts on the measured point; `None` for shares, which are drawn as they
    /// are.
    pub fixed_at: Option<(String, String)>,
}

/// Returns the published lines of a claim that belong to `group`; `None` if there are none, or if none of their places was
/// measured.
pub fn overlay(claim: &Claim, group: &[&Series]) -> Option<Overlay> {
    let lines: Vec<(PublishedLine, usize)> = (joined(claim).into_iter())
        .filter_map(|line| {
            let series = measured_by(&line, group)?;
            Some((line, series))
        })
        .collect();
    if lines.first()?.0.unit.starts_with("share") {
        return Some(Overlay {
            lines,
            factor: 1.0,
            fixed_at: None,
        });
    }
    let fixed = lines.iter().find_map(|(line, series)| {
        line.points.iter().find_map(|point| {
            let there = group[*series].points.iter().find(|it| it.x == point.x)?;
            let factor = there.y?.median / point.y;
            let usable = factor.is_finite() && factor > 0.0;
            usable.then(|| (factor, (line.name.clone(), point.x.clone())))
        })
    });
    let (factor, at) = fixed?;
    Some(Overlay {
        lines,
        factor,
        fixed_at: Some(at),
    })
}

/// Returns the published lines; parts of the same name are one line.
fn joined(claim: &Claim) -> Vec<PublishedLine> {
    let mut lines: Vec<PublishedLine> = Vec::new();
    for part in claim.published.iter().flat_map(|it| &it.lines) {
        match lines.iter_mut().find(|line| line.name == part.name) {
            Some(line) => line.points.extend(part.points.iter().cloned()),
            None => lines.push(part.clone()),
        }
    }
    lines
}

/// Returns the index of the measured series that a line belongs to.
fn measured_by(line: &PublishedLine, group: &[&Series]) -> Option<usize> {
    match &line.measured {
        None => (!group.is_empty()).then_some(0),
        Some(lock) => group.iter().position(|series| {
            // A series is named `RUN: LOCK, PARAMETER VALUE`.
            let name = series
                .name
                .rsplit_once(": ")
                .map_or(&*series.name, |it| it.1);
            name.split(", ").next() == Some(lock)
        }),
    }
}
