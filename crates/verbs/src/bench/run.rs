//! Measures the experiment and prints the result.

use std::time::Duration;

use locktoll_lab::cell::{Calibration, Cell};
use locktoll_lab::clock::Clock;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_lab::plan::Experiment;
use locktoll_lab::runner::{
    CellSummary, Measured, RoundFigures, Until, count_slices, count_slices_of_part, measure,
    measure_part, measure_until,
};

use super::{list, request};
use crate::bench::flags::BenchArgs;
use crate::bench::progress::Progress;
use crate::present;
use crate::slices::ChildProcess;
use locktoll_results::Made;
use locktoll_results::bench::{BenchResult, Precision};
use locktoll_shown::{JSON, TEXT};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

/// The effect of Ctrl-C here.
const HINT: &str = "Ctrl-C shows the results so far";

/// Runs the verb.
pub fn run(args: &BenchArgs) -> Outcome {
    if args.list {
        return match args.output.format().name {
            TEXT => output::print(&list::list()),
            JSON => output::print(&list::json()?),
            _ => Err(Failure::Usage(
                "--list has the formats text and json".to_owned(),
            )),
        };
    }
    if args.samples && args.output.format().name != JSON {
        return Err(Failure::Usage(
            "--samples needs --json; text and html show medians and intervals".to_owned(),
        ));
    }
    let machine = Machine::observe();
    let experiment = request::experiment(args, &machine)?;
    present::check(&args.output)?;
    let interrupt = Interrupt::listen()?;
    let until = args.until.map(|share| Until {
        share,
        budget: args.budget_ns.map(Duration::from_nanos),
    });
    let mut finished = carry_out(&experiment, until, machine, &interrupt, HINT)?;
    if args.samples {
        finished.tell_each_round();
    }
    let result = &finished.result;
    present::put(&args.output, result)?;
    if result.partial {
        return Err(Failure::Run(anyhow::anyhow!(
            "interrupted: the figures above are partial, from {} of {} slices",
            finished.slices_done,
            finished.slices_planned
        )));
    }
    let measured = |cell: &CellSummary| cell.operations > 0 || cell.acquire_ns.is_some();
    if !result.cells.iter().any(measured) {
        return Err(Failure::Run(anyhow::anyhow!(
            "no cell could be measured; see the reasons above"
        )));
    }
    Ok(Ending::Done)
}

/// An experiment that was carried out, completely or until an interruption.
pub struct Finished {
    /// The measurements.
    pub result: BenchResult,
    cells: Vec<Cell>,
    measured: Measured,
    slices_done: usize,
    slices_planned: usize,
}

impl Finished {
    /// Adds the figures of each round to the result's cells.
    fn tell_each_round(&mut self) {
        let measured = self.cells.iter().zip(&self.measured.samples);
        for (summary, (cell, samples)) in self.result.cells.iter_mut().zip(measured) {
            summary.rounds = Some(RoundFigures::of(cell, samples));
        }
    }
}

/// Measures `experiment`, with every slice in its own process, and adds rounds if `until` asks for that. In the progress bar, `hint`
/// says what Ctrl-C does.
pub fn carry_out(
    experiment: &Experiment,
    until: Option<Until>,
    machine: Machine,
    interrupt: &Interrupt,
    hint: &str,
) -> Result<Finished, Failure> {
    let cells: Vec<Cell> = experiment.cells(Calibration::measure(), &machine.topology);
    // All cells make the same request.
    if let Some(reason) = cells.first().and_then(Cell::raising_refused) {
        let text = format!("--raise-while-holding: {reason}");
        return Err(Failure::Unsupported(text));
    }
    let repeat = experiment.repeat;
    let slices_planned = match experiment.part {
        None => count_slices(&cells, repeat),
        Some(part) => count_slices_of_part(&cells, part, repeat),
    };
    let watch = Watch::start();
    let mut executor = ChildProcess::new(interrupt.clone())?;
    let mut progress = Progress::new(slices_planned, &cells, hint, interrupt.clone());
    let part = experiment.part;
    let (executor, watcher) = (&mut executor, &mut progress);
    let measured = match (until, part) {
        (Some(until), _) => measure_until(&cells, part, repeat, until, executor, watcher),
        (None, None) => measure(&cells, repeat, executor, watcher),
        (None, Some(part)) => measure_part(&cells, part, repeat, executor, watcher),
    };
    progress.clear();
    let slices_done = measured
        .samples
        .iter()
        .map(|samples| samples.throughput.len() + samples.waiting.len())
        .sum();
    let mut result = BenchResult::new(
        &cells,
        &measured,
        repeat,
        machine,
        Clock::card(),
        watch.finish(),
    );
    result.made = Some(Made::now());
    result.until = until.map(|until| Precision::of(until.share, &result.cells));
    Ok(Finished {
        result,
        cells,
        measured,
        slices_done,
        slices_planned,
    })
}
