//! A line of the table: what the subject does, against whom, and whether that is enough.

use locktoll_lab::stats::Estimate;

use super::cell::Cell;
use super::group::{Goal, Group};
use super::ratio::{Rounds, ahead};
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
    /// The first line of its cell, whose figures stand for it in the summary.
    pub is_first: bool,
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
pub enum Against<'a> {
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

impl<'a> Field<'a> {
    /// All of them, the subject first.
    pub fn locks(self) -> impl Iterator<Item = &'a str> {
        std::iter::once(self.subject).chain(self.peers.iter().copied())
    }
}

impl Row {
    /// A line that nothing is judged of yet. The first of `figures` is the subject's; `sum_up` makes one of many rounds.
    pub fn new(
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
            is_first: false,
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
    pub fn own(mut self, goal: Goal) -> Self {
        // Shares are better when greater or less, as it is looked at.
        self.peer = (self.unit != Unit::Share)
            .then(|| self.peer(Against::Best))
            .flatten();
        let ours = self.ours;
        self.judge(ours, goal)
    }

    /// Judges how far the subject is ahead of a peer.
    pub fn against(mut self, whom: Against<'_>, goal: Goal) -> Self {
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
