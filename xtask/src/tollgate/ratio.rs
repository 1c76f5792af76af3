//! Ratios of rounds that belong together, and what becomes of many of them.

use locktoll_lab::stats::{Estimate, estimate, ratio_of_pairs};

/// A lock's figure in each round; `None` where a round gave none.
pub type Rounds = Vec<Option<f64>>;

/// The median and its interval over the rounds that gave a figure.
pub fn over_rounds(rounds: &[Option<f64>]) -> Option<Estimate> {
    let figures: Vec<f64> = rounds.iter().flatten().copied().collect();
    estimate(&figures)
}

/// How many times `ours` goes into `theirs`: of times, how far ours is ahead. The rounds of both belong together.
pub fn ahead(ours: &[Option<f64>], theirs: &[Option<f64>]) -> Option<Estimate> {
    let pairs = ours.iter().zip(theirs);
    let pairs: Vec<(f64, f64)> = pairs
        .filter_map(|(ours, theirs)| Some(((*ours)?, (*theirs)?)))
        .collect();
    ratio_of_pairs(&pairs)
}

/// The geometric mean of [`ahead`] over cells: in each round the mean of that round's ratios, then the median over rounds.
/// Rounds in which a cell has no figure are left out, or the mean would be of other cells than the rest.
pub fn geometric_mean(cells: &[(&Rounds, &Rounds)]) -> Option<Estimate> {
    let rounds = cells
        .iter()
        .map(|(ours, theirs)| ours.len().min(theirs.len()))
        .min()?;
    let means: Vec<Option<f64>> = (0..rounds)
        .map(|round| {
            let logs: Option<Vec<f64>> = cells
                .iter()
                .map(|(ours, theirs)| Some((theirs[round]? / ours[round]?).ln()))
                .collect();
            let logs = logs?;
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            (mean.is_finite() && mean > 0.0).then_some(mean)
        })
        .collect();
    over_rounds(&means)
}

/// What of the best throughput is lost with the last of the settings: the time an operation takes in it over the least
/// time in any of them. Which is the least say the medians; the ratio is of rounds, as all others.
pub fn collapse(settings: &[&Rounds]) -> Option<Estimate> {
    let median = |rounds: &Rounds| over_rounds(rounds).map_or(f64::INFINITY, |it| it.median);
    let best = settings
        .iter()
        .min_by(|a, b| median(a).total_cmp(&median(b)))?;
    ahead(best, settings.last()?)
}

/// The greatest figure of all rounds, which has no interval: it was seen.
pub fn greatest(rounds: &[Option<f64>]) -> Option<Estimate> {
    let figures: Vec<f64> = rounds.iter().flatten().copied().collect();
    let greatest = figures.iter().copied().reduce(f64::max)?;
    Some(Estimate {
        median: greatest,
        low: greatest,
        high: greatest,
        n: figures.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounds(figures: &[f64]) -> Rounds {
        figures.iter().copied().map(Some).collect()
    }

    fn close(estimate: Option<Estimate>, median: f64, low: f64, high: f64) {
        let e = estimate.expect("there is an estimate");
        for (is, should) in [(e.median, median), (e.low, low), (e.high, high)] {
            assert!((is - should).abs() < 1e-12, "{e:?}");
        }
    }

    #[test]
    fn ahead_pairs_the_figures_of_a_round() {
        // Slower by a factor in every other round, both of them.
        let ours = rounds(&[10.0, 100.0, 10.0, 100.0, 10.0, 100.0]);
        let theirs = rounds(&[15.0, 150.0, 15.0, 150.0, 15.0, 150.0]);
        close(ahead(&ours, &theirs), 1.5, 1.5, 1.5);
        close(ahead(&theirs, &ours), 1.0 / 1.5, 1.0 / 1.5, 1.0 / 1.5);
    }

    #[test]
    fn a_round_without_a_figure_is_left_out_of_both() {
        let ours = vec![Some(10.0), None, Some(10.0), Some(10.0)];
        let theirs = vec![Some(20.0), Some(1.0), None, Some(30.0)];
        close(ahead(&ours, &theirs), 2.5, 2.0, 3.0);
        assert_eq!(ahead(&ours, &[]), None);
    }

    #[test]
    fn the_geometric_mean_weighs_ratios_alike() {
        let ten = rounds(&[10.0, 10.0]);
        let twenty = rounds(&[20.0, 20.0]);
        let five = rounds(&[5.0, 5.0]);
        // Twice as fast here and half as fast there is as fast.
        close(
            geometric_mean(&[(&ten, &twenty), (&ten, &five)]),
            1.0,
            1.0,
            1.0,
        );
        let eighty = rounds(&[80.0, 80.0]);
        close(
            geometric_mean(&[(&ten, &twenty), (&ten, &eighty)]),
            4.0,
            4.0,
            4.0,
        );
    }

    #[test]
    fn a_mean_is_of_all_cells_or_of_none() {
        let whole = rounds(&[10.0, 10.0]);
        let gap = vec![Some(20.0), None];
        let twice = rounds(&[20.0, 20.0]);
        let mean = geometric_mean(&[(&whole, &gap), (&whole, &twice)]);
        assert_eq!(mean.map(|it| it.n), Some(1));
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(geometric_mean(&[(&whole, &Vec::new())]), None);
    }

    #[test]
    fn collapse_is_the_last_over_the_best() {
        let (two, eight, many) = (
            rounds(&[12.0, 12.0]),
            rounds(&[10.0, 10.0]),
            rounds(&[30.0, 20.0]),
        );
        close(collapse(&[&two, &eight, &many]), 2.5, 2.0, 3.0);
        // The last may be the best.
        close(collapse(&[&many, &eight]), 1.0, 1.0, 1.0);
        assert_eq!(collapse(&[]), None);
    }

    #[test]
    fn the_greatest_was_seen() {
        let rounds = [Some(3.0), None, Some(7.0)];
        close(greatest(&rounds), 7.0, 7.0, 7.0);
        assert_eq!(greatest(&[None]), None);
    }
}
