//! The cost of watching, the losses, and the limits.

use crate::{Provenance, sentence};
use locktoll_results::kernel::KernelResult;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration, price};

/// From this share of the waiting on, the cost of reading stacks is mentioned.
const MUCH: f64 = 0.05;

/// Writes everything that is said once.
pub fn write(page: &mut String, result: &KernelResult, width: usize) -> std::fmt::Result {
    fold::write(page, "", &cost(result), width)?;
    let stacks = result.callers.is_some() || result.locks.is_some();
    if stacks
        && result
            .probe
            .share_of_waiting
            .is_some_and(|share| share > MUCH)
    {
        fold::write(
            page,
            "",
            "Most of that is the price of reading stacks, which also stretches short waits: this run shows who waits, and a run with \
             --by type shows how long.",
            width,
        )?;
    }
    for lost in lost(result) {
        fold::write(page, "", &lost, width)?;
    }
    if let Some(why) = &result.why_no_names {
        fold::write(page, "", &format!("Names are missing: {why}."), width)?;
    }
    sentence::legend(page, LIMITS, width)?;
    for warning in &result.noise.warnings {
        fold::write(page, "Warning: ", warning, width)?;
    }
    let command = result
        .command
        .as_ref()
        .map(|command| shown_text(&command.join(" ")));
    let ran = match command {
        Some(command) => format!(
            "{} while `{command}` ran",
            duration(result.duration_ns as f64)
        ),
        None => format!(
            "{} of the whole machine",
            duration(result.duration_ns as f64)
        ),
    };
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(&result.version),
    };
    from.write(page, &ran, width)
}

/// The things that no figure here can show.
const LIMITS: &str = "Only waits are seen, not acquisitions without a wait and not hold times, so all shares are shares of waiting. Of \
                      spin locks only queued waiters are seen: without a paravirtual kernel the next in line is missing. Of \
                      rw_semaphores only waiters that slept are seen. A wait counts as at least as long as locktoll's program at its \
                      beginning takes. Medians and p99 are within a factor of two.";

fn cost(result: &KernelResult) -> String {
    let probe = &result.probe;
    if let Some(why) = &probe.why_not {
        return format!("The cost of watching is not known: {why}.");
    }
    let (Some(begin), Some(end)) = (probe.begin_ns, probe.end_ns) else {
        return "Watching cost nothing: locktoll's programs in the kernel never ran.".to_owned();
    };
    let percent = |share: Option<f64>| {
        share.map_or_else(
            || "an unknown part".to_owned(),
            |share| match share * 100.0 {
                ..0.01 => "under 0.01 %".to_owned(),
                100.0.. => "as much as all".to_owned(),
                percent => format!("{percent:.2} %"),
            },
        )
    };
    format!(
        "Watching cost {} at the beginning of each wait and {} at its end, while the lock is held: {} of the waiting, and {} of the \
         CPU time.",
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
            "not counted: too many at the same time",
        ),
        (
            lost.skipped,
            "not counted: began or ended inside locktoll's own program",
        ),
        (lost.ends, "not counted: the end was not seen"),
        (
            lost.begins,
            "not counted: began before the watch, or the beginning was not seen",
        ),
        (
            lost.callers,
            "without a row by caller: no room (--max-entries)",
        ),
        (lost.locks, "without a row by lock: no room (--max-entries)"),
        (
            lost.stacks,
            "without a caller: no room for the stack of calls (--max-entries)",
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
        said.push(format!(
            "{} inside a wait (it went from spinning to sleeping and back); only the first counts.",
            counted(repeated, "further beginning", "further beginnings")
        ));
    }
    said
}
