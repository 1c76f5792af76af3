//! The cells of two bench runs.

use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::{Estimate, widest_factor};

use super::measure::{Entry, Metric, figures};
use super::pair::pair;
use locktoll_results::bench::BenchResult;
use locktoll_results::comparison::{Noise, Row, Unit};
use locktoll_shown::bench_setting;

/// Figures of a cell; rows are judged by the first.
pub const METRICS: [Metric; 11] = [
    Metric::less("ns_per_op", Unit::Ns),
    Metric::less("p50_ns", Unit::Ns),
    Metric::less("p99_ns", Unit::Ns),
    Metric::less("p99_9_ns", Unit::Ns),
    Metric::less("voluntary_switches_per_op", Unit::Count),
    Metric::less("involuntary_switches_per_op", Unit::Count),
    Metric::less("user_ns_per_op", Unit::Ns),
    Metric::less("system_ns_per_op", Unit::Ns),
    Metric::more("ops_per_second", Unit::PerSecond),
    Metric::more("jain", Unit::Quotient),
    Metric::more("bystander_per_second", Unit::PerSecond),
];

/// The figures of a cell in one run, in the order of [`METRICS`].
type Cell = [Option<Estimate>; METRICS.len()];

fn figures_of(cell: &CellSummary) -> Cell {
    let acquire = cell.acquire_ns.as_ref();
    [
        cell.ns_per_op,
        acquire.and_then(|it| it.p50),
        acquire.and_then(|it| it.p99),
        acquire.and_then(|it| it.p99_9),
        cell.voluntary_switches_per_op,
        cell.involuntary_switches_per_op,
        cell.user_ns_per_op,
        cell.system_ns_per_op,
        cell.ops_per_second,
        cell.fairness.as_ref().and_then(|it| it.jain),
        cell.bystander_per_second,
    ]
}

/// Returns the key of a cell: its lock and every parameter except the CPUs and the length of a slice, which depend on the machine
/// and on how long the user was willing to wait.
fn key(cell: &CellSummary) -> String {
    let mut knobs = cell.clone();
    knobs.cpus.clear();
    format!("{}, {}", cell.lock, bench_setting(&knobs))
}

/// Returns the cells of one side; the same cell of several runs is one entry.
fn entries(runs: &[&BenchResult]) -> Vec<Entry> {
    let mut gathered: Vec<(String, &CellSummary, Vec<Cell>)> = Vec::new();
    for (run, result) in runs.iter().enumerate() {
        for cell in &result.cells {
            let key = key(cell);
            // Two cells of one run are never joined, even if they have the same key.
            let known = gathered
                .iter_mut()
                .find(|(known, _, figures)| *known == key && figures.len() == run);
            match known {
                Some((_, _, figures)) => figures.push(figures_of(cell)),
                None => {
                    let mut figures = vec![[None; METRICS.len()]; run];
                    figures.push(figures_of(cell));
                    gathered.push((key, cell, figures));
                }
            }
        }
        for (_, _, figures) in &mut gathered {
            figures.resize(run + 1, [None; METRICS.len()]);
        }
    }
    gathered
        .into_iter()
        .map(|(key, cell, runs)| Entry {
            key,
            name: cell.lock.clone(),
            figures: figures(METRICS, &runs),
        })
        .collect()
}

/// Returns the rows of two runs, or of two lists of runs. A ratio counts as a difference only if it exceeds `least` and the
/// difference of the A/A pairs with the same setting, or of all A/A pairs if none has that setting.
pub fn rows(a: &[&BenchResult], b: &[&BenchResult], lead: &str, least: f64) -> Vec<Row> {
    let pairs: Vec<(String, f64)> = a
        .iter()
        .chain(b)
        .flat_map(|run| same_lock_twice(run))
        .collect();
    let noise = |key: &str| {
        let setting = key.split_once(", ").map_or(key, |(_, setting)| setting);
        let here: Vec<f64> = pairs
            .iter()
            .filter(|(of, _)| of == setting)
            .map(|(_, factor)| *factor)
            .collect();
        let all = pairs.iter().map(|(_, factor)| *factor).collect();
        let factors: Vec<f64> = if here.is_empty() { all } else { here };
        factors.into_iter().fold(least, f64::max)
    };
    pair(entries(a), entries(b), lead, noise)
}

/// Returns the A/A pairs of a run: their setting, and the factor by which the same lock differed from itself.
fn same_lock_twice(run: &BenchResult) -> Vec<(String, f64)> {
    let setting = |cell: &CellSummary| {
        let mut knobs = cell.clone();
        knobs.cpus.clear();
        bench_setting(&knobs)
    };
    run.noise
        .same_lock_twice
        .iter()
        .filter_map(|pair| {
            let cell = run.cells.get(pair.cell)?;
            let factor = widest_factor(&pair.ratio);
            (factor.is_finite() && pair.ratio.low > 0.0).then(|| (setting(cell), factor))
        })
        .collect()
}

/// Returns the ratios of the A/A pairs, and the widest of their factors.
pub fn noise(sides: [(&str, &[&BenchResult]); 2]) -> Noise {
    let mut noise = Noise {
        factor: 1.0,
        evidence: Vec::new(),
    };
    for (side, runs) in sides {
        for run in runs {
            for (_, factor) in same_lock_twice(run) {
                noise.factor = noise.factor.max(factor);
            }
            for pair in &run.noise.same_lock_twice {
                let Some(cell) = run.cells.get(pair.cell) else {
                    continue;
                };
                let Estimate {
                    median, low, high, ..
                } = pair.ratio;
                noise.evidence.push(format!(
                    "{side}: {} twice ({}): {median:.2}x ({low:.2} .. {high:.2})",
                    cell.lock,
                    bench_setting(cell)
                ));
            }
        }
    }
    noise
}
