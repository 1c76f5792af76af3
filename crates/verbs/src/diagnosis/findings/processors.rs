//! The number of processors, and how threads may run on them.

use locktoll_lab::machine::format_cpu_list;

use crate::diagnosis::reading::RealTime;
use crate::diagnosis::remedy::{Engine, as_root, run_with};
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Returns the findings about CPUs, hyperthreads and real time.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![cpus(reading), hyperthreads(reading), real_time(reading)]
}

fn cpus(reading: &Reading) -> Finding {
    const ID: &str = "cpus";
    let usable = &reading.machine.usable_cpus;
    let value = match reading.machine.online_cpus {
        Some(online) => format!("{} of {online} ({})", usable.len(), format_cpu_list(usable)),
        None => format!("{} ({})", usable.len(), format_cpu_list(usable)),
    };
    if usable.len() > 1 {
        return Finding::new(ID, State::Works, value);
    }
    let remedy = match (reading.machine.online_cpus, Engine::around(reading)) {
        (Some(0 | 1) | None, _) => Remedy::words(Where::Nowhere, "needs a machine with two CPUs"),
        (Some(online), Some(engine @ (Engine::Docker | Engine::Podman))) => {
            let flag = format!("--cpuset-cpus=0-{}", online - 1);
            run_with(reading, engine, &[], &[&flag])
        }
        (Some(online), _) => Remedy::here(format!("taskset -pc 0-{} $$", online - 1))
            .note("where no cpuset is in the way (cpuset(7))"),
    };
    Finding::new(ID, State::Limited, value)
        .concerns(
            Verb::Machine,
            Effect::Limits,
            "hand-overs and cache lines between CPUs",
        )
        .concerns(
            Verb::Bench,
            Effect::Limits,
            "threads that run at the same time",
        )
        .remedy(remedy)
}

/// Reports hyperthreads, for readers of the figures: `--pin` decides whether threads share a core.
fn hyperthreads(reading: &Reading) -> Finding {
    const ID: &str = "smt";
    match reading.processor.hyperthreads {
        None => Finding::new(ID, State::Unknown, None),
        Some(false) => Finding::new(ID, State::Works, "off".to_owned()),
        Some(true) => Finding::new(ID, State::Works, "on".to_owned())
            .note("two threads may share a core; `bench --pin spread` keeps them apart"),
    }
}

fn real_time(reading: &Reading) -> Finding {
    const ID: &str = "real-time";
    let RealTime::Refused(reason) = &reading.calls.real_time else {
        return Finding::new(ID, State::Works, "SCHED_FIFO".to_owned());
    };
    let remedy = match Engine::around(reading) {
        Some(engine @ (Engine::Docker | Engine::Podman)) => run_with(
            reading,
            engine,
            &[Capability::SysNice],
            &["--ulimit rtprio=2"],
        ),
        Some(engine) => run_with(reading, engine, &[Capability::SysNice], &[]),
        None if reason.contains("RLIMIT_RTTIME") => Remedy::here("ulimit -R unlimited"),
        None => Remedy::here(as_root(reading, "prlimit --pid $$ --rtprio=2"))
            .note("for this shell; set rtprio in /etc/security/limits.conf to make it permanent"),
    };
    Finding::new(ID, State::Missing, reason.clone())
        .concerns(
            Verb::Machine,
            Effect::Disturbs,
            "switches are a mix of voluntary and involuntary ones",
        )
        .remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn one_cpu_of_many_can_be_widened_and_the_only_one_cannot() {
        let mut reading = made_up::server();
        reading.machine.usable_cpus = vec![3];
        let found = cpus(&reading);
        assert_eq!(found.value.as_deref(), Some("1 of 8 (3)"));
        let commands = found.remedy.unwrap().commands;
        assert_eq!(commands, ["taskset -pc 0-7 $$"]);
        reading.machine.online_cpus = Some(1);
        assert_eq!(cpus(&reading).remedy.unwrap().place, Where::Nowhere);
        let mut inside = made_up::container();
        inside.machine.usable_cpus = vec![0];
        assert_eq!(
            cpus(&inside).remedy.unwrap().commands,
            ["docker run --cpuset-cpus=0-7 IMAGE"]
        );
    }

    #[test]
    fn a_limit_of_real_time_is_lifted_in_the_shell() {
        let mut reading = made_up::laptop();
        assert_eq!(
            real_time(&reading).remedy.unwrap().commands,
            ["sudo prlimit --pid $$ --rtprio=2"]
        );
        let limit = "real-time threads are limited to 7 us without a sleep (RLIMIT_RTTIME)";
        reading.calls.real_time = RealTime::Refused(limit.to_owned());
        assert_eq!(
            real_time(&reading).remedy.unwrap().commands,
            ["ulimit -R unlimited"]
        );
    }
}
