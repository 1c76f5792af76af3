//! The visibility of other processes and of the kernel's functions.

use crate::diagnosis::remedy::{grant, setting, sysctl};
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Effect, Finding, Remedy, State, Verb};

/// Returns the findings about processes, their symbols and the kernel's symbols.
pub fn findings(reading: &Reading, wanted: &[Capability]) -> Vec<Finding> {
    vec![
        other_processes(reading, wanted),
        other_recordings(reading),
        hidden_processes(reading),
        ptrace_scope(reading),
        kernel_symbols(reading, wanted),
    ]
}

/// Reports access to other processes: the kernel shows the maps of a process to its own user, and to users who may trace any
/// process.
fn other_processes(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "other-processes";
    const WHAT: &str = "symbols of other users' programs";
    match reading.permits(Capability::SysPtrace) {
        None => Finding::new(ID, State::Unknown, None),
        Some(true) => Finding::new(ID, State::Works, "CAP_SYS_PTRACE".to_owned()),
        Some(false) => Finding::new(ID, State::Limited, "CAP_SYS_PTRACE lacking".to_owned())
            .concerns(Verb::Attach, Effect::Limits, WHAT)
            .concerns(Verb::Top, Effect::Limits, WHAT)
            .concerns(Verb::Hang, Effect::Limits, "other users' processes")
            .remedy(grant(reading, wanted)),
    }
}

/// Reports access to the recordings of other users, which only their owner may read. Nothing else needs the capability, and it opens
/// every file of the machine, so no command grants it along with the others.
fn other_recordings(reading: &Reading) -> Finding {
    const ID: &str = "other-recordings";
    match reading.permits(Capability::DacReadSearch) {
        None => Finding::new(ID, State::Unknown, None),
        Some(true) => Finding::new(ID, State::Works, "CAP_DAC_READ_SEARCH".to_owned()),
        Some(false) => Finding::new(ID, State::Limited, "CAP_DAC_READ_SEARCH lacking".to_owned())
            .concerns(
                Verb::Top,
                Effect::Limits,
                "recordings of other users' programs",
            )
            .remedy(Remedy::words(
                Where::Here,
                "give locktoll CAP_DAC_READ_SEARCH too, if it may read every file of the machine",
            )),
    }
}

fn hidden_processes(reading: &Reading) -> Finding {
    const ID: &str = "hidepid";
    const WHAT: &str = "other users' processes";
    let may_trace = reading.permits(Capability::SysPtrace) == Some(true);
    match &reading.kernel.hidepid {
        None => Finding::new(ID, State::Works, "off".to_owned()),
        Some(mode) if may_trace => {
            Finding::new(ID, State::Works, mode.clone()).note("CAP_SYS_PTRACE sees through it")
        }
        Some(mode) => Finding::new(ID, State::Limited, mode.clone())
            .concerns(Verb::Attach, Effect::Limits, WHAT)
            .concerns(Verb::Top, Effect::Limits, WHAT)
            .concerns(Verb::Hang, Effect::Limits, WHAT)
            .concerns(
                Verb::Machine,
                Effect::Limits,
                "other users' threads in --watch",
            )
            .remedy(setting(reading, "mount -o remount,hidepid=0 /proc")),
    }
}

/// Reports Yama's setting. `machine` traces its own children, whose system calls it counts; mode 1 permits that. `hang` stops the
/// threads of other processes, which mode 1 permits only with CAP_SYS_PTRACE.
fn ptrace_scope(reading: &Reading) -> Finding {
    const ID: &str = "ptrace-scope";
    const WHAT: &str = "system calls of a lock";
    const RUNNING: &str = "running processes (core files can be read)";
    let may_trace = reading.permits(Capability::SysPtrace) == Some(true);
    let Some(scope) = reading.kernel.ptrace_scope else {
        return Finding::new(ID, State::Works, "no Yama".to_owned());
    };
    let value = format!("kernel.yama.ptrace_scope {scope}");
    let for_hang = |state| {
        Finding::new(ID, state, value.clone()).concerns(Verb::Hang, Effect::Limits, RUNNING)
    };
    let lower = || sysctl(reading, "kernel.yama.ptrace_scope", "0");
    match scope {
        0 => Finding::new(ID, State::Works, value),
        1 | 2 if may_trace => Finding::new(ID, State::Works, value),
        1 => for_hang(State::Limited).remedy(lower()),
        2 => for_hang(State::Missing)
            .concerns(Verb::Machine, Effect::Limits, WHAT)
            .remedy(lower()),
        _ => for_hang(State::Missing)
            .concerns(Verb::Machine, Effect::Limits, WHAT)
            .remedy(Remedy::words(
                Where::Boot,
                "mode 3 lasts until the next boot; take kernel.yama.ptrace_scope=3 out of /etc/sysctl.d",
            )),
    }
}

