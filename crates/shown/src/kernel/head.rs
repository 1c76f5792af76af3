//! The answer: which of the kernel's locks cost most.

use std::fmt::Write;

use crate::sentence;
use locktoll_results::kernel::{KernelLockKind, KernelResult, KernelScope};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{counted, duration, share};

/// The share of the waiting that watching itself may take before the sum is worth little.
const TOO_MUCH: f64 = 0.2;

/// The answer, what it must be taken with, and the sum.
pub fn write(page: &mut String, result: &KernelResult, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(result), width)?;
    if let Some(share) = result
        .probe
        .share_of_waiting
        .filter(|share| *share > TOO_MUCH)
    {
        let text = format!(
            "Watching took {:.0} % of that waiting itself: the real total is that much smaller (--by type costs least).",
            share * 100.0
        );
        fold::write(page, "Warning: ", &text, width)?;
    }
    match sum(result) {
        Some(sum) => fold::write(page, "", &sum, width),
        None => Ok(()),
    }
}

/// Which kind of lock cost most, how much, and who asked for it.
fn answer(result: &KernelResult) -> String {
    let whose = match result.scope {
        KernelScope::Machine => "",
        KernelScope::Command => "The command and the processes it started: ",
    };
    let time = duration(result.duration_ns as f64);
    let most = result.kinds.iter().max_by_key(|row| row.waits.total_ns);
    let Some(most) = most.filter(|_| result.total.count > 0) else {
        return format!(
            "{whose}No contended waits for the kernel's own locks were seen in {time}."
        );
    };
    let mut text = format!(
        "{whose}Waiting for the kernel's own locks took {} in {time}: {} for {}",
        duration(result.total.total_ns as f64),
        share(most.waits.total_ns, result.total.total_ns),
        several(most.kind),
    );
    let callers = result.callers.iter().flatten();
    let caller = callers
        .filter(|row| row.function.is_some())
        .max_by_key(|row| row.waits.total_ns);
    if let Some(caller) = caller {
        let _ = write!(
            text,
            ", {} in {}",
            share(caller.waits.total_ns, result.total.total_ns),
            shown_text(caller.function.as_deref().unwrap_or_default())
        );
    }
    text.push('.');
    text
}

/// What several locks of a kind are called.
fn several(kind: KernelLockKind) -> String {
    match kind {
        KernelLockKind::Spin => "spin locks".to_owned(),
        KernelLockKind::Mutex => "mutexes".to_owned(),
        other => format!("locks of kind {}", other.words()),
    }
}

fn sum(result: &KernelResult) -> Option<String> {
    let total = &result.total;
    if total.count == 0 {
        return None;
    }
    let mut text = format!(
        "{}, {:.0} per second",
        counted(total.count, "wait", "waits"),
        total.count as f64 * 1e9 / result.duration_ns.max(1) as f64,
    );
    let spinning: u64 = result
        .kinds
        .iter()
        .filter(|row| row.kind.spins())
        .map(|row| row.waits.total_ns)
        .sum();
    if let Some(cpus) = result.machine.online_cpus {
        let _ = write!(
            text,
            "; spinning took {} of the time of {}",
            share(spinning, result.duration_ns * cpus as u64),
            counted(cpus as u64, "CPU", "CPUs")
        );
    }
    if let Some(max) = total.max_ns {
        let _ = write!(text, "; the longest wait took {}", duration(max as f64));
    }
    if let Some(steal) = result.noise.steal_share {
        let _ = write!(text, "; steal {:.1} %", steal * 100.0);
    }
    Some(text)
}
