//! What stands below the tables: Java, counters, scheduling, how far to trust it all.

use std::fmt::Write;

use anstyle::{Effects, Style};
use locktoll_lab::probe::{Counters, Java, Scheduling};

use super::super::MachineResult;
use super::super::quantity::{price, rate};
use super::super::text_fold::folded;

const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Everything that is said once.
pub fn notes(page: &mut String, result: &MachineResult) -> std::fmt::Result {
    let prices = &result.prices;
    if let Some(java) = &prices.java {
        folded(page, "", &java_line(java))?;
    }
    if let Some(counters) = &prices.counters {
        folded(page, "", &counters_line(counters))?;
    }
    if !prices.scheduling.policy.is_empty() {
        folded(page, "", &scheduling_line(&prices.scheduling))?;
    }
    for part in &prices.parts {
        if let Some(note) = &part.note {
            folded(page, "* ", &format!("{}: {note}", part.title))?;
        }
    }
    let quick = match result.quick {
        true => " Quick: fewer rounds, wider intervals.",
        false => "",
    };
    let mut words = String::new();
    folded(
        &mut words,
        "",
        &format!(
            "Medians. Switches are the kernel's count for one of what the line says; where it is off by more than 2 %, \
             there is no figure. Nor is there where system calls that must not switch made more than two switches in a \
             batch. Memory, cache lines between CPUs and locks are timed without such a count. Locks: processor time, \
             the empty loop of the same round subtracted; their system calls are counted by stopping at each.{quick}"
        ),
    )?;
    writeln!(page, "{FAINT}{}{FAINT:#}", words.trim_end())?;
    for warning in &result.noise.warnings {
        folded(page, "", &format!("Warning: {warning}"))?;
    }
    if result.partial {
        writeln!(page, "PARTIAL: interrupted before the last probe.")?;
    }
    Ok(())
}

fn java_line(java: &Java) -> String {
    let Some(version) = &java.version else {
        let reason = java.refused.as_deref().unwrap_or("no JDK found");
        return format!("Java: {reason}.");
    };
    let figures: Vec<String> = [
        ("park/unpark one way", java.park_unpark_ns),
        ("synchronized, uncontended", java.synchronized_ns),
        ("ReentrantLock, uncontended", java.reentrant_lock_ns),
    ]
    .into_iter()
    .filter_map(|(what, ns)| Some(format!("{what} {}", price(ns?.median))))
    .collect();
    match (figures.is_empty(), &java.refused) {
        (false, None) => format!("Java {version}: {}.", figures.join(", ")),
        (false, Some(reason)) => {
            format!("Java {version}: {}; refused: {reason}.", figures.join(", "))
        }
        (true, Some(reason)) => format!("Java {version}: {reason}."),
        (true, None) => format!("Java {version}: not measured."),
    }
}

fn counters_line(counters: &Counters) -> String {
    if !counters.available {
        let reason = counters.refused.as_deref().unwrap_or("not given");
        return format!("Hardware counters: none here: {reason}.");
    }
    let misses = |what, count: Option<locktoll_lab::stats::Estimate>| {
        Some(format!("{} {what}", rate(count?.median)))
    };
    let seen: Vec<String> = [
        misses(
            "misses in the last-level cache",
            counters.cache_misses_per_switch,
        ),
        misses("misses in the data TLB", counters.tlb_misses_per_switch),
    ]
    .into_iter()
    .flatten()
    .collect();
    let reason = match &counters.refused {
        Some(reason) => format!(": {reason}"),
        None => String::new(),
    };
    match seen.len() {
        0 => format!("Hardware counters: present, but without a figure for misses{reason}."),
        some => {
            let without = match (some, reason.as_str()) {
                (2, "") => String::new(),
                _ => format!("; the rest without a figure{reason}"),
            };
            let seen = seen.join(", ");
            format!("Hardware counters, for one switch between own working sets: {seen}{without}.")
        }
    }
}

fn scheduling_line(scheduling: &Scheduling) -> String {
    let mut line = format!("Probes ran under {}", scheduling.policy);
    if let Some(reason) = &scheduling.refused {
        let _ = write!(line, " (not SCHED_FIFO: {reason})");
    }
    if let Some(share) = scheduling.realtime_share {
        let _ = write!(
            line,
            "; real-time threads get at most {:.0} % of each period",
            share * 100.0
        );
    }
    line.push('.');
    line
}
