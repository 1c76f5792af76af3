//! What a contended hand-over is made of, in a sentence each, and what the parts predict.

use std::fmt::Write;

use locktoll_lab::probe::{Arm, Decomposition, HandOver};

use super::super::quantity::{price, signed};
use super::super::text_fold::folded;
use super::super::text_table::{dash, interval, lay_out};
use super::page::heading;

/// The split on one CPU, across CPUs, and the independent arms.
pub fn split(page: &mut String, whole: &Decomposition) -> std::fmt::Result {
    let sides = [
        ("on one CPU", &whole.same_cpu),
        ("across two CPUs", &whole.cross_cpu),
    ];
    if sides.iter().all(|(_, side)| side.is_none()) && whole.refused.is_none() {
        return Ok(());
    }
    heading(page, "What a contended hand-over is made of", "")?;
    for (place, side) in sides {
        if let Some(side) = side {
            folded(page, "  ", &sentence(place, side))?;
        }
    }
    if let Some(reason) = &whole.refused {
        folded(page, "  ", &format!("Not split further: {reason}."))?;
    }
    arms(page, whole)?;
    writeln!(page)
}

/// "A contended hand-over on this machine costs ..."
fn sentence(place: &str, side: &HandOver) -> String {
    let mut text = format!(
        "A contended hand-over on this machine costs {} {place} ({}):",
        price(side.total_ns.median),
        interval(side.total_ns)
    );
    for share in &side.parts {
        let ns = share.ns.median;
        // A part that the noise made negative is shown as what it is.
        let shown = if ns < 0.0 { signed(ns) } else { price(ns) };
        let _ = write!(text, " {} {shown},", share.title);
    }
    let left = side.residual_ns.median;
    let _ = write!(
        text,
        " and {} ({}) that the parts do not explain.",
        signed(left),
        per_cent(left, side.total_ns.median)
    );
    text
}

/// A part of a whole, with its sign.
fn per_cent(part: f64, whole: f64) -> String {
    match (part / whole * 100.0).round() {
        share if !share.is_finite() => dash(),
        0.0 => "0 %".to_owned(),
        share => format!("{share:+} %"),
    }
}

/// Other ways to hand over: what the parts predict, what was measured, what is between them.
fn arms(page: &mut String, whole: &Decomposition) -> std::fmt::Result {
    let sides: Vec<(&str, &HandOver)> = [("1 CPU", &whole.same_cpu), ("2 CPUs", &whole.cross_cpu)]
        .into_iter()
        .filter_map(|(place, side)| Some((place, side.as_ref()?)))
        .collect();
    let mut names: Vec<&str> = Vec::new();
    for (_, side) in &sides {
        for arm in &side.arms {
            if !names.contains(&arm.name.as_str()) {
                names.push(&arm.name);
            }
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    writeln!(page)?;
    let mut head = vec!["  one way by".to_owned()];
    for (place, _) in &sides {
        head.push(format!("{place}: measured"));
        head.push("predicted".to_owned());
        head.push("residual".to_owned());
    }
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows = names.into_iter().map(|name| {
        let mut row = vec![format!("  {name}")];
        for (_, side) in &sides {
            let arm = side.arms.iter().find(|arm| arm.name == name);
            row.extend(arm.map_or_else(|| [dash(), dash(), dash()], cells));
        }
        row
    });
    lay_out(page, "", &head, rows)
}

fn cells(arm: &Arm) -> [String; 3] {
    let (predicted, measured) = (arm.predicted_ns.median, arm.measured_ns.median);
    let left = arm.residual_ns.median;
    [price(measured), price(predicted), per_cent(left, measured)]
}
