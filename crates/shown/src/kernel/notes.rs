//! What measuring cost, what was lost, what cannot be seen.

use std::fmt::Write;

use crate::profile::text::styles::FAINT;
use locktoll_results::kernel::KernelResult;
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::{count, counted, price};

/// From this share of the waiting on, what stacks cost is worth a sentence.
const DEAR: f64 = 0.05;

/// Everything that is said once.
pub fn write(page: &mut String, result: &KernelResult) -> std::fmt::Result {
    folded(page, "", &cost(result))?;
    let stacks = result.callers.is_some() || result.locks.is_some();
    if stacks
        && result
            .probe
            .share_of_waiting
            .is_some_and(|share| share > DEAR)
    {
        folded(
            page,
            "",
            "Most of that is stacks of calls, and short waits are as long as those take: go by this run for who waits, and by one with \
             --by type for how long.",
        )?;
    }
    for lost in lost(result) {
        folded(page, "", &lost)?;
    }
    if let Some(why) = &result.why_no_names {
        folded(page, "", &format!("Names are missing: {why}."))?;
    }
    let mut words = String::new();
    folded(
        &mut words,
        "",
        "Only waits are seen: not how often locks were free, nor how long they were held, so shares are of waits; of spin locks \
         only waiters that queue, which without a paravirtual kernel leaves out the one next in line; of rw_semaphores only those that \
         did not get it by spinning. Waits shorter than our \
         program at their beginning are stretched to it. Medians and p99 are within a factor of two.",
    )?;
    writeln!(page, "{FAINT}{}{FAINT:#}", words.trim_end())?;
    for warning in &result.noise.warnings {
        folded(page, "", &format!("Warning: {warning}"))?;
    }
    Ok(())
}

fn cost(result: &KernelResult) -> String {
    let probe = &result.probe;
    if let Some(why) = &probe.why_not {
        return format!("What watching itself cost is not known: {why}.");
    }
    let (Some(begin), Some(end)) = (probe.begin_ns, probe.end_ns) else {
        return "Watching itself cost nothing: our programs never ran.".to_owned();
    };
    let percent = |share: Option<f64>| {
        share.map_or_else(
            || "an unknown part".to_owned(),
            |share| match share * 100.0 {
                ..0.01 => "under 0.01 %".to_owned(),
                percent => format!("{percent:.2} %"),
            },
        )
    };
    format!(
        "Watching itself cost {} at the beginning of each wait and {} at its end, while the lock is held: {} of the waiting, {} of the \
         time of all processors.",
        price(begin),
        price(end),
        percent(probe.share_of_waiting),
        percent(probe.share_of_time)
    )
}

fn lost(result: &KernelResult) -> Vec<String> {
    let lost = result.lost;
    let waits = |number| counted(number, "wait", "waits");
    let all = [
        (
            lost.nested + lost.threads,
            "not counted: no room for another wait at once",
        ),
        (
            lost.skipped,
            "not counted: they began or ended inside of our own program",
        ),
        (lost.ends, "not counted: their end was not seen"),
        (
            lost.begins,
            "not counted: they had begun before, or their beginning was not seen",
        ),
        (
            lost.callers,
            "without a row by caller: no room (--max-entries)",
        ),
        (lost.locks, "without a row by lock: no room (--max-entries)"),
        (
            lost.stacks,
            "without a caller: no room for their stack of calls (--max-entries)",
        ),
    ];
    let mut said: Vec<String> = all
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, why)| format!("{} {why}.", waits(number)))
        .collect();
    if said.is_empty() {
        said.push("Nothing was lost.".to_owned());
    }
    let repeated: u64 = result.kinds.iter().map(|row| row.repeated_begins).sum();
    if repeated > 0 {
        let mut text = String::new();
        let _ = write!(
            text,
            "{} of a wait that had begun already (from spinning to sleeping, and back): the first counts.",
            match repeated {
                1 => "1 more begin".to_owned(),
                many => format!("{} more begins", count(many)),
            }
        );
        said.push(text);
    }
    said
}
