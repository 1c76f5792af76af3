//! What was watched, for how long, and what came out in one sentence.

use std::fmt::Write;

use crate::machine_line;
use crate::profile::text::styles::STRONG;
use locktoll_results::kernel::{KernelResult, KernelScope};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold::folded;
use locktoll_terminal::quantity::{counted, duration, share};

/// The machine, the watch, the sum.
pub fn write(page: &mut String, result: &KernelResult) -> std::fmt::Result {
    folded(page, "", &machine_line(&result.machine))?;
    writeln!(page)?;
    let mut words = String::new();
    folded(&mut words, "", &watched(result))?;
    writeln!(page, "{STRONG}{}{STRONG:#}", words.trim_end())?;
    folded(page, "", &sum(result))
}

fn watched(result: &KernelResult) -> String {
    let whose = match result.scope {
        KernelScope::Machine => "of this machine",
        KernelScope::Command => "of the command and the processes it started",
    };
    let meanwhile = match &result.command {
        Some(command) => format!(", while `{}` ran", shown_text(&command.join(" "))),
        None => String::new(),
    };
    format!(
        "Waits for the kernel's own locks, {} {whose}{meanwhile}",
        duration(result.duration_ns as f64)
    )
}

fn sum(result: &KernelResult) -> String {
    let total = &result.total;
    if total.count == 0 {
        return "Nobody waited for a lock that was taken.".to_owned();
    }
    let mut text = format!(
        "{} ({:.0} a second), {} together",
        counted(total.count, "wait", "waits"),
        total.count as f64 * 1e9 / result.duration_ns.max(1) as f64,
        duration(total.total_ns as f64),
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
            "; spinning for spin locks and rwlocks took {} of the time of {}",
            share(spinning, result.duration_ns * cpus as u64),
            counted(cpus as u64, "CPU", "CPUs")
        );
    }
    if let Some(max) = total.max_ns {
        let _ = write!(text, "; the longest wait {}", duration(max as f64));
    }
    if let Some(steal) = result.noise.steal_share {
        let _ = write!(text, "; steal {:.1} %", steal * 100.0);
    }
    text
}
