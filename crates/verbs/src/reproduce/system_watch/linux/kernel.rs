//! Rounds of a build during which the kernel's locks are watched.

use std::process::Stdio;

use crate::diagnosis::explained;
use locktoll_lab::clock::{Clock, Source};
use locktoll_lab::machine::Machine;
use locktoll_lab::noise;
use locktoll_lab::platform::this_program;
use locktoll_results::doctor::Verb;

use crate::demo;
use crate::reproduce::kernel_plan::{Host, KernelPlan};
use crate::reproduce::kernel_run::{KernelRound, KernelRun};
use locktoll_results::kernel::KernelLockKind;
use locktoll_sources::kernel_locks::{Gathered, Waiters, Wanted, Watch};

/// A host with this share of stolen time or more is not idle.
const IDLE_STEAL: f64 = 0.01;
/// A host with this share or more is busy enough to preempt lock holders again and again.
const BUSY_STEAL: f64 = 0.1;

/// Carries out the rounds; before each, `next` decides whether to continue.
///
/// # Errors
/// The reason why this cannot be done here.
pub fn carry_out(
    plan: &KernelPlan,
    machine: &Machine,
    mut next: impl FnMut(u32) -> bool,
) -> Result<Option<KernelRun>, String> {
    let clock = Clock::card();
    if clock.source != Source::Tsc {
        return Err("the processor has no counter of a known rate to count cycles with".to_owned());
    }
    let watch = Watch::begin(Wanted {
        by_caller: false,
        by_lock: false,
        of: Waiters::All,
        ticks_per_ns: Some(clock.ticks_per_ns),
        entries: None,
    })
    .map_err(explained(Verb::Kernel))
    .map_err(|failure| failure.to_string())?;
    let mut run = KernelRun {
        built_by: demo::built_by(plan.jobs),
        ..KernelRun::default()
    };
    let seen = noise::Watch::start();
    let mut before = watch.gathered().map_err(|error| error.to_string())?;
    for round in 0..plan.repeat {
        if !next(round) {
            return Ok(None);
        }
        let known = acquisitions()?;
        build(plan)?;
        let now = watch.gathered().map_err(|error| error.to_string())?;
        run.rounds.push(KernelRound {
            log2_cycles: spin_waits(&now.since(&before)),
            known_acquisitions: acquisitions()?.saturating_sub(known),
        });
        before = now;
    }
    run.unfit = plan
        .host
        .and_then(|host| unfit(host, machine.virtual_machine, seen.finish().steal_share));
    Ok(Some(run))
}

/// Runs one round of the build.
///
/// # Errors
/// If it failed.
pub fn build(plan: &KernelPlan) -> Result<(), String> {
    let mut own = this_program().map_err(|error| error.to_string())?;
    let status = own
        .args(plan.workload())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("the build cannot be started: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err("the build failed".to_owned()),
    }
}

fn spin_waits(gathered: &Gathered) -> Vec<u64> {
    let spin = gathered
        .kinds
        .iter()
        .find(|kind| kind.kind == KernelLockKind::Spin);
    spin.map_or_else(Vec::new, |kind| kind.log2_ticks.clone())
}

/// Returns the number of known spin lock acquisitions so far: every context switch takes the lock of its processor's run queue,
/// and every resolved page fault takes the lock of a page table. There are many more.
///
/// # Errors
/// If the kernel does not report them.
pub fn acquisitions() -> Result<u64, String> {
    let field = |path: &str, name: &str| {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{path} cannot be read: {error}"))?;
        let found = text
            .lines()
            .find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        found.ok_or_else(|| format!("{path} does not report {}", name.trim()))
    };
    Ok(field("/proc/stat", "ctxt ")? + field("/proc/vmstat", "pgfault ")?)
}

/// Returns the reason why a run is not judged if the host is not as the claim requires.
fn unfit(host: Host, virtual_machine: Option<bool>, steal: Option<f64>) -> Option<String> {
    if virtual_machine != Some(true) {
        return Some("this is not known to be a virtual machine".to_owned());
    }
    let Some(steal) = steal else {
        return Some("what the host takes away (steal) cannot be read".to_owned());
    };
    let percent = steal * 100.0;
    match host {
        Host::Idle if steal >= IDLE_STEAL => Some(format!(
            "the host was not idle: it took {percent:.1} % of the CPU time away"
        )),
        Host::Busy if steal < BUSY_STEAL => Some(format!(
            "the host took {percent:.1} % of the CPU time away: it was not busy, and busy loops inside the machine do not preempt \
             the holder of a spin lock of the kernel"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_host_decides_whether_a_run_is_judged_by() {
        let unfit = |host, steal| unfit(host, Some(true), steal).is_some();
        assert!(!unfit(Host::Idle, Some(0.001)) && unfit(Host::Idle, Some(0.05)));
        assert!(unfit(Host::Busy, Some(0.001)) && !unfit(Host::Busy, Some(0.3)));
        assert!(unfit(Host::Idle, None));
        assert!(super::unfit(Host::Idle, Some(false), Some(0.0)).is_some());
        // The limits themselves: an idle host takes less, a busy one takes as much or more.
        assert!(unfit(Host::Idle, Some(IDLE_STEAL)));
        assert!(!unfit(Host::Busy, Some(BUSY_STEAL)));
        let said = super::unfit(Host::Idle, Some(true), Some(0.05)).unwrap();
        assert!(said.contains("it took 5.0 %"), "{said}");
    }

    #[test]
    fn waits_for_spin_locks_alone_are_counted() {
        assert_eq!(spin_waits(&Gathered::default()), [0; 0]);
    }

    #[test]
    fn acquisitions_that_are_known_of_grow() {
        let before = acquisitions().unwrap();
        std::thread::sleep(Duration::from_millis(5));
        assert!(acquisitions().unwrap() > before);
    }
}
