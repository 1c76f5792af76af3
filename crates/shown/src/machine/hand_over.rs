//! The parts of a contended hand-over, in one sentence each, and how well they predict the whole and other kinds of hand-over.

use std::fmt::Write;

use locktoll_lab::probe::{Arm, Decomposition, Found, HandOver};

use super::page::heading;
use crate::table::{dash, interval, lay_out};
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::{price, signed};

/// Writes the split on one CPU, across CPUs, and the other kinds of hand-over.
pub fn split(
    page: &mut String,
    whole: &Decomposition,
    policy: &str,
    width: usize,
) -> std::fmt::Result {
    let sides = [
        ("on one CPU", &whole.same_cpu),
        ("across two CPUs", &whole.cross_cpu),
    ];
    if sides.iter().all(|(_, side)| side.is_none()) && whole.refused.is_none() {
        return Ok(());
    }
    heading(page, "The parts of a contended hand-over", "")?;
    for (place, side) in sides {
        if let Some(side) = side {
            folded(page, "  ", &sentence(place, side, policy), width)?;
        }
    }
    if sides.iter().any(|(_, side)| side.is_some()) {
        folded(page, "  ", &meaning(whole), width)?;
    }
    if let Some(reason) = &whole.refused {
        folded(page, "  ", &format!("Not split further: {reason}."), width)?;
    }
    arms(page, whole)?;
    for (place, side) in sides {
        for reason in side.iter().flat_map(|side| &side.arms_refused) {
            folded(
                page,
                "  ",
                &format!("Not predicted {place}: {reason}"),
                width,
            )?;
        }
    }
    writeln!(page)
}

/// Explains what the parts and the remainder mean.
fn meaning(whole: &Decomposition) -> String {
    let (hand_over, whole_name) = match &whole.whole {
        None => ("a futex hand-over".to_owned(), "the futex"),
        Some(object) => (format!("a hand-over by {object}"), object.as_str()),
    };
    let other = whole.subtracted_from.as_deref().unwrap_or("eventfd");
    format!(
        "The whole was measured on {hand_over}, the parts separately. ~: found by subtraction, as the time that a hand-over by {other} \
         takes beyond the other parts. The residual shows how well the parts add up for {whole_name}, and below for other ways to \
         hand over; it cannot show how the rest divides between switch and scheduler."
    )
}

/// "5.29 us across two CPUs: ..."
fn sentence(place: &str, side: &HandOver, policy: &str) -> String {
    let under = match policy {
        "" => String::new(),
        policy => format!(", under {policy}"),
    };
    let mut text = format!(
        "{} {place} ({}{under}):",
        price(side.total_ns.median),
        interval(side.total_ns)
    );
    for share in &side.parts {
        let shown = price(share.ns.median);
        let mark = match share.found {
            Found::Measured => "",
            Found::Subtraction => "~ ",
        };
        let _ = write!(text, " {} {mark}{shown},", share.title);
    }
    let left = side.residual_ns.median;
    let _ = write!(
        text,
        " and a residual of {} ({}).",
        signed(left),
        per_cent(left, side.total_ns.median)
    );
    text
}

/// Formats a part of a whole, with its sign.
fn per_cent(part: f64, whole: f64) -> String {
    match (part / whole * 100.0).round() {
        share if !share.is_finite() => dash(),
        0.0 => "0 %".to_owned(),
        share => format!("{share:+} %"),
    }
}

/// Writes the other kinds of hand-over: the prediction from the parts, the measurement, and the difference.
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
