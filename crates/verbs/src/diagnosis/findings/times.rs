//! Clocks, and disturbances of times.

use crate::diagnosis::Reading;
use crate::diagnosis::remedy::{Engine, boot_with, run_with, setting};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Share of stolen time from which it is reported: one hundredth shows in every median of short slices.
const STEAL_TOLD: f64 = 0.01;

/// Returns the findings about the clock, quota, steal, governor and waiting for CPUs.
pub fn findings(reading: &Reading) -> Vec<Finding> {
    vec![
        clock(reading),
        quota(reading),
        steal(reading),
        governor(reading),
        pressure(reading),
    ]
}

fn clock(reading: &Reading) -> Finding {
    const ID: &str = "clock";
    let source = reading.machine.clocksource.clone();
    let Some(reason) = &reading.processor.clock_fallback else {
        return Finding::new(ID, State::Works, source);
    };
    let offers_tsc = reading.processor.clock_sources.iter().any(|it| it == "tsc");
    let remedy = match (offers_tsc, reading.machine.virtual_machine) {
        (true, _) => setting(
            reading,
            "sh -c 'echo tsc > /sys/devices/system/clocksource/clocksource0/current_clocksource'",
        ),
        (false, Some(true)) => Remedy::words(
            Where::Outside,
            "on the host, show the virtual machine an invariant TSC (QEMU: -cpu host,+invtsc)",
        ),
        (false, _) => boot_with("tsc=reliable")
            .note("if the kernel gave up a TSC that is sound (dmesg | grep -i tsc)"),
    };
    Finding::new(ID, State::Limited, source)
        .note(format!(
            "the kernel's clock is used instead of the processor's: {reason}"
        ))
        .concerns_all(&Verb::TIMED, Effect::Disturbs, "a slower and coarser clock")
        .concerns(Verb::Record, Effect::Disturbs, "a slower and coarser clock")
        .remedy(remedy)
}

fn quota(reading: &Reading) -> Finding {
    const ID: &str = "cpu-quota";
    let usable = reading.machine.usable_cpus.len();
    let Some(quota) = reading.machine.quota_cpus else {
        return Finding::new(ID, State::Works, "none".to_owned());
    };
    let value = format!("{quota} of {usable} CPUs");
    if quota >= usable as f64 {
        return Finding::new(ID, State::Works, value);
    }
    let group = reading.machine.cgroup.as_deref().unwrap_or("GROUP");
    let unit = group.rsplit('/').next().filter(|it| it.contains('.'));
    let remedy = match (Engine::around(reading), unit) {
        (Some(engine @ (Engine::Docker | Engine::Podman)), _) => {
            run_with(reading, engine, &[], &[&format!("--cpus={usable}")])
        }
        (Some(_), _) => Remedy::words(
            Where::Outside,
            "start the container without a limit of CPU time",
        ),
        (None, Some(unit)) => setting(
            reading,
            &format!("systemctl set-property --runtime {unit} CPUQuota="),
        ),
        (None, None) => setting(
            reading,
            &format!(
                "sh -c 'echo max > /sys/fs/cgroup{}/cpu.max'",
                group.trim_end_matches('/')
            ),
        ),
    };
    Finding::new(ID, State::Limited, value)
        .concerns_all(
            &Verb::TIMED,
            Effect::Disturbs,
            "threads are stopped when the quota is used up",
        )
        .remedy(remedy)
}

fn steal(reading: &Reading) -> Finding {
    const ID: &str = "steal";
    let Some(share) = reading.processor.steal_share else {
        return Finding::new(ID, State::Unknown, None);
    };
    let value = format!("{:.2} % since the start", share * 100.0);
    match share >= STEAL_TOLD {
        false => Finding::new(ID, State::Works, value),
        true => Finding::new(ID, State::Limited, value)
            .concerns_all(
                &Verb::TIMED,
                Effect::Disturbs,
                "the hypervisor takes CPU time away",
            )
            .remedy(Remedy::words(
                Where::Outside,
                "use a VM with dedicated CPUs, or measure when the host is quieter",
            )),
    }
}

