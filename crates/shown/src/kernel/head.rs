//! The answer: which of the kernel's locks cost the most.

use std::fmt::Write;

use crate::sentence;
use locktoll_results::kernel::{KernelLockKind, KernelResult, KernelScope};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;
use locktoll_terminal::quantity::{count, counted, duration, share};

/// The share of the waiting that watching itself may take. Above it, the sum means little.
const TOO_MUCH: f64 = 0.2;

/// Writes the answer, a warning if watching took much of the waiting, and the sum.
pub fn write(page: &mut String, result: &KernelResult, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(result), width)?;
    if let Some(share) = result
        .probe
        .share_of_waiting
        .filter(|share| *share > TOO_MUCH)
    {
        // The estimate can exceed the sum of short waits.
        let part = match share * 100.0 {
            100.0.. => "up to all waiting".to_owned(),
            percent => format!("{percent:.0} % of all waiting"),
        };
        let remedy = match result.callers.is_some() || result.locks.is_some() {
            true => "; `--by type` disturbs less",
            false => "",
        };
        let text = format!("locktoll itself caused {part}{remedy}.");
        fold::write(page, "Warning: ", &text, width)?;
    }
    match sum(result) {
        Some(sum) => fold::write(page, "", &sum, width),
        None => Ok(()),
    }
}

/// Says how much CPU time went into spinning, how much time was spent asleep, and which kind and which function have most of
/// both.
fn answer(result: &KernelResult) -> String {
    let whose = match result.scope {
        KernelScope::Machine => "",
        KernelScope::Command => " in the command and the processes it started",
        KernelScope::ControlGroup => " in the control group",
    };
    let time = duration(result.duration_ns as f64);
    let most = result.kinds.iter().max_by_key(|row| row.waits.total_ns);
    let Some(most) = most.filter(|_| result.total.count > 0) else {
        return format!("No contended wait for the kernel's own locks was seen{whose} in {time}.");
    };
    let mut text = spent(result, whose);
    let of_all = |part| share(part, result.total.total_ns);
    let _ = write!(
        text,
        " {} cost most: {} of all waiting, spinning and sleeping together",
        capital(&several(most.kind)),
        of_all(most.waits.total_ns)
    );
    let callers = result.callers.iter().flatten();
    let caller = callers
        .filter(|row| row.function.is_some())
        .max_by_key(|row| row.waits.total_ns);
    if let Some(caller) = caller {
        let _ = write!(
            text,
            ". The function that waited most was {}: {} of all waiting",
            shown_text(caller.function.as_deref().unwrap_or_default()),
            of_all(caller.waits.total_ns)
        );
    }
    text.push('.');
    text
}

/// Returns the plural name of a kind of lock.
fn several(kind: KernelLockKind) -> String {
    match kind {
        KernelLockKind::Spin => "spin locks".to_owned(),
        KernelLockKind::Mutex => "mutexes".to_owned(),
        other => format!("locks of kind {}", other.words()),
    }
}

/// `Spinning for the kernel's own locks took 0.03 % of the time of 8 CPUs (26.7 ms of 96.0 s); threads slept another 12.9 ms waiting for them.`
fn spent(result: &KernelResult, whose: &str) -> String {
    let kinds = result.kinds.iter();
    let spinning: u64 = kinds
        .filter(|row| row.kind.spins())
        .map(|row| row.waits.total_ns)
        .sum();
    let asleep = result.total.total_ns.saturating_sub(spinning);
    let time = duration(result.duration_ns as f64);
    let (spun, slept) = (duration(spinning as f64), duration(asleep as f64));
    if spinning == 0 {
        return format!(
            "Threads slept {slept} while they waited for the kernel's own locks{whose} in {time}, and spun for none."
        );
    }
    let took = match result.machine.online_cpus {
        Some(cpus) => format!(
            "{} of the time of {} ({spun} of {})",
            fine_share(spinning, result.duration_ns.saturating_mul(cpus as u64)),
            counted(cpus as u64, "CPU", "CPUs"),
            duration(result.duration_ns.saturating_mul(cpus as u64) as f64)
        ),
        None => format!("{spun} in {time}"),
    };
    let slept = match asleep {
        0 => String::new(),
        _ => format!("; threads slept another {slept} waiting for them"),
    };
    format!("Spinning for the kernel's own locks{whose} took {took}{slept}.")
}

/// Capitalises the first letter, for the beginning of a sentence.
fn capital(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Formats a share that is usually small.
fn fine_share(part: u64, whole: u64) -> String {
    match part as f64 / whole.max(1) as f64 * 100.0 {
        ..0.01 => "under 0.01 %".to_owned(),
        percent @ ..1.0 => format!("{percent:.2} %"),
        _ => share(part, whole),
    }
}

fn sum(result: &KernelResult) -> Option<String> {
    let total = &result.total;
    if total.count == 0 {
        return None;
    }
    let per_second = total.count as f64 * 1e9 / result.duration_ns.max(1) as f64;
    let mut text = format!(
        "{}, {} per second",
        counted(total.count, "wait", "waits"),
        count(per_second.round() as u64),
    );
    if let Some(max) = total.max_ns {
        let _ = write!(text, "; the longest wait took {}", duration(max as f64));
    }
    if let Some(steal) = result.noise.steal_share {
        let _ = write!(text, "; steal {:.1} %", steal * 100.0);
    }
    Some(text)
}
