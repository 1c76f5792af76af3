//! The chart of a claim: figures along the parameter that was varied.

use locktoll_lab::cell::Cell;
use locktoll_lab::probe::Prices;
use locktoll_lab::stats::estimate;

use super::axis::Axis;
use super::bench_run::BenchRun;
use super::description::{CheckDescription, Description};
use super::evidence::{Evidence, Gathered, LiveRun, SystemLook};
use super::figure::Figure;
use super::kernel_run::KernelRun;
use super::selection::Crossing;
use locktoll_results::reproduction::{Point, Series};

/// Returns the curves of all runs.
pub fn of(described: &Description, evidence: &Evidence) -> Vec<Series> {
    let first = described.checks.first().and_then(|check| check.figure);
    let figure = described.chart.figure.or(first).unwrap_or_default();
    let mut all = Vec::new();
    for (run, gathered) in &evidence.runs {
        let prefix = match &run.name {
            Some(name) => format!("{name}: "),
            None => String::new(),
        };
        match gathered {
            Ok(Gathered::Bench(bench)) => {
                all.extend(of_bench(
                    bench,
                    described.chart.along,
                    figure,
                    &prefix,
                    evidence.cpus,
                ));
            }
            Ok(Gathered::Live(live)) => all.push(of_live(live, &prefix)),
            Ok(Gathered::Kernel(kernel)) => all.push(of_kernel(kernel, &prefix)),
            Ok(Gathered::Guest(guest)) => all.extend(guest.series(&prefix)),
            Ok(Gathered::Machine(prices)) => all.extend(of_prices(described, prices, evidence)),
            Err(_) => {}
        }
    }
    all
}

fn of_bench(
    bench: &BenchRun,
    along: Option<Axis>,
    figure: Figure,
    prefix: &str,
    cpus: u32,
) -> Vec<Series> {
    let along = along.unwrap_or_else(|| widest(&bench.cells));
    let mut all: Vec<Series> = Vec::new();
    for (index, cell) in bench.cells.iter().enumerate() {
        let name = format!("{prefix}{}", name_of(cell, &bench.cells, along));
        let point = Point {
            x: along.of(cell).to_string(),
            y: bench
                // As in `bench`, each point is treated by itself.
                .rounds(index, figure, cell.threads == 1, cpus)
                .ok()
                .and_then(|values| estimate(&values)),
        };
        match all.iter_mut().find(|series| series.name == name) {
            Some(series) => series.points.push(point),
            None => all.push(Series {
                name,
                x_name: along.name().to_owned(),
                unit: figure.unit().to_owned(),
                points: vec![point],
            }),
        }
    }
    all
}

/// Returns the parameter with the most values; threads if no parameter is varied.
fn widest(cells: &[Cell]) -> Axis {
    let values = |axis: Axis| {
        let mut values: Vec<f64> = cells.iter().map(|cell| axis.of(cell)).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.len()
    };
    // `max_by_key` returns the last of equal elements; the order is reversed so that threads win.
    Axis::ALL
        .into_iter()
        .rev()
        .max_by_key(|axis| values(*axis))
        .unwrap_or(Axis::Threads)
}

/// Returns the name of a curve: the lock and every other parameter that is varied.
fn name_of(cell: &Cell, cells: &[Cell], along: Axis) -> String {
    let mut name = cell.lock.clone();
    if cells.iter().any(|other| other.workload != cell.workload) {
        name.push_str(&format!(", {}", cell.workload.name()));
    }
    if cells
        .iter()
        .any(|other| other.sleep_points != cell.sleep_points)
    {
        name.push_str(&format!(", yields {:?}", cell.sleep_points).to_lowercase());
    }
    for axis in Axis::ALL {
        let turned = cells.iter().any(|other| axis.of(other) != axis.of(cell));
        // By default every thread is active, so that number varies with the number of threads.
        if axis != along && turned && !(axis == Axis::Active && cell.active.is_none()) {
            name.push_str(&format!(", {} {}", axis.name(), axis.of(cell)));
        }
    }
    name
}

