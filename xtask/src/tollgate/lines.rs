//! The lines of each cell, and the geometric means over several.

use super::cell::{BESIDE_HOGS, Cell};
use super::group::{
    BOUND_NS, CELL_AHEAD, COLLAPSE, Goal, Group, HOLD_AHEAD, HOLD_CPU_AHEAD, PTHREAD_AHEAD,
    UNCONTENDED, UNCONTENDED_AHEAD,
};
use super::measured::{Figure, Measured};
use super::ratio::{Rounds, collapse, geometric_mean, greatest, over_rounds};
use super::row::{Against, Field, Row, Standing, Unit};
use super::verdict::Verdict;

/// The lines of `cell`.
pub fn rows_of(cell: &Cell, measured: &Measured, field: Field<'_>) -> Vec<Row> {
    let mut rows = all_of(cell, measured, field);
    rows[0].is_first = true;
    rows
}

/// At least one.
fn all_of(cell: &Cell, measured: &Measured, field: Field<'_>) -> Vec<Row> {
    let figures = |figure: Figure| -> Vec<(&str, Rounds)> {
        let setting = &cell.settings[0];
        let of = |lock| (lock, measured.rounds(setting, lock, figure));
        field.locks().map(of).collect()
    };
    let line = |words: &str, figures: &[(&str, Rounds)], unit| {
        Row::new(cell, words, figures, unit, over_rounds)
    };
    match cell.group {
        Group::Uncontended => {
            let times = figures(Figure::Time);
            vec![
                line("", &times, Unit::Ns).own(UNCONTENDED),
                line("", &times, Unit::Ns).against(Against::Best, UNCONTENDED_AHEAD),
            ]
        }
        Group::NoThink | Group::Think => {
            vec![line("", &figures(Figure::Time), Unit::Ns).against(Against::Best, CELL_AHEAD)]
        }
        Group::Holds => vec![
            line("", &figures(Figure::Time), Unit::Ns).against(Against::Best, HOLD_AHEAD),
            line(", CPU", &figures(Figure::Cpu), Unit::Ns).against(Against::Best, HOLD_CPU_AHEAD),
        ],
        Group::Collapse => vec![collapse_row(cell, measured, field)],
        Group::Waiting => {
            let bound = Goal::AtMost(BOUND_NS * f64::from(cell.settings[0].threads));
            let longest = figures(Figure::Longest);
            vec![
                Row::new(cell, ", longest", &longest, Unit::Ns, greatest).own(bound),
                line(", p99.9", &figures(Figure::P99_9), Unit::Ns).own(bound),
            ]
        }
        Group::Hogs => {
            let (threads, hogs) = BESIDE_HOGS;
            let fair = f64::from(hogs) / f64::from(threads + hogs);
            vec![
                line("", &figures(Figure::Time), Unit::Ns)
                    .against(Against::Named("pthread"), PTHREAD_AHEAD),
                line(
                    ", busy threads' CPU",
                    &figures(Figure::HogShare),
                    Unit::Share,
                )
                .own(Goal::AtLeast(fair)),
            ]
        }
        Group::Condition => {
            // Not every peer's has a loop.
            let known =
                |lock: &&str| *lock == field.subject || measured.has_condition(&cell.name, lock);
            let of = |lock| (lock, measured.condition(&cell.name, lock));
            let rounds: Vec<(&str, Rounds)> = field.locks().filter(known).map(of).collect();
            vec![line("", &rounds, Unit::Ns).against(Against::Named("pthread"), PTHREAD_AHEAD)]
        }
    }
}

/// The geometric means over the cells of a group, where it has several that can be averaged.
pub fn means_of(group: Group, cells: &[&Cell], measured: &Measured, field: Field<'_>) -> Vec<Row> {
    let figures = match group {
        Group::NoThink | Group::Think => &[(Figure::Time, "geometric mean")][..],
        Group::Holds => &[
            (Figure::Time, "geometric mean"),
            (Figure::Cpu, "geometric mean, CPU"),
        ],
        _ => return Vec::new(),
    };
    if cells.len() < 2 {
        return Vec::new();
    }
    let mean = |figure: Figure, title: &str| {
        let pairs: Option<Vec<(Rounds, Rounds)>> = cells
            .iter()
            .map(|cell| {
                let rounds = |lock: &str| measured.rounds(&cell.settings[0], lock, figure);
                let best = best(field.peers.iter().map(|peer| (*peer, rounds(peer))))?;
                Some((rounds(field.subject), best.1))
            })
            .collect();
        let pairs = pairs.unwrap_or_default();
        let pairs: Vec<(&Rounds, &Rounds)> = pairs.iter().map(|(a, b)| (a, b)).collect();
        let judged = geometric_mean(&pairs);
        let goal = group.mean_goal();
        Row {
            group,
            cell: group.name().to_owned(),
            title: title.to_owned(),
            is_first: false,
            unit: Unit::Times,
            ours: None,
            peer: None,
            judged,
            goal,
            verdict: goal.map_or(Verdict::None, |goal| Verdict::of(goal, judged)),
            all: Vec::new(),
        }
    };
    figures
        .iter()
        .map(|(figure, title)| mean(*figure, title))
        .collect()
}

fn collapse_row(cell: &Cell, measured: &Measured, field: Field<'_>) -> Row {
    let of = |lock: &str| {
        let rounds: Vec<Rounds> = cell
            .settings
            .iter()
            .map(|setting| measured.rounds(setting, lock, Figure::Time))
            .collect();
        collapse(&rounds.iter().collect::<Vec<_>>())
    };
    let standing = |lock: &str| Standing {
        lock: lock.to_owned(),
        figure: of(lock),
        ahead: None,
    };
    let mut row = Row::new(cell, "", &[], Unit::Times, over_rounds);
    row.all = field.locks().map(standing).collect();
    row.ours = row.all[0].figure;
    row.own(COLLAPSE)
}

/// Whose median is the least.
fn best<'a>(locks: impl Iterator<Item = (&'a str, Rounds)>) -> Option<(&'a str, Rounds)> {
    locks
        .filter_map(|(lock, rounds)| Some((over_rounds(&rounds)?.median, lock, rounds)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, lock, rounds)| (lock, rounds))
}
