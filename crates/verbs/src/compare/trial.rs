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

// Only Linux has results of `try`.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use locktoll_made_up::made_up;

    fn ratio(median: f64, low: f64, high: f64) -> Estimate {
        Estimate {
            median,
            low,
            high,
            n: 9,
        }
    }

    #[test]
    fn a_lock_is_as_good_as_bare_by_what_the_metric_counts() {
        let mut run = made_up::trial::won();
        let mut row = run.results[2].clone();
        row.ratio_to_bare = Some(ratio(0.5, 0.4, 0.8));
        let time = figures_of(&run, &row);
        assert_eq!(time[0], Some(ratio(2.0, 1.25, 2.5)));
        assert_eq!((time[2], time[4]), (row.metric, None));
        run.metric = made_up::trial::served().metric;
        let served = figures_of(&run, &row);
        assert_eq!(served[0], row.ratio_to_bare);
        assert_eq!((served[2], served[4]), (None, row.metric));
        // A ratio that may be nothing says nothing.
        row.ratio_to_bare = Some(ratio(0.5, 0.0, 0.8));
        assert_eq!(figures_of(&run, &row)[0], None);
    }

    #[test]
    fn bare_differs_from_itself_by_the_furthest_end_of_its_interval() {
        let mut run = made_up::trial::won();
        run.same_against_same = Some(ratio(1.0, 0.5, 1.25));
        assert_eq!(same(&run), Some(2.0));
        let mut near = run.clone();
        near.same_against_same = Some(ratio(1.0, 0.8, 1.1));
        let noise = noise([("A", &[&near]), ("B", &[&run])]);
        assert_eq!((noise.factor, noise.evidence.len()), (2.0, 2));
        assert_eq!(
            noise.evidence[1],
            "B: bare against bare: 1.00x (0.50 .. 1.25)"
        );
        run.same_against_same = Some(ratio(1.0, 0.0, 1.25));
        assert_eq!(same(&run), None);
    }

    #[test]
    fn runs_of_one_side_are_one_row_and_bare_has_none_beside_itself() {
        let run = made_up::trial::won();
        let once = entries(&[&run]);
        let locks: Vec<&str> = once.iter().map(|it| it.key.as_str()).collect();
        let all: Vec<&str> = run.results.iter().map(|it| it.lock.as_str()).collect();
        assert_eq!(locks, all);
        assert_eq!(entries(&[&run, &run]).len(), once.len());
        let keys = |lead| -> Vec<String> {
            let rows = rows(&[&run], &[&run], lead);
            rows.into_iter().map(|row| row.key).collect()
        };
        assert_eq!(keys("times_as_good_as_bare"), all[1..]);
        assert_eq!(keys("wall_time_ns"), all);
        // On one side, it is a row too.
        let mut without = run.clone();
        without.results.remove(0);
        for (a, b) in [(&run, &without), (&without, &run)] {
            let rows = rows(&[a], &[b], "wall_time_ns");
            assert!(rows.iter().any(|row| row.key == "bare"));
        }
    }
}