/// Returns the parts of the price list that the checks name.
fn of_prices(described: &Description, prices: &Prices, evidence: &Evidence) -> Option<Series> {
    let mut points: Vec<Point> = Vec::new();
    for select in described
        .checks
        .iter()
        .flat_map(CheckDescription::selections)
    {
        let part = |name: &String| prices.parts.iter().find(|part| part.name == *name);
        let name = match (&select.part, select.hand_over, &select.share, select.java) {
            (Some(name), ..) => {
                let title =
                    |name: &String| part(name).map_or(name.clone(), |part| part.title.clone());
                match &select.less {
                    None => title(name),
                    Some(less) => format!("{} less {}", title(name), title(less)),
                }
            }
            (None, Some(crossing), share, _) => {
                let of = match crossing {
                    Crossing::SameCpu => "hand-over on one CPU",
                    Crossing::CrossCpu => "hand-over across CPUs",
                };
                share
                    .as_ref()
                    .map_or(of.to_owned(), |share| format!("{of}: {share}"))
            }
            (None, None, _, Some(price)) => format!("{price:?}"),
            _ => continue,
        };
        let y = evidence
            .quantity(select, Figure::NsPerOp, true)
            .ok()
            .and_then(|quantity| quantity.estimate());
        let point = Point { x: name, y };
        if !points.contains(&point) {
            points.push(point);
        }
    }
    (!points.is_empty()).then(|| Series {
        name: "prices".to_owned(),
        x_name: "part".to_owned(),
        unit: "ns".to_owned(),
        points,
    })
}

fn of_live(live: &LiveRun, prefix: &str) -> Series {
    let point = |x: &str, looks: &[SystemLook]| Point {
        x: x.to_owned(),
        y: estimate(
            &looks
                .iter()
                .map(|look| look.switches_per_second)
                .collect::<Vec<_>>(),
        ),
    };
    Series {
        name: format!("{prefix}context switches of the whole system"),
        x_name: "when".to_owned(),
        unit: Figure::SwitchesPerSecond.unit().to_owned(),
        points: vec![point("before", &live.before), point("during", &live.during)],
    }
}

