//! The table as text.

use std::fmt::Write;

use locktoll_lab::machine::Machine;
use locktoll_lab::stats::{Estimate, confidence, widest_factor};

use super::goal::Goal;
use super::judge::Row;
use super::lines::{Figure, GROUPS, Group, Judged, Line};
use super::measured::Measured;
use crate::table::lay_out;

/// Beyond this share of the machine's CPU time in others' hands, verdicts are not worth reading.
const BUSY: f64 = 0.05;

/// The unit of a line's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Ns,
    Share,
    Times,
}

impl Unit {
    pub fn of(line: &Line) -> Unit {
        match (line.judged, line.figure) {
            (Judged::Collapse | Judged::Mean, _) => Unit::Times,
            (_, Figure::HogShare) => Unit::Share,
            _ => Unit::Ns,
        }
    }

    /// Of what is judged: a ratio where a peer is the measure.
    fn judged(line: &Line) -> Unit {
        match line.judged {
            Judged::Own => Unit::of(line),
            _ => Unit::Times,
        }
    }
}

/// The whole table. `missing` says which peers are not in this build.
pub fn page(locks: &[&str], measured: &Measured, rows: &[Row], missing: &[String]) -> String {
    let mut page = head(locks, measured, missing);
    for group in &GROUPS {
        let own: Vec<&Row> = rows.iter().filter(|row| row.line.group == group).collect();
        if own.is_empty() {
            continue;
        }
        let _ = writeln!(page, "{}\n  to reach: {}", group.heading, group.to_reach);
        judged_lines(&mut page, locks[0], &own);
        every_lock(&mut page, &own);
        for line in remarks(locks, measured, &own) {
            let _ = writeln!(page, "  {line}");
        }
        page.push('\n');
    }
    summary(&mut page, locks[0], rows);
    for line in &measured.failures {
        let _ = writeln!(page, "  failed: {line}");
    }
    for line in &measured.warnings {
        let _ = writeln!(page, "  noise: {line}");
    }
    page
}

/// Who competed, where, and how ratios are to be read.
fn head(locks: &[&str], measured: &Measured, missing: &[String]) -> String {
    let subject = locks[0];
    let mut lines = vec![format!("{subject} compared with {}", locks[1..].join(", "))];
    lines.extend_from_slice(missing);
    lines.extend(measured.machine.as_ref().map(place));
    lines.push(format!("measured in {:.0} s", measured.took.as_secs_f64()));
    if measured.taken > BUSY {
        lines.push(format!(
            "THE MACHINE WAS BUSY: others used up to {:.0} % of it. Repeat this when it is quiet before you believe a verdict.",
            measured.taken * 100.0
        ));
    }
    lines.push(format!(
        "ratios: a peer's figure over that of {subject} in the same round, the median over rounds and its interval of 95 %; above \
         1x {subject} is ahead"
    ));
    lines.push(
        "the best peer is the one with the least median, picked after the fact, which favours the peers\n\n".to_owned(),
    );
    lines.join("\n")
}

fn place(machine: &Machine) -> String {
    let known = |it: &Option<String>| it.clone().unwrap_or_else(|| "unknown".to_owned());
    let cpus = machine.usable_cpus.len();
    let (model, kernel) = (known(&machine.cpu_model), known(&machine.kernel));
    let libc = known(&machine.libc);
    format!("{model}, {cpus} usable CPUs, Linux {kernel}, {libc}")
}

fn judged_lines(page: &mut String, subject: &str, rows: &[&Row]) {
    let rounds = rows.iter().filter_map(|row| Some(row.judged?.n)).min();
    let ratio = rounds.map_or_else(
        || "ratio".to_owned(),
        |n| format!("ratio ({:.0} %)", (confidence(n) * 100.0).min(95.0)),
    );
    let lines = rows.iter().map(|row| {
        let unit = Unit::judged(row.line);
        let limit = row.line.goal.map_or_else(dash, |goal| match goal {
            Goal::AtLeast(limit) => format!(">= {}", shown(limit, unit)),
            Goal::AtMost(limit) => format!("<= {}", shown(limit, unit)),
        });
        let verdict = row.verdict.map_or_else(dash, |it| it.words());
        let judged = row.judged.map_or_else(dash, |it| with_interval(&it, unit));
        vec![
            row.line.title.clone(),
            ours(row),
            peer(row),
            judged,
            limit,
            verdict,
        ]
    });
    let head = ["", subject, "peer", &ratio, "to reach", "verdict"];
    lay_out(page, &head, lines, &[5]);
}

fn with_interval(figure: &Estimate, unit: Unit) -> String {
    let [median, low, high] = [figure.median, figure.low, figure.high].map(|it| shown(it, unit));
    if figure.low == figure.high {
        return median;
    }
    format!("{median} ({low} .. {high})")
}

fn ours(row: &Row) -> String {
    median(row.ours(), row)
}

fn peer(row: &Row) -> String {
    let peer = row.peer.as_ref();
    peer.map_or_else(dash, |peer| {
        format!("{} {}", peer.lock, median(peer.figure, row))
    })
}

fn median(figure: Option<Estimate>, row: &Row) -> String {
    figure.map_or_else(dash, |it| shown(it.median, Unit::of(row.line)))
}

