//! Performance counters and their setting.

use crate::diagnosis::remedy::{Engine, on_the_machine, run_with, sysctl};
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Only `machine` uses counters.
const WHAT: &str = "cache and TLB misses of a switch";
/// The samples of `record` need the same call, and no counters.
const SPINNING: &str = "busy waiting";

/// Returns the findings about the setting and the counters.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![paranoid(reading), counters(reading)]
}

/// Reports the setting. Above 2, a mode that distributions added, programs may not even count their own events.
fn paranoid(reading: &Reading) -> Finding {
    const ID: &str = "perf-event-paranoid";
    let Some(level) = reading.kernel.perf_event_paranoid else {
        return Finding::new(ID, State::Unknown, None);
    };
    let value = format!("kernel.perf_event_paranoid {level}");
    match level > 2 && reading.permits(Capability::Perfmon) != Some(true) {
        false => Finding::new(ID, State::Works, value),
        true => Finding::new(ID, State::Limited, value)
            .concerns(Verb::Machine, Effect::Limits, WHAT)
            .concerns(Verb::Record, Effect::Limits, SPINNING)
            .remedy(sysctl(reading, "kernel.perf_event_paranoid", "2")),
    }
}

fn counters(reading: &Reading) -> Finding {
    const ID: &str = "pmu";
    let Some(error) = reading.calls.counter_error else {
        return Finding::new(ID, State::Works, "hardware counters".to_owned());
    };
    let lacking = |value: &str, remedy| {
        Finding::new(ID, State::Missing, value.to_owned())
            .concerns(Verb::Machine, Effect::Limits, WHAT)
            .remedy(remedy)
    };
    let permitted = reading.kernel.perf_event_paranoid.is_some_and(|it| it <= 2);
    match error {
        libc::ENOENT | libc::ENODEV | libc::EOPNOTSUPP => match reading.machine.virtual_machine {
            Some(true) => lacking(
                "the hypervisor shows none",
                Remedy::words(
                    Where::Outside,
                    "on the host, give the virtual machine a PMU (QEMU: -cpu host,pmu=on)",
                ),
            ),
            _ => lacking(
                "none",
                Remedy::words(
                    Where::Nowhere,
                    "neither this processor nor its driver offers them",
                ),
            ),
        },
        libc::EPERM | libc::EACCES if permitted => {
            let remedy = match Engine::around(reading) {
                Some(engine) => run_with(reading, engine, &[Capability::Perfmon], &[]),
                None => Remedy::words(
                    Where::Outside,
                    "start locktoll where no seccomp filter and no security module refuses perf_event_open(2)",
                ),
            };
            lacking("perf_event_open(2) is refused by a filter", remedy).concerns(
                Verb::Record,
                Effect::Limits,
                SPINNING,
            )
        }
        libc::EPERM | libc::EACCES => lacking(
            "perf_event_open(2) is not permitted",
            sysctl(reading, "kernel.perf_event_paranoid", "2"),
        ),
        libc::ENOSYS => lacking(
            "perf_event_open(2) does not exist",
            on_the_machine(reading).unwrap_or_else(|| {
                Remedy::words(
                    Where::Boot,
                    "needs a kernel built with CONFIG_PERF_EVENTS=y",
                )
            }),
        ),
        other => lacking(
            &std::io::Error::from_raw_os_error(other).to_string(),
            Remedy::words(Where::Nowhere, "other programs may hold all counters"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn each_error_has_its_own_way_out() {
        let mut reading = made_up::server();
        let mut of = |error, in_vm, level| {
            reading.calls.counter_error = Some(error);
            reading.machine.virtual_machine = Some(in_vm);
            reading.kernel.perf_event_paranoid = Some(level);
            let found = counters(&reading);
            assert_eq!(found.state, State::Missing);
            found.remedy.unwrap()
        };
        assert_eq!(of(libc::ENOENT, true, 2).place, Where::Outside);
        assert_eq!(of(libc::ENOENT, false, 2).place, Where::Nowhere);
        let lower = of(libc::EACCES, false, 4);
        assert_eq!(lower.commands, ["sysctl -w kernel.perf_event_paranoid=2"]);
        // The setting permits it: something else is in the way.
        assert!(of(libc::EPERM, false, 2).line().contains("seccomp"));
        assert_eq!(of(libc::ENOSYS, false, 2).place, Where::Boot);
        assert!(of(libc::EBUSY, false, 2).line().contains("other programs"));
    }

    #[test]
    fn the_setting_does_not_bind_those_with_the_capability() {
        let mut reading = made_up::server();
        reading.kernel.perf_event_paranoid = Some(4);
        assert_eq!(paranoid(&reading).state, State::Works);
        assert_eq!(paranoid(&made_up::laptop()).state, State::Limited);
    }
}
