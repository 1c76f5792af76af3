//! Compares the rounds of a line, and judges.

use locktoll_lab::stats::{Estimate, estimate, ratio_of_pairs};

use super::goal::Verdict;
use super::lines::{Figure, Judged, Line};
use super::measured::{Measured, Rounds};

/// A lock's figure, and how far the subject is ahead of it.
#[derive(Clone, Debug)]
pub struct Standing {
    pub lock: String,
    pub figure: Option<Estimate>,
    /// Its figure over the subject's, by rounds, where the figure is a time.
    pub ahead: Option<Estimate>,
}

/// A line with its figures.
pub struct Row<'a> {
    pub line: &'a Line,
    /// Every lock, the subject first; none in a mean.
    pub all: Vec<Standing>,
    /// The peer that the line is about.
    pub peer: Option<Standing>,
    pub judged: Option<Estimate>,
    pub verdict: Option<Verdict>,
}

impl<'a> Row<'a> {
    /// The first of `locks` is the subject.
    pub fn of(line: &'a Line, measured: &Measured, locks: &[&str]) -> Row<'a> {
        let all: Vec<Standing> = match line.judged {
            Judged::Mean => Vec::new(),
            _ => standings(line, measured, locks),
        };
        let peers = || all.iter().skip(1);
        let peer = match line.judged {
            Judged::Mean => None,
            Judged::Named(name) => peers().find(|peer| peer.lock == name),
            _ if line.figure == Figure::HogShare => None,
            _ => peers()
                .filter_map(|peer| Some((peer.figure?.median, peer)))
                .min_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, peer)| peer),
        };
        let judged = match line.judged {
            Judged::Own | Judged::Collapse => all[0].figure,
            Judged::Best | Judged::Named(_) => peer.and_then(|peer| peer.ahead),
            Judged::Mean => mean(line, measured, locks),
        };
        Row {
            line,
            peer: peer.cloned(),
            judged,
            verdict: line.goal.map(|goal| Verdict::of(goal, judged)),
            all,
        }
    }

    pub fn ours(&self) -> Option<Estimate> {
        self.all.first()?.figure
    }

    pub fn is_lost(&self) -> bool {
        self.verdict.is_some_and(|verdict| !verdict.is_good())
    }
}

fn standings(line: &Line, measured: &Measured, locks: &[&str]) -> Vec<Standing> {
    let rounds = |lock: &str| measured.of(&line.settings[0], line.figure, lock);
    let ours = rounds(locks[0]);
    // Not every peer's condition variable has a loop.
    let takes_part =
        |lock: &&&str| !line.is_condition() || **lock == locks[0] || !rounds(lock).is_empty();
    let standing = |lock: &&str| Standing {
        lock: (*lock).to_owned(),
        figure: match (line.judged, line.figure) {
            (Judged::Collapse, _) => collapse(line, measured, lock),
            (_, Figure::Longest) => greatest(&rounds(lock)),
            _ => over_rounds(&rounds(lock)),
        },
        ahead: match (line.judged, line.figure) {
            (Judged::Collapse, _) | (_, Figure::HogShare) => None,
            _ => ahead(&ours, &rounds(lock)),
        },
    };
    locks.iter().filter(takes_part).map(standing).collect()
}

/// The median and its interval over the rounds that gave a figure.
fn over_rounds(rounds: &[Option<f64>]) -> Option<Estimate> {
    let figures: Vec<f64> = rounds.iter().flatten().copied().collect();
    estimate(&figures)
}