/// Reports the governor. Virtual machines have none: their host decides.
fn governor(reading: &Reading) -> Finding {
    const ID: &str = "governor";
    match reading.machine.governor.as_deref() {
        None => Finding::new(ID, State::Works, "none to be set here".to_owned()),
        Some("performance") => Finding::new(ID, State::Works, "performance".to_owned()),
        Some(other) => Finding::new(ID, State::Limited, other.to_owned())
            .concerns_all(
                &Verb::TIMED,
                Effect::Disturbs,
                "the clock rate follows the load",
            )
            .remedy(setting(
                reading,
                "sh -c 'echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor'",
            )),
    }
}

fn pressure(reading: &Reading) -> Finding {
    const ID: &str = "psi";
    if reading.kernel.pressure {
        return Finding::new(ID, State::Works, "/proc/pressure/cpu".to_owned());
    }
    let built_in = reading
        .kernel
        .config
        .as_ref()
        .map(|config| config.has("PSI"));
    let remedy = match built_in {
        Some(false) => Remedy::words(Where::Boot, "needs a kernel built with CONFIG_PSI=y"),
        _ => boot_with("psi=1"),
    };
    Finding::new(
        ID,
        State::Missing,
        "/proc/pressure/cpu is not there".to_owned(),
    )
    .concerns(
        Verb::Machine,
        Effect::Limits,
        "the share of time in which threads wait for a CPU, in --watch",
    )
    .remedy(remedy)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn a_clock_that_is_offered_is_chosen_and_others_need_a_boot_or_a_host() {
        let mut reading = made_up::server();
        reading.processor.clock_fallback = Some("the source is hpet".to_owned());
        let command = clock(&reading).remedy.unwrap();
        assert!(command.commands[0].starts_with("sh -c 'echo tsc >"));
        reading.processor.clock_sources = vec!["hpet".to_owned()];
        assert_eq!(clock(&reading).remedy.unwrap().place, Where::Boot);
        reading.machine.virtual_machine = Some(true);
        assert_eq!(clock(&reading).remedy.unwrap().place, Where::Outside);
    }

    #[test]
    fn a_quota_disturbs_only_if_it_is_less_than_the_cpus() {
        let mut reading = made_up::server();
        reading.machine.quota_cpus = Some(8.0);
        assert_eq!(quota(&reading).state, State::Works);
        reading.machine.quota_cpus = Some(2.0);
        reading.machine.cgroup = Some("/system.slice/build.service".to_owned());
        let command = |reading: &Reading| quota(reading).remedy.unwrap().commands.remove(0);
        assert_eq!(
            command(&reading),
            "systemctl set-property --runtime build.service CPUQuota="
        );
        reading.machine.cgroup = Some("/batch/".to_owned());
        assert_eq!(
            command(&reading),
            "sh -c 'echo max > /sys/fs/cgroup/batch/cpu.max'"
        );
        reading = made_up::container();
        assert_eq!(command(&reading), "docker run --cpus=8 IMAGE");
    }

    #[test]
    fn steal_is_told_from_a_hundredth_on() {
        let mut reading = made_up::server();
        let mut of = |share| {
            reading.processor.steal_share = share;
            steal(&reading).state
        };
        assert_eq!(of(Some(0.009)), State::Works);
        assert_eq!(of(Some(0.01)), State::Limited);
        assert_eq!(of(None), State::Unknown);
    }

    #[test]
    fn a_kernel_without_accounting_of_waits_cannot_be_booted_into_it() {
        let mut reading = made_up::old_kernel();
        assert!(pressure(&reading).remedy.unwrap().line().contains("psi=1"));
        reading.kernel.config = Some(crate::diagnosis::reading::KernelConfig::of(""));
        let built = pressure(&reading).remedy.unwrap();
        assert!(built.line().contains("CONFIG_PSI=y"));
    }
}