/// Every lock's figure in every line that has them; each title once.
fn every_lock(page: &mut String, rows: &[&Row]) {
    let mut own: Vec<&&Row> = rows.iter().filter(|row| row.all.len() > 1).collect();
    own.dedup_by_key(|row| &row.line.title);
    let Some(first) = own.first() else {
        return;
    };
    let names = first.all.iter().map(|standing| standing.lock.as_str());
    let head: Vec<&str> = ["every lock"].into_iter().chain(names).collect();
    let lines = own.iter().map(|row| {
        let medians = row.all.iter().map(|standing| median(standing.figure, row));
        [row.line.title.clone()]
            .into_iter()
            .chain(medians)
            .collect()
    });
    page.push('\n');
    lay_out(page, &head, lines, &[]);
}

/// What failed, and what equal things differed by.
fn remarks(locks: &[&str], measured: &Measured, rows: &[&Row]) -> Vec<String> {
    let mut lines = Vec::new();
    let cells = || rows.iter().filter(|row| row.line.judged != Judged::Mean);
    for row in cells() {
        for setting in &row.line.settings {
            for lock in locks {
                let problem = measured.problems.get(&(*setting, (*lock).to_owned()));
                lines.extend(problem.map(|it| format!("{}: {lock} {it}", row.line.title)));
            }
        }
    }
    lines.dedup();
    let is_waiting = rows.iter().any(|row| row.line.figure == Figure::Longest);
    if let (true, Some(ns)) = (is_waiting, measured.waiting_slice_ns) {
        let slice = shown(ns, Unit::Ns);
        lines.push(format!("slices last {slice}: a wait ends with its slice, so that what takes about as long, or longer, was cut off"));
    }
    let settings = cells().flat_map(|row| &row.line.settings);
    let pairs: Vec<Estimate> = settings
        .filter_map(|it| measured.same_twice.get(it).copied())
        .collect();
    lines.extend(same_twice(&pairs, locks[0]));
    lines
}

/// The A/A pairs in one line: what the subject against itself came out as.
fn same_twice(pairs: &[Estimate], subject: &str) -> Option<String> {
    let medians = || pairs.iter().map(|pair| pair.median);
    let (low, high) = (medians().reduce(f64::min)?, medians().reduce(f64::max)?);
    let widest = pairs.iter().map(widest_factor).fold(1.0, f64::max);
    Some(format!(
        "{subject} against itself in the same rounds: {low:.3}x .. {high:.3}x, the widest interval {widest:.3}x"
    ))
}

/// How much of each group is reached, and everything that is not.
fn summary(page: &mut String, subject: &str, rows: &[Row]) {
    page.push_str("Summary\n");
    let outcome = |group: &Group| {
        let own = || {
            rows.iter()
                .filter(|row| row.line.group == group && row.verdict.is_some())
        };
        let (all, lost) = (own().count(), own().filter(|row| row.is_lost()).count());
        let worst = own()
            .filter_map(|row| row.verdict?.lost_by())
            .reduce(f64::max);
        let worst = worst.map_or_else(String::new, |by| {
            format!("by up to {}", shown(by, Unit::Share))
        });
        let reached = format!("{} of {all}", all - lost);
        (all > 0).then(|| vec![group.name.to_owned(), reached, worst])
    };
    lay_out(
        page,
        &["", "reached", "lost"],
        GROUPS.iter().filter_map(outcome),
        &[1, 2],
    );
    let lost: Vec<&Row> = rows.iter().filter(|row| row.is_lost()).collect();
    if lost.is_empty() {
        page.push_str("\nNothing is lost.\n");
        return;
    }
    page.push_str("\nNot reached\n");
    let lines = lost.iter().map(|row| {
        let title = format!("{}: {}", row.line.group.name, row.line.title);
        let verdict = row.verdict.map_or_else(dash, |it| it.words());
        vec![title, ours(row), peer(row), verdict]
    });
    lay_out(page, &["", subject, "peer", "by how much"], lines, &[3]);
}

/// Three digits, with the unit.
fn shown(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", value * 100.0),
        Unit::Times if value < 99.95 => format!("{value:.2}x"),
        Unit::Times => format!("{value:.0}x"),
        Unit::Ns => time(value),
    }
}

fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        _ if ns < 999.5 => (ns, "ns"),
        _ if ns < 999_500.0 => (ns / 1e3, "us"),
        _ if ns < 999_500_000.0 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let digits = match value {
        _ if value < 9.995 => 2,
        _ if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$} {unit}")
}

/// In the place of a figure that there is none of.
fn dash() -> String {
    "-".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_few_digits_and_a_unit() {
        for (ns, expected) in [
            (9.456, "9.46 ns"),
            (9.996, "10.0 ns"),
            (99.96, "100 ns"),
            (999.6, "1.00 us"),
            (12_345.0, "12.3 us"),
            (32_000_000.0, "32.0 ms"),
            (1.5e9, "1.50 s"),
        ] {
            assert_eq!(shown(ns, Unit::Ns), expected);
        }
        assert_eq!(shown(0.4987, Unit::Share), "49.9 %");
        assert_eq!(shown(1.0 / 1.03, Unit::Times), "0.97x");
        assert_eq!(shown(374_762.6, Unit::Times), "374763x");
    }
}
