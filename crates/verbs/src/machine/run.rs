//! Measures the price list and shows it.

use locktoll_lab::clock::Clock;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_lab::probe::{Plan, Prices, measure};

use super::locks;
use super::progress::Progress;
use crate::machine::flags::MachineArgs;
use crate::present;
use locktoll_results::Made;
use locktoll_results::machine::MachineResult;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;

/// Runs the verb.
pub fn run(args: &MachineArgs) -> Outcome {
    if let Some(outcome) = args.live_view() {
        return outcome;
    }
    present::check(&args.output)?;
    let interrupt = Interrupt::listen()?;
    let result = price_list(args.quick, &interrupt)?;
    present::put(&args.output, &result)?;
    if result.partial {
        return Err(Failure::Run(anyhow::anyhow!(
            "interrupted: the price list above is partial"
        )));
    }
    if is_empty(&result.prices) {
        return Err(Failure::Run(anyhow::anyhow!(
            "nothing could be measured; see the reasons above"
        )));
    }
    Ok(Ending::Done)
}

/// Measures everything, or as much as possible until the user stops it.
fn price_list(quick: bool, interrupt: &Interrupt) -> Result<MachineResult, Failure> {
    let machine = Machine::observe();
    let plan = match quick {
        true => Plan::quick(),
        false => Plan::full(),
    };
    let watch = Watch::start();
    let mut progress = Progress::new(interrupt.clone());
    let mut prices = measure(&plan, &machine, &mut progress);
    prices.locks = locks::measure(quick, interrupt, &mut progress)?;
    progress.clear();
    let noise = watch.finish();
    Ok(MachineResult {
        schema: MachineResult::SCHEMA.to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        made: Some(Made::now()),
        machine,
        clock: Clock::card(),
        noise,
        quick,
        partial: interrupt.requested(),
        prices,
    })
}

/// Whether the list has no figure at all, which should not happen on any machine.
fn is_empty(prices: &Prices) -> bool {
    let parts = prices.parts.iter().all(|part| part.value.is_none());
    let locks = prices
        .locks
        .iter()
        .all(|lock| lock.uncontended_ns.is_none());
    parts && locks
}