/// Returns the share of the waits that had each length.
fn of_kernel(run: &KernelRun, prefix: &str) -> Series {
    let longest = run.rounds.iter().map(|round| {
        let used = round.log2_cycles.iter().rposition(|count| *count > 0);
        used.map_or(0, |last| last + 1)
    });
    let points = (0..longest.max().unwrap_or(0)).map(|power| Point {
        x: format!("2^{power}"),
        y: estimate(
            &run.rounds
                .iter()
                .map(|round| {
                    let all: u64 = round.log2_cycles.iter().sum();
                    let here = round.log2_cycles.get(power).copied().unwrap_or(0);
                    here as f64 / all.max(1) as f64
                })
                .collect::<Vec<_>>(),
        ),
    });
    Series {
        name: format!(
            "{prefix}waits for spin locks while building ({})",
            run.built_by
        ),
        x_name: "cycles, from".to_owned(),
        unit: Figure::SpinWaitShare.unit().to_owned(),
        // Drop the leading lengths that no wait had.
        points: points
            .skip_while(|point| point.y.is_none_or(|share| share.high == 0.0))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::{Calibration, Kind, Length, SleepPoints};

    use super::*;
    use crate::reproduce::kernel_run::KernelRound;
    use crate::reproduce::made_up::described;

    fn cell(threads: u32, hold_ns: u64) -> Cell {
        let calibration = Calibration { loops_per_ns: 1.0 };
        Cell::at_rest("std", Length::Time { ns: 1 }, calibration).with(|knobs| {
            knobs.threads = threads;
            knobs.hold_ns = hold_ns;
        })
    }

    #[test]
    fn a_curve_is_named_by_what_is_varied_beside_its_axis() {
        let cells = [cell(1, 0), cell(2, 0), cell(1, 50), cell(2, 50)];
        assert_eq!(
            name_of(&cells[3], &cells, Axis::Threads),
            "std, hold, ns 50"
        );
        assert_eq!(name_of(&cells[3], &cells, Axis::Hold), "std, threads 2");
        assert_eq!(name_of(&cells[1], &cells[..2], Axis::Threads), "std");
        // If the number of active threads is asked for, it is a parameter of its own.
        let active = cell(2, 0).with(|knobs| knobs.active = Some(1));
        let both = [cell(2, 0), active];
        assert_eq!(name_of(&both[0], &both, Axis::Threads), "std");
        assert_eq!(
            name_of(&both[1], &both, Axis::Threads),
            "std, active threads 1"
        );
    }

    #[test]
    fn a_curve_is_named_by_its_workload_and_where_threads_yield() {
        let yields = cell(1, 0).with(|knobs| knobs.sleep_points = SleepPoints::Holding);
        let other = cell(1, 0).with(|knobs| knobs.workload = Kind::ReadMostly);
        let name = |cells: &[Cell]| name_of(&cells[0], cells, Axis::Threads);
        assert_eq!(name(&[yields.clone(), cell(1, 0)]), "std, yields holding");
        let workload = other.workload.name();
        assert_eq!(name(&[other, cell(1, 0)]), format!("std, {workload}"));
        assert_eq!(name(&[yields.clone(), yields]), "std");
    }

    #[test]
    fn the_axis_is_the_parameter_with_the_most_values() {
        let cells = [cell(1, 0), cell(2, 50), cell(1, 100)];
        assert_eq!(widest(&cells), Axis::Hold);
        assert_eq!(widest(&[cell(1, 0), cell(2, 50)]), Axis::Threads);
    }

    #[test]
    fn prices_that_a_check_names_are_points_each_once() {
        let prices = locktoll_made_up::made_up::machine_result().prices;
        let (a, b) = (prices.parts[0].clone(), prices.parts[1].clone());
        let points = |check: &str| -> Vec<(String, bool)> {
            let described = described(&format!("{check}\nat_most = 1"));
            let gathered = Gathered::Machine(Box::new(prices.clone()));
            let evidence = Evidence {
                runs: vec![(described.runs[0].clone(), Ok(gathered))],
                cpus: 2,
                look: locktoll_lab::stats::Look::Only,
            };
            let series = of(&described, &evidence).pop();
            let points = series.map_or(Vec::new(), |it| it.points);
            points
                .into_iter()
                .map(|it| (it.x, it.y.is_some()))
                .collect()
        };
        let part = format!("part = \"{}\"", a.name);
        let less = format!("less = \"{}\"", b.name);
        assert_eq!(
            points(&format!(
                "ratio = {{ of = {{ {part} }}, over = {{ {part}, {less} }} }}"
            )),
            [
                (a.title.clone(), true),
                (format!("{} less {}", a.title, b.title), true)
            ]
        );
        assert_eq!(
            points(&format!(
                "ratio = {{ of = {{ {part} }}, over = {{ {part} }} }}"
            )),
            [(a.title, true)]
        );
        assert_eq!(
            points("value = { hand_over = \"cross_cpu\" }"),
            [("hand-over across CPUs".to_owned(), true)]
        );
        assert_eq!(points("value = { java = \"park_unpark\" }").len(), 1);
        assert_eq!(points("value = {}"), []);
    }

    #[test]
    fn waits_for_spin_locks_are_shares_from_the_shortest_to_the_longest() {
        let round = |log2_cycles: &[u64]| KernelRound {
            log2_cycles: log2_cycles.to_vec(),
            known_acquisitions: 1,
        };
        let run = KernelRun {
            rounds: vec![round(&[0, 0, 3, 1, 0, 0]), round(&[0, 0, 1, 3])],
            built_by: "cc".to_owned(),
            unfit: None,
        };
        let series = of_kernel(&run, "busy: ");
        assert_eq!(
            series.name,
            "busy: waits for spin locks while building (cc)"
        );
        let points: Vec<(&str, f64)> = series
            .points
            .iter()
            .map(|point| (point.x.as_str(), point.y.unwrap().median))
            .collect();
        assert_eq!(points, [("2^2", 0.5), ("2^3", 0.5)]);
        let none = KernelRun {
            rounds: vec![round(&[0, 0])],
            ..run
        };
        assert_eq!(of_kernel(&none, "").points, []);
    }
}