/// How many times `ours` goes into `theirs`, by rounds: of times, how far ours is ahead.
fn ahead(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<Estimate> {
    let pairs = ours.iter().zip(theirs);
    let pairs: Vec<(f64, f64)> = pairs
        .filter_map(|(ours, theirs)| Some(((*ours)?, (*theirs)?)))
        .collect();
    ratio_of_pairs(&pairs)
}

fn median(rounds: &Rounds) -> f64 {
    over_rounds(rounds).map_or(f64::INFINITY, |it| it.median)
}

/// What of the best throughput is lost with the last of the settings. Which is the best say the medians; the ratio is of
/// rounds, as all others.
fn collapse(line: &Line, measured: &Measured, lock: &str) -> Option<Estimate> {
    let of = |setting| measured.of(setting, Figure::Time, lock);
    let all: Vec<Rounds> = line.settings.iter().map(of).collect();
    let best = all.iter().min_by(|a, b| median(a).total_cmp(&median(b)))?;
    ahead(best, all.last()?)
}

/// The greatest figure of all rounds, which has no interval: it was seen.
fn greatest(rounds: &[Option<f64>]) -> Option<Estimate> {
    let figures: Vec<f64> = rounds.iter().flatten().copied().collect();
    let greatest = figures.iter().copied().reduce(f64::max)?;
    Some(Estimate {
        median: greatest,
        low: greatest,
        high: greatest,
        n: figures.len(),
    })
}

/// In each round the geometric mean of that round's ratios to each setting's best peer, then the median over rounds. Rounds in
/// which a setting has no figure are left out, or the mean would be of other settings than the rest.
fn mean(line: &Line, measured: &Measured, locks: &[&str]) -> Option<Estimate> {
    let pairs = line.settings.iter().map(|setting| {
        let of = |lock: &&str| measured.of(setting, line.figure, lock);
        let peers = locks[1..].iter().map(of);
        let best = peers.min_by(|a, b| median(a).total_cmp(&median(b)));
        (of(&locks[0]), best.unwrap_or_default())
    });
    let pairs: Vec<(Rounds, Rounds)> = pairs.collect();
    let rounds = pairs
        .iter()
        .map(|(ours, theirs)| ours.len().min(theirs.len()));
    let of_round = |round: usize| -> Option<f64> {
        let logs = pairs
            .iter()
            .map(|(ours, theirs)| Some((theirs[round]? / ours[round]?).ln()));
        let sum = logs.sum::<Option<f64>>()?;
        let mean = (sum / pairs.len() as f64).exp();
        (mean.is_finite() && mean > 0.0).then_some(mean)
    };
    let means: Vec<Option<f64>> = (0..rounds.min()?).map(of_round).collect();
    over_rounds(&means)
}

#[cfg(test)]
mod tests {
    use super::super::lines::lines;
    use super::*;

    /// The judged figure of the last line of these cells: `ours` and `theirs` are its rounds for each setting.
    fn judged(words: &[&str], settings: &[(&[f64], &[f64])]) -> Option<(f64, usize)> {
        let lines = lines(true, words);
        let line = lines.last().unwrap();
        let mut measured = Measured::default();
        // Zero stands for a round without a figure.
        let rounds = |figures: &[f64]| {
            figures
                .iter()
                .map(|it| (*it > 0.0).then_some(*it))
                .collect()
        };
        for (setting, (ours, theirs)) in line.settings.iter().zip(settings) {
            measured.add(*setting, line.figure, "ours", rounds(ours));
            measured.add(*setting, line.figure, "pthread", rounds(theirs));
        }
        let judged = Row::of(line, &measured, &["ours", "pthread"]).judged?;
        Some(((judged.median * 1e9).round() / 1e9, judged.n))
    }

    #[test]
    fn ratios_pair_the_figures_of_a_round_and_leave_out_gaps() {
        let (ours, theirs) = ([10.0, 100.0, 10.0, 0.0], [15.0, 150.0, 0.0, 1.0]);
        assert_eq!(
            judged(&["think/list/8"], &[(&ours, &theirs)]),
            Some((1.5, 2))
        );
        assert_eq!(judged(&["think/list/8"], &[(&ours, &[])]), None);
    }

    #[test]
    fn the_geometric_mean_weighs_ratios_alike() {
        let words = ["think/list/2", "think/list/8"];
        let ten: &[f64] = &[10.0, 10.0];
        // Twice as fast here and half as fast there is as fast.
        let even: [(&[f64], &[f64]); 2] = [(ten, &[20.0, 20.0]), (ten, &[5.0, 5.0])];
        assert_eq!(judged(&words, &even), Some((1.0, 2)));
        let with_gap: [(&[f64], &[f64]); 2] = [(ten, &[20.0, 0.0]), (ten, &[80.0, 80.0])];
        assert_eq!(judged(&words, &with_gap), Some((4.0, 1)));
        assert_eq!(judged(&words, &[(ten, ten)]), None);
    }

    #[test]
    fn collapse_is_the_last_over_the_best() {
        let best: &[f64] = &[10.0, 10.0];
        let of = |last: &'static [f64]| {
            judged(
                &["collapse/think/list"],
                &[(&[12.0; 2], &[]), (best, &[]), (last, &[])],
            )
        };
        assert_eq!(of(&[30.0, 20.0]), Some((2.5, 2)));
        assert_eq!(of(&[9.0, 9.0]), Some((1.0, 2)));
    }

    #[test]
    fn the_longest_wait_is_the_greatest_that_was_seen() {
        assert_eq!(greatest(&[Some(3.0), None, Some(7.0)]).unwrap().median, 7.0);
        assert_eq!(greatest(&[None]), None);
    }
}
