//! From facts to findings. Nothing here reads the system.

use locktoll_lab::clock::Source;
use locktoll_lab::machine::format_cpu_list;

use super::Reading;
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};
use locktoll_terminal::quantity::duration;

/// Verbs that exist here.
const HERE: [Verb; 2] = [Verb::Machine, Verb::Bench];

/// If a sleep of one millisecond takes longer than this, the clock tick is the cause.
const COARSE_NS: u64 = 2_000_000;

/// Returns all findings, the most serious first.
pub fn examine(reading: &Reading, _for_one: Option<Verb>) -> Vec<Finding> {
    vec![
        linux(reading),
        stand_in(reading),
        clock(reading),
        cpus(reading),
        groups(reading),
        wait_on_address(reading),
        priority(reading),
        sleep(reading),
    ]
}

/// Reports the verbs that look into programs, which do not exist here.
fn linux(reading: &Reading) -> Finding {
    let system = reading.machine.kernel.clone();
    let by_preload = "Windows has no LD_PRELOAD";
    let by_bpf = "Windows has no eBPF tracing";
    let by_ptrace = "Windows has no ptrace and no /proc";
    Finding::new("linux", State::Missing, system)
        .note("these verbs exist only on Linux")
        .concerns_all(
            &[
                Verb::Record,
                Verb::RecordPreemption,
                Verb::Try,
                Verb::WhatIf,
                Verb::Advise,
            ],
            Effect::Blocks,
            by_preload,
        )
        .concerns_all(
            &[Verb::Attach, Verb::Kernel, Verb::Top],
            Effect::Blocks,
            by_bpf,
        )
        .concerns_all(&[Verb::Hang], Effect::Blocks, by_ptrace)
        .remedy(Remedy::words(
            Where::Nowhere,
            "run the program on Linux; recordings made there can be read here (`locktoll report FILE`)",
        ))
}

fn stand_in(reading: &Reading) -> Finding {
    const ID: &str = "windows";
    match &reading.machine.stand_in {
        None => Finding::new(ID, State::Works, reading.machine.kernel.clone()),
        Some(stand_in) => Finding::new(ID, State::Missing, stand_in.clone())
            .concerns_all(
                &HERE,
                Effect::Disturbs,
                "the figures are those of another system's locks, and say nothing about Windows",
            )
            .remedy(Remedy::words(
                Where::Nowhere,
                "run the same commands on Windows",
            )),
    }
}