fn kernel_symbols(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "kernel-symbols";
    const WHAT: &str = "names of the kernel's functions";
    let restrict = reading.kernel.kptr_restrict;
    let setting = restrict.map(|restrict| format!("kernel.kptr_restrict {restrict}"));
    let value = |words: &str| match &setting {
        Some(setting) => format!("{words}, {setting}"),
        None => words.to_owned(),
    };
    match reading.kernel.addresses_shown {
        None => Finding::new(ID, State::Unknown, setting),
        Some(true) => Finding::new(ID, State::Works, value("addresses shown")),
        Some(false) => {
            let mut remedy = grant(reading, wanted);
            // In mode 2 nobody sees them; in mode 1 only processes with the capability do.
            if restrict == Some(2) {
                let lower = sysctl(reading, "kernel.kptr_restrict", "1");
                remedy = match reading.permits(Capability::Syslog) {
                    Some(true) => lower,
                    _ => {
                        remedy.commands.splice(0..0, lower.commands);
                        remedy
                    }
                };
            }
            Finding::new(ID, State::Missing, value("addresses hidden"))
                .concerns(Verb::Kernel, Effect::Limits, WHAT)
                .remedy(remedy)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;
    use locktoll_results::doctor::Where as Place;

    #[test]
    fn where_nobody_sees_addresses_the_setting_goes_first() {
        let mut reading = made_up::laptop();
        reading.kernel.kptr_restrict = Some(2);
        let wanted = [Capability::Bpf, Capability::Syslog];
        let remedy = kernel_symbols(&reading, &wanted).remedy.unwrap();
        assert_eq!(
            remedy.commands,
            [
                "sudo sysctl -w kernel.kptr_restrict=1",
                "sudo setcap cap_bpf,cap_syslog=ep /home/ann/bin/locktoll"
            ]
        );
        let mut root = made_up::server();
        root.kernel.kptr_restrict = Some(2);
        root.kernel.addresses_shown = Some(false);
        let remedy = kernel_symbols(&root, &wanted).remedy.unwrap();
        assert_eq!(remedy.commands, ["sysctl -w kernel.kptr_restrict=1"]);
    }

    #[test]
    fn a_setting_of_the_kernel_is_the_hosts_business() {
        let mut reading = made_up::container();
        reading.kernel.ptrace_scope = Some(2);
        let found = ptrace_scope(&reading);
        assert_eq!(found.state, State::Missing);
        let remedy = found.remedy.unwrap();
        assert_eq!(remedy.place, Place::Outside);
        assert_eq!(
            remedy.commands,
            ["sudo sysctl -w kernel.yama.ptrace_scope=0"]
        );
        reading.kernel.ptrace_scope = Some(3);
        let remedy = ptrace_scope(&reading).remedy.unwrap();
        assert_eq!(remedy.place, Place::Boot);
    }

    #[test]
    fn hidden_processes_are_seen_by_who_may_trace() {
        let mut reading = made_up::laptop();
        reading.kernel.hidepid = Some("invisible".to_owned());
        assert_eq!(hidden_processes(&reading).concerns.len(), 4);
        let mut root = made_up::server();
        root.kernel.hidepid = Some("2".to_owned());
        assert_eq!(hidden_processes(&root).state, State::Works);
    }
}
