//! The candidates of two trials.

use locktoll_lab::stats::{Estimate, widest_factor};

use super::measure::{Entry, Metric, figures};
use super::pair::pair;
use locktoll_results::comparison::{Noise, Row, Unit};
use locktoll_results::trial::{Better as TrialBetter, MetricSource, TrialResult, TrialRow};

/// Figures of a candidate; rows are judged by the first. It compares each candidate with bare in its own run, so that a program
/// or machine that became faster as a whole is not mistaken for a better lock.
pub const METRICS: [Metric; 5] = [
    Metric::more("times_as_good_as_bare", Unit::Quotient),
    Metric::less("cpu_over_bare", Unit::Quotient),
    Metric::less("wall_time_ns", Unit::Ns),
    Metric::less("cpu_ns", Unit::Ns),
    Metric::neither("metric", Unit::Quotient),
];

/// The figures of a candidate in one run, in the order of [`METRICS`].
type Candidate = [Option<Estimate>; METRICS.len()];

fn figures_of(run: &TrialResult, row: &TrialRow) -> Candidate {
    let is_time = run.metric.source == MetricSource::WallTime;
    let gain = row
        .ratio_to_bare
        .filter(|it| it.low > 0.0)
        .map(|it| match run.metric.better {
            TrialBetter::Higher => it,
            TrialBetter::Lower => Estimate {
                median: 1.0 / it.median,
                low: 1.0 / it.high,
                high: 1.0 / it.low,
                n: it.n,
            },
        });
    [
        gain,
        row.cpu_ratio,
        row.metric.filter(|_| is_time),
        row.cpu_ns,
        row.metric.filter(|_| !is_time),
    ]
}

/// Returns the candidates of one side; the same candidate of several runs is one entry.
fn entries(runs: &[&TrialResult]) -> Vec<Entry> {
    let mut gathered: Vec<(String, Vec<Candidate>)> = Vec::new();
    for run in runs {
        for row in &run.results {
            let figures = figures_of(run, row);
            match gathered.iter_mut().find(|(lock, _)| *lock == row.lock) {
                Some((_, runs)) => runs.push(figures),
                None => gathered.push((row.lock.clone(), vec![figures])),
            }
        }
    }
    gathered
        .into_iter()
        .map(|(lock, runs)| Entry {
            key: lock.clone(),
            name: lock,
            figures: figures(METRICS, &runs),
        })
        .collect()
}

/// Returns the rows of two trials, or of two lists of trials. A ratio counts as a difference only if it exceeds the difference
/// between bare and bare on either side. Bare has no figure relative to itself, and therefore no row unless the user asks for
/// another figure.
pub fn rows(a: &[&TrialResult], b: &[&TrialResult], lead: &str) -> Vec<Row> {
    let noise = a
        .iter()
        .chain(b)
        .filter_map(|run| same(run))
        .fold(1.0, f64::max);
    let mut rows = pair(entries(a), entries(b), lead, |_| noise);
    rows.retain(|row| row.key != "bare" || row.a.is_some() || row.b.is_some());
    rows
}

/// Returns the factor by which bare differed from itself.
fn same(run: &TrialResult) -> Option<f64> {
    let same = run.same_against_same.filter(|it| it.low > 0.0)?;
    Some(widest_factor(&same)).filter(|it| it.is_finite())
}

/// Returns the ratios of bare to bare on each side, and the widest of their factors.
pub fn noise(sides: [(&str, &[&TrialResult]); 2]) -> Noise {
    let mut noise = Noise {
        factor: 1.0,
        evidence: Vec::new(),
    };
    for (side, runs) in sides {
        for run in runs {
            let (Some(factor), Some(same)) = (same(run), run.same_against_same) else {
                continue;
            };
            noise.factor = noise.factor.max(factor);
            noise.evidence.push(format!(
                "{side}: bare against bare: {:.2}x ({:.2} .. {:.2})",
                same.median, same.low, same.high
            ));
        }
    }
    noise
}
