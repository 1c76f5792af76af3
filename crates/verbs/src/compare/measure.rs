//! The figures of a row, and the comparison of two of them.

use locktoll_lab::stats::{Estimate, Ratio, Verdict, estimate};

use locktoll_results::comparison::{Better, Figure, Row, RowVerdict, Unit};

/// A kind of figure, the same in all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name, also used in rules.
    pub name: &'static str,
    /// What it counts.
    pub unit: Unit,
    /// Whether less or more of it is better.
    pub better: Better,
}

impl Metric {
    /// A cost: less is better.
    pub const fn less(name: &'static str, unit: Unit) -> Self {
        Self {
            name,
            unit,
            better: Better::Less,
        }
    }

    /// A yield: more is better.
    pub const fn more(name: &'static str, unit: Unit) -> Self {
        Self {
            name,
            unit,
            better: Better::More,
        }
    }

    /// An amount of work: neither less nor more is better.
    pub const fn neither(name: &'static str, unit: Unit) -> Self {
        Self {
            name,
            unit,
            better: Better::Neither,
        }
    }
}

/// The measurements of a metric on one side.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    /// A median with its interval, from the rounds of one run.
    Rounds(Estimate),
    /// One figure per run.
    Runs(Vec<f64>),
}

impl Measured {
    /// One exact figure.
    pub fn once(figure: f64) -> Self {
        Self::Runs(vec![figure])
    }

    /// Combines several runs of rounds: the median of the medians, with an interval from the lowest bound to the highest. It
    /// contains the true median at least as often as the interval of one run, and covers the drift between the runs.
    pub fn of_rounds(runs: impl IntoIterator<Item = Estimate>) -> Option<Self> {
        let runs: Vec<Estimate> = runs.into_iter().collect();
        let medians: Vec<f64> = runs.iter().map(|run| run.median).collect();
        let middle = estimate(&medians)?;
        let low = runs.iter().map(|run| run.low).fold(f64::INFINITY, f64::min);
        let high = runs
            .iter()
            .map(|run| run.high)
            .fold(f64::NEG_INFINITY, f64::max);
        Some(Self::Rounds(Estimate {
            median: middle.median,
            low,
            high,
            n: runs.iter().map(|run| run.n).max().unwrap_or(0),
        }))
    }

    /// Collects one figure per run; `None` if no run has one.
    pub fn of_runs(runs: impl IntoIterator<Item = Option<f64>>) -> Option<Self> {
        let runs: Vec<f64> = runs.into_iter().flatten().collect();
        (!runs.is_empty()).then_some(Self::Runs(runs))
    }

    fn shown(&self) -> Option<Estimate> {
        match self {
            Self::Rounds(estimate) => Some(*estimate),
            Self::Runs(runs) => estimate(runs),
        }
    }
}

/// Returns the ratio of B to A.
fn ratio(a: &Measured, b: &Measured) -> Option<Ratio> {
    match (a, b) {
        (Measured::Runs(a), Measured::Runs(b)) => Some(Ratio::of_runs(a, b)),
        _ => Some(Ratio::of_medians(&a.shown()?, &b.shown()?)),
    }
}

/// The figures of one entry.
pub type Figures = Vec<(Metric, Measured)>;

/// One thing on one side, such as a lock or a cell.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key that matches it with the other side.
    pub key: String,
    /// The name for people.
    pub name: String,
    /// The measurements.
    pub figures: Figures,
}

