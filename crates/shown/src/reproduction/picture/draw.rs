//! The whole picture: panels, the key to the lines, and a description in words.

use std::fmt::Write;

use locktoll_results::reproduction::Claim;

use super::super::text::{interval, short, verdict_words};
use super::curves::{self, Axes, Frame, Group, groups};
use super::ink::{CHARACTER, COLOURS, Ink, Mark, STYLE, escaped, fitting};
use super::ratios;

/// A claim as one machine found it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The machine's name, if there are several.
    pub machine: Option<&'a str>,
    /// The claim.
    pub claim: &'a Claim,
}

const WIDTH: f64 = 760.0;
const MARGIN: f64 = 14.0;
const PANEL: f64 = 250.0;
const KEY: f64 = 18.0;

/// A panel of curves before it is placed.
struct Panel<'a> {
    title: String,
    group: Group<'a>,
    axes: usize,
}

/// Returns the picture of a claim on one or several machines; `None` if nothing was measured.
pub fn picture(views: &[View<'_>]) -> Option<String> {
    let claim = views.first()?.claim;
    let mut panels: Vec<Panel<'_>> = Vec::new();
    for view in views {
        for group in groups(view.claim) {
            let first = group.series[0];
            let what = format!("{} by {}", first.unit, first.x_name);
            let axes = panels.iter().find(|panel| {
                let known = panel.group.series[0];
                known.unit == first.unit && known.x_name == first.x_name
            });
            let axes = axes.map_or(panels.len(), |panel| panel.axes);
            let title = match view.machine {
                Some(machine) => format!("{machine}: {what}"),
                None => what,
            };
            panels.push(Panel { title, group, axes });
        }
    }
    let width = WIDTH - 2.0 * MARGIN;
    let ratios_high = ratios::height(views);
    if panels.is_empty() && ratios_high == 0.0 {
        return None;
    }
    let names = names(&panels);
    let mut ink = Ink::default();
    let columns = if panels.len() > 1 { 2 } else { 1 };
    let gap = 12.0;
    let panel_width = (width - gap * (columns as f64 - 1.0)) / columns as f64;
    let mut y = MARGIN;
    for (at, panel) in panels.iter().enumerate() {
        let frame = Frame {
            x: MARGIN + (at % columns) as f64 * (panel_width + gap),
            y: y + (at / columns) as f64 * (PANEL + gap),
            width: panel_width,
            height: PANEL,
        };
        let same = panels.iter().filter(|other| other.axes == panel.axes);
        let same: Vec<&Group<'_>> = same.map(|other| &other.group).collect();
        let axes = Axes::of(&same);
        curves::draw(&mut ink, frame, &panel.title, &panel.group, &axes, &names);
    }
    y += panels.len().div_ceil(columns) as f64 * (PANEL + gap);
    y = key(&mut ink, y, width, &panels, &names);
    if ratios_high > 0.0 {
        ratios::draw(&mut ink, (MARGIN, y), width, views);
        y += ratios_high;
    }
    Some(whole(claim, views, &panels, y + MARGIN, &ink.0))
}

/// Returns the names of all series, in order; the index is that of the colour.
fn names(panels: &[Panel<'_>]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for series in panels.iter().flat_map(|panel| &panel.group.series) {
        if !names.contains(&series.name) {
            names.push(series.name.clone());
        }
    }
    names
}

/// Draws the key to the lines, and says by what factor published values are drawn; returns the lower edge.
fn key(ink: &mut Ink, top: f64, width: f64, panels: &[Panel<'_>], names: &[String]) -> f64 {
    let mut entries: Vec<(usize, bool, String)> = (names.iter().enumerate())
        .map(|(at, name)| (at, false, name.clone()))
        .collect();
    let mut notes: Vec<String> = Vec::new();
    for panel in panels {
        let Some(overlay) = &panel.group.overlay else {
            continue;
        };
        for (line, series) in &overlay.lines {
            let measured = &panel.group.series[*series].name;
            let at = names.iter().position(|name| name == measured).unwrap_or(0);
            let name = match line.name.as_str() {
                "published" => line.name.clone(),
                other => format!("published: {other}"),
            };
            if !entries.contains(&(at, true, name.clone())) {
                entries.push((at, true, name));
            }
        }
        notes.extend(note(panel));
    }
    let (mut x, mut y) = (MARGIN, top);
    for (at, published, name) in entries {
        let name = fitting(&name, width - 40.0);
        let wide = 34.0 + name.chars().count() as f64 * CHARACTER + 14.0;
        if x > MARGIN && x + wide > MARGIN + width {
            (x, y) = (MARGIN, y + KEY);
        }
        let class = format!("s{}", at % COLOURS);
        let dash = if published { "dash " } else { "" };
        ink.line(
            &format!("line {dash}{class}"),
            (x, y + 6.0),
            (x + 26.0, y + 6.0),
        );
        match published {
            true => ink.mark(
                &format!("hollow {class}"),
                Mark::Diamond,
                (x + 13.0, y + 6.0),
            ),
            false => ink.mark(&class, Mark::of_line(at), (x + 13.0, y + 6.0)),
        }
        ink.text((x + 32.0, y + 10.0), "", "start", &name);
        x += wide;
    }
    if x > MARGIN {
        y += KEY;
    }
    for note in notes {
        let note = fitting(&note, width);
        ink.text((MARGIN, y + 10.0), "faint", "start", &note);
        y += KEY;
    }
    if y > top { y + 8.0 } else { y }
}

/// Says how the published values of a panel are drawn.
fn note(panel: &Panel<'_>) -> Option<String> {
    let overlay = panel.group.overlay.as_ref()?;
    let measured = panel.group.series[0];
    let of = match panel.title.split_once(": ") {
        Some((machine, _)) => format!(" ({machine})"),
        None => String::new(),
    };
    Some(match &overlay.fixed_at {
        Some((name, place)) => format!(
            "Published values times {}{of}: the point of '{name}' at {place} ({}) lies on the measured one.",
            short(overlay.factor),
            measured.x_name
        ),
        None => format!(
            "Published: {}; measured: {}.",
            overlay.lines[0].0.unit, measured.unit
        ),
    })
}

/// Puts the picture together. What it shows is also said in words, for readers who do not see it.
fn whole(
    claim: &Claim,
    views: &[View<'_>],
    panels: &[Panel<'_>],
    height: f64,
    ink: &str,
) -> String {
    let mut svg = String::new();
    let mut described = vec![claim.claim.clone()];
    for view in views {
        let on = view.machine.map_or(String::new(), |it| format!(" on {it}"));
        described.push(format!(
            "{}{on}.",
            capital(verdict_words(view.claim.verdict))
        ));
        for check in &view.claim.checks {
            let words = ratios::words(check, None);
            described.push(format!("{}: {words}.", check.what));
        }
    }
    for panel in panels {
        for series in &panel.group.series {
            let points = series.points.iter().map(|point| {
                let value = point.y.map_or_else(
                    || "not measured".to_owned(),
                    |y| format!("{} ({})", short(y.median), interval(y)),
                );
                format!("{} {value}", point.x)
            });
            let points: Vec<String> = points.collect();
            described.push(format!(
                "{}, {}, by {}: {}.",
                series.name,
                series.unit,
                series.x_name,
                points.join("; ")
            ));
        }
        for (line, _) in panel.group.overlay.iter().flat_map(|it| &it.lines) {
            let points: Vec<String> = (line.points.iter())
                .map(|point| format!("{} {}", point.x, short(point.y)))
                .collect();
            let (name, unit) = (&line.name, &line.unit);
            described.push(format!("Published, {name}, {unit}: {}.", points.join("; ")));
        }
    }
    let title = escaped(&format!("{} {}", claim.id, claim.title));
    let words = escaped(&described.join(" "));
    writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title description\">\n\
         <title id=\"title\">{title}</title>\n<desc id=\"description\">{words}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"bg\" width=\"100%\" height=\"100%\"/>\n{ink}</svg>"
    )
    .expect("writing to a string does not fail");
    svg
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
