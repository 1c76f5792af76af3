//! A panel with the measured curves of one machine, and the published ones over them.

use locktoll_results::number_of;
use locktoll_results::reproduction::{Claim, Point, Series};

use super::ink::{CHARACTER, COLOURS, Ink, Mark, fitting};
use super::overlay::{Overlay, overlay};
use super::scale::{Scale, tick};

/// Series of a claim that share axis and unit.
#[derive(Debug)]
pub struct Group<'a> {
    /// The series.
    pub series: Vec<&'a Series>,
    /// The published lines over them.
    pub overlay: Option<Overlay>,
}

/// The axes that the panels of all machines share.
#[derive(Debug)]
pub struct Axes {
    places: Vec<String>,
    /// The places as numbers, if all are numbers that lie far apart; otherwise they have equal distances.
    across: Option<Scale>,
    numeric: bool,
    up: Option<Scale>,
}

/// Returns the groups of a claim.
pub fn groups(claim: &Claim) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for series in &claim.series {
        let same = |group: &&mut Group<'_>| {
            group.series[0].x_name == series.x_name && group.series[0].unit == series.unit
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.series.push(series),
            None => groups.push(Group {
                series: vec![series],
                overlay: None,
            }),
        }
    }
    for group in &mut groups {
        group.overlay = overlay(claim, &group.series);
    }
    groups
}

impl Axes {
    /// Returns the axes that show all of the groups, which are the same of several machines.
    pub fn of(groups: &[&Group<'_>]) -> Self {
        let measured = |group: &&Group<'_>| -> Vec<Point> {
            let series = group.series.iter();
            series.flat_map(|it| it.points.clone()).collect()
        };
        let points: Vec<Point> = groups.iter().flat_map(measured).collect();
        let mut places: Vec<String> = Vec::new();
        let mut values: Vec<f64> = Vec::new();
        // A noisy interval may reach down to zero. A linear axis for its sake would hide the small values.
        let positive = points.iter().all(|it| it.y.is_none_or(|y| y.median > 0.0));
        let mut add = |place: &String| {
            if !places.contains(place) {
                places.push(place.clone());
            }
        };
        for point in &points {
            add(&point.x);
            let ends = point.y.iter().flat_map(|y| [y.median, y.low, y.high]);
            values.extend(ends.filter(|end| !positive || *end > 0.0));
        }
        for overlay in groups.iter().filter_map(|group| group.overlay.as_ref()) {
            for point in overlay.lines.iter().flat_map(|(line, _)| &line.points) {
                add(&point.x);
                values.push(point.y * overlay.factor);
            }
        }
        let numbers: Option<Vec<f64>> = places.iter().map(|place| number_of(place)).collect();
        let mut across = None;
        if let Some(numbers) = &numbers {
            let value = |place: &String| number_of(place).unwrap_or(0.0);
            places.sort_by(|a, b| value(a).total_cmp(&value(b)));
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let most = numbers.iter().copied().fold(0.0, f64::max);
            if least > 0.0 && most / least >= 8.0 {
                across = Scale::for_ratios(numbers);
            }
        }
        Self {
            places,
            across,
            numeric: numbers.is_some(),
            up: Scale::for_amounts(&values),
        }
    }

    fn across(&self, place: &str) -> f64 {
        match (self.across, number_of(place)) {
            (Some(scale), Some(number)) => scale.place(number),
            _ => {
                let at = self.places.iter().position(|it| it == place).unwrap_or(0);
                (at as f64 + 0.5) / self.places.len().max(1) as f64
            }
        }
    }
}

/// A panel: its corner and size.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    /// The width.
    pub width: f64,
    /// The height.
    pub height: f64,
}

const LEFT: f64 = 52.0;
const TOP: f64 = 26.0;
const BELOW: f64 = 36.0;