/// Makes a row of a thing that is on one side or on both; `noise` is the factor by which equal things differed.
pub fn row(a: Option<Entry>, b: Option<Entry>, lead: &str, noise: f64) -> Option<Row> {
    let missing = match (&a, &b) {
        (Some(_), Some(_)) => None,
        (Some(_), None) => Some(RowVerdict::OnlyA),
        (None, Some(_)) => Some(RowVerdict::OnlyB),
        (None, None) => return None,
    };
    let told = b.as_ref().or(a.as_ref())?;
    let (key, name) = match &a {
        Some(a) => (a.key.clone(), told.name.clone()),
        None => (told.key.clone(), told.name.clone()),
    };
    let (a, b) = (
        a.map(|it| it.figures).unwrap_or_default(),
        b.map(|it| it.figures).unwrap_or_default(),
    );
    let mut metrics: Vec<Metric> = a.iter().map(|(metric, _)| *metric).collect();
    for (metric, _) in &b {
        if !metrics.contains(metric) {
            metrics.push(*metric);
        }
    }
    let figures: Vec<Figure> = metrics
        .into_iter()
        .map(|metric| {
            let of = |side: &Figures| measured(side, metric.name).cloned();
            figure(metric, of(&a).as_ref(), of(&b).as_ref(), noise)
        })
        .collect();
    let runs = match (measured(&a, lead), measured(&b, lead)) {
        (Some(Measured::Runs(a)), Some(Measured::Runs(b))) => Some([a.clone(), b.clone()]),
        _ => None,
    };
    // Without this figure the row has none: another one would give it a verdict on a question that the user did not ask.
    let found = figures.iter().find(|figure| figure.name == lead);
    Some(Row {
        key,
        name,
        metric: lead.to_owned(),
        a: found.and_then(|it| it.a),
        b: found.and_then(|it| it.b),
        ratio: found.and_then(|it| it.ratio),
        verdict: missing.unwrap_or(found.map_or(RowVerdict::NoDifference, |it| it.verdict)),
        noise,
        metrics: figures,
        note: None,
        runs,
    })
}

fn measured<'f>(side: &'f Figures, name: &str) -> Option<&'f Measured> {
    let found = side.iter().find(|(metric, _)| metric.name == name);
    found.map(|(_, measured)| measured)
}

fn figure(metric: Metric, a: Option<&Measured>, b: Option<&Measured>, noise: f64) -> Figure {
    let ratio = a.zip(b).and_then(|(a, b)| ratio(a, b));
    let verdict = match (a, b, &ratio) {
        (Some(_), None, _) => RowVerdict::OnlyA,
        (None, Some(_), _) => RowVerdict::OnlyB,
        (_, _, Some(ratio)) => verdict(ratio, metric.better, noise),
        (_, _, None) => RowVerdict::NoDifference,
    };
    Figure {
        name: metric.name.to_owned(),
        unit: metric.unit,
        better: metric.better,
        a: a.and_then(Measured::shown),
        b: b.and_then(Measured::shown),
        ratio,
        verdict,
    }
}

fn verdict(ratio: &Ratio, better: Better, noise: f64) -> RowVerdict {
    match (ratio.verdict(noise), better) {
        (Verdict::NoDifference, _) => RowVerdict::NoDifference,
        (_, Better::Neither) => RowVerdict::Changed,
        (Verdict::Faster, Better::Less) | (Verdict::Slower, Better::More) => RowVerdict::Faster,
        (Verdict::Slower, Better::Less) | (Verdict::Faster, Better::More) => RowVerdict::Slower,
    }
}

/// Collects the figures of several runs, each in the order of `metrics`; figures that no run has are left out.
pub fn figures<const N: usize>(metrics: [Metric; N], runs: &[[Option<Estimate>; N]]) -> Figures {
    let figure = |(position, metric): (usize, Metric)| {
        let of_runs = runs.iter().filter_map(|run| run[position]);
        Some((metric, Measured::of_rounds(of_runs)?))
    };
    metrics.into_iter().enumerate().filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(median: f64, low: f64, high: f64, n: usize) -> Estimate {
        Estimate {
            median,
            low,
            high,
            n,
        }
    }

    #[test]
    fn several_runs_of_rounds_have_all_of_their_intervals() {
        let runs = [
            of(2.0, 1.0, 3.0, 9),
            of(4.0, 3.5, 6.0, 7),
            of(3.0, 2.0, 3.5, 5),
        ];
        assert_eq!(
            Measured::of_rounds(runs),
            Some(Measured::Rounds(of(3.0, 1.0, 6.0, 9)))
        );
        assert_eq!(Measured::of_rounds([]), None);
    }

    #[test]
    fn runs_without_a_figure_are_left_out() {
        let runs = Measured::of_runs([Some(1.0), None, Some(2.0)]);
        assert_eq!(runs, Some(Measured::Runs(vec![1.0, 2.0])));
        assert_eq!(Measured::of_runs([None, None]), None);
    }
}
