//! The lines of the table: for each cell what Tollgate does, against whom, and whether that is enough.

use locktoll_lab::stats::Estimate;

use super::cell::{BESIDE_HOGS, Cell};
use super::group::{
    BOUND_NS, CELL_AHEAD, COLLAPSE, Goal, Group, HOLD_AHEAD, HOLD_CPU_AHEAD, PTHREAD_AHEAD,
    UNCONTENDED, UNCONTENDED_AHEAD,
};
use super::measured::{Figure, Measured};
use super::ratio::{Rounds, ahead, collapse, geometric_mean, greatest, over_rounds};
use super::verdict::Verdict;

/// The unit of a line's figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Nanoseconds.
    Ns,
    /// A part of a whole.
    Share,
    /// A quotient.
    Times,
}

/// A lock's figure, and how far the subject is ahead of it.
#[derive(Clone, Debug)]
pub struct Standing {
    /// The lock.
    pub lock: String,
    /// Its figure.
    pub figure: Option<Estimate>,
    /// Its figure over the subject's, by rounds, where the figure is one that is better when less.
    pub ahead: Option<Estimate>,
}

/// A line.
#[derive(Clone, Debug)]
pub struct Row {
    /// The row of the table.
    pub group: Group,
    /// The cell's name on the command line.
    pub cell: String,
    /// What a reader calls the line.
    pub title: String,
    /// Unit of the figures.
    pub unit: Unit,
    /// The subject's figure.
    pub ours: Option<Estimate>,
    /// Whom it is compared with.
    pub peer: Option<Standing>,
    /// What is judged.
    pub judged: Option<Estimate>,
    /// What it is to reach.
    pub goal: Option<Goal>,
    /// Whether it does.
    pub verdict: Verdict,
    /// Every lock, the subject first.
    pub all: Vec<Standing>,
}

/// With whom a line compares.
#[derive(Clone, Copy, Debug)]
enum Against<'a> {
    /// The peer with the least figure.
    Best,
    /// This one.
    Named(&'a str),
}

/// Whose table it is: the subject and its peers.
#[derive(Clone, Copy, Debug)]
pub struct Field<'a> {
    /// The lock that is judged.
    pub subject: &'a str,
    /// The others.
    pub peers: &'a [&'a str],
}

/// The lines of `cell`.
pub fn rows_of(cell: &Cell, measured: &Measured, field: Field<'_>) -> Vec<Row> {
    let figures = |figure: Figure| -> Vec<(&str, Rounds)> {
        let setting = &cell.settings[0];
        let locks = std::iter::once(&field.subject).chain(field.peers);
        locks
            .map(|lock| (*lock, measured.rounds(setting, lock, figure)))
            .collect()
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
            vec![
                Row::new(
                    cell,
                    ", longest",
                    &figures(Figure::Longest),
                    Unit::Ns,
                    greatest,
                )
                .own(bound),
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
            let locks = std::iter::once(&field.subject).chain(field.peers);
            let known = locks.filter(|lock| measured.has_condition(&cell.name, lock));
            let rounds: Vec<(&str, Rounds)> = known
                .map(|lock| (*lock, measured.condition(&cell.name, lock)))
                .collect();
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
    let standing = |lock: &&str| Standing {
        lock: (*lock).to_owned(),
        figure: of(lock),
        ahead: None,
    };
    let mut row = Row::new(cell, "", &[], Unit::Times, over_rounds);
    row.all = std::iter::once(&field.subject)
        .chain(field.peers)
        .map(standing)
        .collect();
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

impl Row {
    /// A line that nothing is judged of yet. The first of `figures` is the subject's; `sum_up` makes one of many rounds.
    fn new(
        cell: &Cell,
        words: &str,
        figures: &[(&str, Rounds)],
        unit: Unit,
        sum_up: fn(&[Option<f64>]) -> Option<Estimate>,
    ) -> Self {
        let ours: &[Option<f64>] = figures.first().map_or(&[], |(_, rounds)| rounds);
        let standing = |(lock, rounds): &(&str, Rounds)| Standing {
            lock: (*lock).to_owned(),
            figure: sum_up(rounds),
            ahead: (unit == Unit::Ns).then(|| ahead(ours, rounds)).flatten(),
        };
        Self {
            group: cell.group,
            cell: cell.name.clone(),
            title: format!("{}{words}", cell.title),
            unit,
            ours: sum_up(ours),
            peer: None,
            judged: None,
            goal: None,
            verdict: Verdict::None,
            all: figures.iter().map(standing).collect(),
        }
    }

    /// Judges the subject's own figure.
    fn own(mut self, goal: Goal) -> Self {
        // Shares are better when greater or less, as it is looked at.
        self.peer = (self.unit != Unit::Share)
            .then(|| self.peer(Against::Best))
            .flatten();
        let ours = self.ours;
        self.judge(ours, goal)
    }

    /// Judges how far the subject is ahead of a peer.
    fn against(mut self, whom: Against<'_>, goal: Goal) -> Self {
        self.peer = self.peer(whom);
        let ahead = self.peer.as_ref().and_then(|peer| peer.ahead);
        self.judge(ahead, goal)
    }

    fn judge(mut self, judged: Option<Estimate>, goal: Goal) -> Self {
        self.judged = judged;
        self.goal = Some(goal);
        self.verdict = Verdict::of(goal, judged);
        self
    }

    fn peer(&self, whom: Against<'_>) -> Option<Standing> {
        let mut peers = self.all.iter().skip(1);
        match whom {
            Against::Named(name) => peers.find(|peer| peer.lock == name).cloned(),
            Against::Best => peers
                .filter_map(|peer| Some((peer.figure?.median, peer)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, peer)| peer.clone()),
        }
    }
}