/// Draws the panel. The index of a series in `names` is that of its colour.
pub fn draw(
    ink: &mut Ink,
    frame: Frame,
    title: &str,
    group: &Group<'_>,
    axes: &Axes,
    names: &[String],
) {
    let inner = Frame {
        x: frame.x + LEFT,
        y: frame.y + TOP,
        width: frame.width - LEFT - 10.0,
        height: frame.height - TOP - BELOW,
    };
    let title = fitting(title, frame.width - 10.0);
    ink.text((frame.x, frame.y + 13.0), "head", "start", &title);
    let Some(up) = axes.up else { return };
    let at = |place: &str, value: f64| {
        let y = inner.y + inner.height * (1.0 - up.place(value));
        (inner.x + inner.width * axes.across(place), y)
    };
    grid(ink, inner, group, axes, up);
    for (order, series) in group.series.iter().enumerate() {
        let index = names.iter().position(|name| *name == series.name);
        let index = index.unwrap_or(order);
        let class = format!("s{}", index % COLOURS);
        // Words have no order that a line could follow; marks side by side do not hide each other.
        let aside = match axes.numeric {
            true => 0.0,
            false => (order as f64 - (group.series.len() as f64 - 1.0) / 2.0) * 9.0,
        };
        let there = series.points.iter().filter_map(|it| Some((&it.x, it.y?)));
        let points: Vec<(f64, f64)> = there
            .clone()
            .map(|(x, y)| at(x, y.median))
            .map(|(x, y)| (x + aside, y))
            .collect();
        if axes.numeric {
            // A line through a place that was not measured would claim a value there.
            for part in series.points.split(|it| it.y.is_none()) {
                let part: Vec<(f64, f64)> = (part.iter())
                    .filter_map(|it| Some(at(&it.x, it.y?.median)))
                    .collect();
                ink.path(&format!("line {class}"), &part);
            }
        }
        for ((place, value), point) in there.zip(&points) {
            let end = |value: f64| (point.0, at(place, value).1);
            ink.whisker(&class, end(value.low), end(value.high));
            ink.mark(&class, Mark::of_line(index), *point);
        }
    }
    for (line, series) in group.overlay.iter().flat_map(|overlay| &overlay.lines) {
        let factor = group.overlay.as_ref().map_or(1.0, |it| it.factor);
        let name = &group.series[*series].name;
        let index = names.iter().position(|it| it == name).unwrap_or(*series);
        let class = format!("s{}", index % COLOURS);
        let mut points: Vec<(f64, f64)> = (line.points.iter())
            .map(|point| at(&point.x, point.y * factor))
            .collect();
        if axes.numeric {
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            ink.path(&format!("line dash {class}"), &points);
        }
        for (x, y) in points {
            let aside = if axes.numeric { 0.0 } else { 14.0 };
            ink.mark(&format!("hollow {class}"), Mark::Diamond, (x + aside, y));
        }
    }
}

fn grid(ink: &mut Ink, inner: Frame, group: &Group<'_>, axes: &Axes, up: Scale) {
    let (right, below) = (inner.x + inner.width, inner.y + inner.height);
    for value in up.ticks() {
        let y = below - inner.height * up.place(value);
        ink.line("grid", (inner.x, y), (right, y));
        ink.text((inner.x - 6.0, y + 4.0), "faint", "end", &tick(value));
    }
    ink.line("axis", (inner.x, below), (right, below));
    let room = inner.width / axes.places.len().max(1) as f64;
    let mut last = f64::NEG_INFINITY;
    for place in &axes.places {
        let x = inner.x + inner.width * axes.across(place);
        ink.line("axis", (x, below), (x, below + 4.0));
        let words = match axes.numeric {
            true => place.clone(),
            false => fitting(place, room - 4.0),
        };
        let half = words.chars().count() as f64 * CHARACTER / 2.0;
        if x - half > last {
            ink.text((x, below + 16.0), "faint", "middle", &words);
            last = x + half + 4.0;
        }
    }
    let along = &group.series[0].x_name;
    let middle = (inner.x + inner.width / 2.0, below + 31.0);
    ink.text(middle, "faint", "middle", along);
}
