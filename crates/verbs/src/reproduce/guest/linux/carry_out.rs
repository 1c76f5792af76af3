//! The rounds of a guest run.

use std::path::Path;
use std::time::{Duration, Instant};

use locktoll_lab::clock::{Clock, Source};
use locktoll_lab::machine::Machine;

use super::busy_loops::BusyLoops;
use super::emulator::{Emulator, NoAnswer};
use super::found::{emulator, kernel_image, version};
use super::image::image;
use super::message::{Answer, Request};
use crate::reproduce::guest_plan::{GuestHost, GuestPlan};
use crate::reproduce::guest_run::GuestRun;
use crate::reproduce::kernel_run::KernelRound;

/// How long the guest may take to boot. It takes three seconds on an idle host.
const BOOT: Duration = Duration::from_secs(120);
/// The longest time that a round may take: this multiple of its length plus this time, since whatever began in it is finished.
const ROUND_TIMES: u32 = 10;
const ROUND_MORE: Duration = Duration::from_secs(30);

/// Carries out the rounds; `next` is called with the number of rounds so far, and says whether to continue. `image` is the kernel
/// image that the user named.
///
/// # Errors
/// The reason why this cannot be done here.
pub fn carry_out(
    plan: &GuestPlan,
    machine: &Machine,
    image: Option<&Path>,
    next: impl FnMut(u32) -> bool,
) -> Result<Option<GuestRun>, String> {
    match rounds(plan, machine, image, next) {
        Ok(run) => Ok(Some(run)),
        Err(NoAnswer::Stopped) => Ok(None),
        Err(NoAnswer::Failed(why)) => Err(why),
    }
}

fn rounds(
    plan: &GuestPlan,
    machine: &Machine,
    named: Option<&Path>,
    mut next: impl FnMut(u32) -> bool,
) -> Result<GuestRun, NoAnswer> {
    let clock = Clock::card();
    if clock.source != Source::Tsc {
        let why = "the processor has no counter of a known rate to count cycles with";
        return Err(NoAnswer::Failed(why.to_owned()));
    }
    let counter_khz = (clock.ticks_per_ns * 1e6).round() as u64;
    let program = emulator().map_err(NoAnswer::Failed)?;
    let kernel = kernel_image(named).map_err(NoAnswer::Failed)?;
    let files = image().map_err(NoAnswer::Failed)?;
    let mut guest = Emulator::start(&program, &kernel, &files, plan.cpus, counter_khz)
        .map_err(NoAnswer::Failed)?;
    let mut run = GuestRun {
        length: plan.length,
        ..GuestRun::default()
    };
    match guest.answer(BOOT, &mut || next(0))? {
        Answer::Ready { kernel } => {
            run.emulated_by = format!(
                "{} without KVM, {} virtual CPUs, Linux {kernel}",
                version(&program),
                plan.cpus
            );
            (run.idle.cpu, run.busy.cpu) = (Some(Duration::ZERO), Some(Duration::ZERO));
        }
        answer => return Err(unexpected(answer)),
    }
    // The first round translates the guest's code for the first time; it is not counted.
    round(plan, &mut guest, &mut || next(0))?;
    for number in 0..plan.rounds() {
        let host = host_of(number);
        let loops = match host {
            GuestHost::Idle => None,
            GuestHost::Busy => Some(BusyLoops::on(&machine.usable_cpus).map_err(|error| {
                NoAnswer::Failed(format!("the busy loops cannot be started: {error}"))
            })?),
        };
        let (before, began) = (guest.cpu(), Instant::now());
        let figures = round(plan, &mut guest, &mut || next(number))?;
        let used = guest
            .cpu()
            .zip(before)
            .map(|(now, before)| now.saturating_sub(before));
        let wall = began.elapsed();
        drop(loops);
        let of = match host {
            GuestHost::Idle => &mut run.idle,
            GuestHost::Busy => &mut run.busy,
        };
        of.run.rounds.push(figures);
        of.cpu = of.cpu.zip(used).map(|(sum, used)| sum + used);
        of.wall += wall;
    }
    guest.switch_off();
    Ok(run)
}

/// Returns the host of a round: each pair of rounds has both, and the one that comes first changes from pair to pair, so that
/// neither profits from coming later.
fn host_of(round: u32) -> GuestHost {
    match round % 4 {
        0 | 3 => GuestHost::Idle,
        _ => GuestHost::Busy,
    }
}

fn round(
    plan: &GuestPlan,
    guest: &mut Emulator,
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<KernelRound, NoAnswer> {
    guest.ask(&Request::Round {
        milliseconds: plan.length.as_millis() as u64,
        jobs: plan.jobs,
    })?;
    match guest.answer(plan.length * ROUND_TIMES + ROUND_MORE, keep_going)? {
        Answer::Round(figures) => Ok(figures),
        answer => Err(unexpected(answer)),
    }
}

fn unexpected(answer: Answer) -> NoAnswer {
    NoAnswer::Failed(match answer {
        Answer::Refused(why) => why,
        other => format!("the guest answered {other:?}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_hosts_come_in_each_pair_and_take_turns_in_coming_first() {
        use GuestHost::{Busy, Idle};
        let hosts: Vec<GuestHost> = (0..8).map(host_of).collect();
        assert_eq!(hosts, [Idle, Busy, Busy, Idle, Idle, Busy, Busy, Idle]);
    }
}