fn clock(reading: &Reading) -> Finding {
    const ID: &str = "clock";
    let cost = duration(reading.clock.cost_ns);
    match &reading.clock.fallback_reason {
        None => {
            let source = match reading.clock.source {
                Source::Tsc => "the processor's time-stamp counter",
                Source::Cntvct => "the processor's generic timer",
                Source::Monotonic => "QueryPerformanceCounter",
            };
            Finding::new(ID, State::Works, format!("{source}, {cost} a reading"))
        }
        Some(reason) => Finding::new(
            ID,
            State::Limited,
            format!("QueryPerformanceCounter, {cost} a reading"),
        )
        .note(format!(
            "it is used instead of the processor's counter: {reason}"
        ))
        .concerns_all(&HERE, Effect::Disturbs, "a slower and coarser clock")
        .remedy(
            Remedy::command(Where::Boot, "bcdedit /deletevalue useplatformclock").note(
                "as administrator, where somebody had set it; else it takes a machine, or a virtual one, that shows an invariant \
                 time-stamp counter",
            ),
        ),
    }
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
    let remedy = match reading.machine.online_cpus {
        Some(2..) => Remedy::here("start /affinity 3 /b locktoll VERB")
            .note("in cmd.exe, where no job limits the process"),
        _ => Remedy::words(Where::Nowhere, "needs a machine with two CPUs"),
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

/// Reports the processor groups, for readers of the figures.
fn groups(reading: &Reading) -> Finding {
    const ID: &str = "processor-groups";
    match reading.processor_groups {
        None => Finding::new(ID, State::Unknown, None),
        Some(1) => Finding::new(ID, State::Works, "1".to_owned()),
        Some(several) => Finding::new(ID, State::Works, several.to_string()).note(
            "before Windows 11, the threads of a process stay in one of them unless they ask",
        ),
    }
}

fn wait_on_address(reading: &Reading) -> Finding {
    const ID: &str = "wait-on-address";
    match &reading.wait_on_address {
        Ok(()) => Finding::new(
            ID,
            State::Works,
            "waits, and tells a word that has changed".to_owned(),
        ),
        Err(reason) => Finding::new(ID, State::Missing, reason.clone())
            .concerns_all(&HERE, Effect::Limits, "locks that sleep on a word")
            .remedy(Remedy::words(Where::Nowhere, "it takes Windows 8 or later")),
    }
}

fn priority(reading: &Reading) -> Finding {
    const ID: &str = "priority";
    match &reading.priority {
        Ok(()) => Finding::new(ID, State::Works, "THREAD_PRIORITY_TIME_CRITICAL".to_owned()),
        Err(reason) => Finding::new(ID, State::Missing, reason.clone())
            .concerns(
                Verb::Machine,
                Effect::Disturbs,
                "other threads run between those that are measured",
            )
            .remedy(Remedy::words(
                Where::Outside,
                "a job keeps this process from raising priorities: start it outside of it",
            )),
    }
}

fn sleep(reading: &Reading) -> Finding {
    const ID: &str = "timer-resolution";
    let takes = duration(reading.sleep_of_1_ms_ns as f64);
    let value = format!("Sleep(1) takes {takes}");
    match reading.sleep_of_1_ms_ns <= COARSE_NS {
        true => Finding::new(ID, State::Works, value),
        false => Finding::new(ID, State::Limited, value)
            .note(
                "by the system's clock tick, which timeBeginPeriod makes finer: since Windows 10 2004 only for the process that asks",
            )
            .concerns(
                Verb::Bench,
                Effect::Disturbs,
                "sleeps are as long as the clock tick: spin-sleep1, and locks that wait with a limit",
            )
            .remedy(Remedy::words(
                Where::Nowhere,
                "no setting of the system; compare only runs with the same tick",
            )),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use locktoll_results::doctor::{Word, verdicts};

    #[test]
    fn every_finding_has_a_name_and_what_concerns_somebody_a_remedy() {
        let findings = examine(&Reading::take(), None);
        let ids: HashSet<_> = findings.iter().map(|finding| finding.id).collect();
        assert_eq!(ids.len(), findings.len());
        for finding in &findings {
            assert_eq!(
                finding.concerns.is_empty(),
                finding.remedy.is_none(),
                "{finding:?}"
            );
        }
    }

    #[test]
    fn what_is_linuxs_does_not_work_and_the_rest_does() {
        let mut reading = Reading::take();
        reading.machine.usable_cpus = vec![0, 1];
        reading.wait_on_address = Ok(());
        for verdict in verdicts(&examine(&reading, None)) {
            let here = HERE.contains(&verdict.verb);
            assert_eq!(verdict.works == Word::Full, here, "{verdict:?}");
            assert_eq!(verdict.works == Word::Not, !here, "{verdict:?}");
        }
    }

    #[test]
    fn bad_answers_are_findings() {
        let mut reading = Reading::take();
        reading.wait_on_address = Err("it failed".to_owned());
        reading.priority = Err("it failed".to_owned());
        reading.sleep_of_1_ms_ns = 15_600_000;
        reading.machine.stand_in = Some("Wine 8.0, not Windows".to_owned());
        let findings = examine(&reading, None);
        let state = |id: &str| findings.iter().find(|it| it.id == id).unwrap().state;
        assert_eq!(state("wait-on-address"), State::Missing);
        assert_eq!(state("priority"), State::Missing);
        assert_eq!(state("timer-resolution"), State::Limited);
        assert_eq!(state("windows"), State::Missing);
    }
}
