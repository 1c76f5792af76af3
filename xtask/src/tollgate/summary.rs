//! The end of a run: the table, a line for each row.

use super::group::Group;
use super::row::{Row, Unit};
use super::text::{figure, lay_out};
use super::verdict::Verdict;

/// The summary of all lines that were measured.
pub fn summary(subject: &str, rows: &[Row]) -> String {
    let mut page = String::from("Summary\n");
    let groups = Group::ALL
        .into_iter()
        .filter(|group| rows.iter().any(|row| row.group == *group));
    let lines = groups.map(|group| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.group == group).collect();
        let first: Vec<&Row> = own.iter().copied().filter(|row| row.is_first).collect();
        vec![
            group.short().to_owned(),
            best_of(&first),
            group.to_reach_in_short().to_owned(),
            range(
                first
                    .iter()
                    .filter_map(|row| Some((row.ours?.median, row.unit))),
            ),
            outcome(&own),
        ]
    });
    let head = ["", "best peer", "to reach", subject, "outcome"];
    lay_out(&mut page, &head, lines, &[1, 2, 3, 4]);
    let lost: Vec<&Row> = rows.iter().filter(|row| !row.verdict.is_good()).collect();
    if lost.is_empty() {
        page.push_str("\nNothing is lost.\n");
        return page;
    }
    page.push_str("\nNot reached\n");
    let lines = lost.iter().map(|row| {
        let peer = row.peer.as_ref().map_or_else(String::new, |peer| {
            let shown = peer
                .figure
                .map_or_else(String::new, |it| figure(it.median, row.unit));
            format!("{} {shown}", peer.lock)
        });
        vec![
            format!("{}: {}", row.group.name(), row.title),
            row.ours
                .map_or_else(String::new, |it| figure(it.median, row.unit)),
            peer,
            row.verdict.words(),
        ]
    });
    lay_out(
        &mut page,
        &["", subject, "peer", "by how much"],
        lines,
        &[3],
    );
    page
}

/// Who is the best peer of most lines, and the range of the best peers' figures.
fn best_of(rows: &[&Row]) -> String {
    let peers = || {
        rows.iter()
            .filter_map(|row| Some((row.peer.as_ref()?, row.unit)))
    };
    let mut names: Vec<(&str, usize)> = Vec::new();
    for (peer, _) in peers() {
        match names.iter_mut().find(|(name, _)| *name == peer.lock) {
            Some((_, count)) => *count += 1,
            None => names.push((&peer.lock, 1)),
        }
    }
    names.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names: Vec<&str> = names.iter().take(2).map(|(name, _)| *name).collect();
    let figures = peers().filter_map(|(peer, unit)| Some((peer.figure?.median, unit)));
    format!("{} {}", names.join(", "), range(figures))
        .trim()
        .to_owned()
}

/// From the least to the greatest, of the unit of the first.
fn range(figures: impl Iterator<Item = (f64, Unit)>) -> String {
    let figures: Vec<(f64, Unit)> = figures.collect();
    let Some(&(_, unit)) = figures.first() else {
        return String::new();
    };
    let own = || {
        figures
            .iter()
            .filter(|(_, of)| *of == unit)
            .map(|(it, _)| *it)
    };
    let low = own().fold(f64::INFINITY, f64::min);
    let high = own().fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = (figure(low, unit), figure(high, unit));
    if low == high {
        low
    } else {
        format!("{low} .. {high}")
    }
}

/// How many lines reach their goal, and by how much the others miss it.
fn outcome(rows: &[&Row]) -> String {
    let judged = || rows.iter().filter(|row| row.goal.is_some());
    let reached = judged().filter(|row| row.verdict.is_good()).count();
    let mut said = vec![format!("reached in {reached} of {}", judged().count())];
    let lost_by = |is_meant: fn(Verdict) -> bool| {
        let by = judged().filter(move |row| is_meant(row.verdict));
        by.map(|row| row.verdict.lost_by()).collect::<Vec<_>>()
    };
    let worst = |by: &[Option<f64>]| by.iter().flatten().copied().fold(0.0, f64::max) * 100.0;
    let lost = lost_by(|verdict| matches!(verdict, Verdict::Lost { .. }));
    if !lost.is_empty() {
        said.push(format!(
            "LOST in {}, by up to {:.1} %",
            lost.len(),
            worst(&lost)
        ));
    }
    let noise = lost_by(|verdict| matches!(verdict, Verdict::RatherLost { .. }));
    if !noise.is_empty() {
        let (count, worst) = (noise.len(), worst(&noise));
        said.push(format!(
            "lost within the noise in {count}, by up to {worst:.1} %"
        ));
    }
    let failed = lost_by(|verdict| verdict == Verdict::Failed);
    if !failed.is_empty() {
        said.push(format!("no figure in {}", failed.len()));
    }
    said.join("; ")
}
