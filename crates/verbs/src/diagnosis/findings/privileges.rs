//! The privileges of this process, and the limits on them.

use crate::diagnosis::reading::Lockdown;
use crate::diagnosis::remedy::{Engine, grant, on_the_machine, run_with, setting};
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Where;
use locktoll_results::doctor::{Finding, Remedy, State, Verb};

/// Returns the findings about what this process may do.
pub fn findings(reading: &Reading, wanted: &[Capability]) -> Vec<Finding> {
    vec![
        capabilities(reading, wanted),
        seccomp(reading, wanted),
        unprivileged(reading),
        security_modules(reading),
        no_new_privs(reading),
    ]
}

/// The capabilities without which a program cannot be loaded.
const TO_LOAD: [Capability; 2] = [Capability::Bpf, Capability::Perfmon];

fn capabilities(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "capabilities";
    let held = |capability: &Capability| reading.permits(*capability);
    let Some(effective) = reading.privileges.effective else {
        return Finding::new(ID, State::Unknown, None);
    };
    let mut words: Vec<String> = [
        Capability::Bpf,
        Capability::Perfmon,
        Capability::SysPtrace,
        Capability::Syslog,
        Capability::SysNice,
        Capability::SysAdmin,
    ]
    .into_iter()
    .filter(|it| effective.contains(*it))
    .map(|it| it.to_string())
    .collect();
    if words.is_empty() {
        words.push("none of the relevant ones".to_owned());
    }
    let value = words.join(", ");
    if TO_LOAD.iter().all(|it| held(it) == Some(true)) {
        return Finding::new(ID, State::Works, value);
    }
    let lacking: Vec<String> = TO_LOAD
        .iter()
        .filter(|it| held(it) != Some(true))
        .map(ToString::to_string)
        .collect();
    let verb = match lacking.len() {
        1 => "is",
        _ => "are",
    };
    let why = match reading.in_user_namespace() {
        true => "in force for this user namespace alone",
        false => "lacking",
    };
    Finding::new(ID, State::Missing, value)
        .note(format!("{} {verb} {why}", lacking.join(" and ")))
        .keeps_programs_out(&Verb::TRACING)
        .remedy(grant(reading, wanted))
}

/// Reports lockdown. Any mode other than `Confidentiality` permits reading.
pub fn lockdown(reading: &Reading) -> Vec<Finding> {
    const ID: &str = "lockdown";
    let finding = match reading.kernel.lockdown {
        Lockdown::None => Finding::new(ID, State::Works, "none".to_owned()),
        Lockdown::Integrity => Finding::new(ID, State::Works, "integrity".to_owned())
            .note("reading the kernel is permitted"),
        Lockdown::Confidentiality => {
            Finding::new(ID, State::Missing, "confidentiality".to_owned())
                .note("not even root may read the kernel's memory through BPF")
                .keeps_programs_out(&Verb::TRACING)
                .remedy(Remedy::words(
                    Where::Boot,
                    "boot with lockdown=integrity instead of lockdown=confidentiality on the kernel's command \
                     line; a running kernel never lowers it",
                ))
        }
        Lockdown::Unknown => Finding::new(ID, State::Unknown, None)
            .note("/sys/kernel/security/lockdown is not there: securityfs is not mounted here")
            .remedy(setting(
                reading,
                "mount -t securityfs securityfs /sys/kernel/security",
            )),
    };
    vec![finding]
}

/// Reports filters. For a process that has the privileges, calling bpf(2) with a command that does not exist distinguishes a
/// filter from missing privileges.
fn seccomp(reading: &Reading, wanted: &[Capability]) -> Finding {
    const ID: &str = "seccomp";
    let Some(filtered) = reading.privileges.seccomp_filter else {
        return Finding::new(ID, State::Unknown, None);
    };
    let error = reading.calls.bpf_error;
    let may = reading.permits(Capability::Bpf) == Some(true);
    match (filtered, error) {
        (_, libc::ENOSYS) if !filtered => Finding::new(
            ID,
            State::Missing,
            "none, and bpf(2) does not exist".to_owned(),
        )
        .keeps_programs_out(&Verb::TRACING)
        .remedy(on_the_machine(reading).unwrap_or_else(|| {
            Remedy::words(
                Where::Boot,
                "needs a kernel built with CONFIG_BPF_SYSCALL=y",
            )
        })),
        (true, libc::EPERM | libc::EACCES | libc::ENOSYS) if may || error == libc::ENOSYS => {
            let remedy = match Engine::around(reading) {
                Some(engine @ (Engine::Docker | Engine::Podman)) => run_with(
                    reading,
                    engine,
                    wanted,
                    &["--security-opt seccomp=unconfined"],
                ),
                Some(engine) => run_with(reading, engine, wanted, &[]),
                None => Remedy::words(
                    Where::Outside,
                    "start locktoll from a session whose seccomp filter permits bpf(2) (systemd: SystemCallFilter=)",
                ),
            };
            Finding::new(
                ID,
                State::Missing,
                "a filter that refuses bpf(2)".to_owned(),
            )
            .keeps_programs_out(&Verb::TRACING)
            .remedy(remedy)
        }
        (true, libc::EPERM | libc::EACCES) => {
            Finding::new(ID, State::Unknown, "a filter".to_owned())
                .note("only with CAP_BPF can one see whether it permits bpf(2)")
        }
        (true, _) => Finding::new(ID, State::Works, "a filter that permits bpf(2)".to_owned()),
        (false, _) => Finding::new(ID, State::Works, "no filter".to_owned()),
    }
}

fn unprivileged(reading: &Reading) -> Finding {
    let value = reading.kernel.unprivileged_bpf_disabled;
    let state = match value {
        Some(_) => State::Works,
        None => State::Unknown,
    };
    Finding::new(
        "unprivileged-bpf",
        state,
        value.map(|value| format!("kernel.unprivileged_bpf_disabled {value}")),
    )
    .note("tracing programs need CAP_BPF and CAP_PERFMON whatever it says")
}

fn security_modules(reading: &Reading) -> Finding {
    let modules = reading.kernel.security_modules.as_ref();
    let state = match modules {
        Some(_) => State::Works,
        None => State::Unknown,
    };
    let finding = Finding::new(
        "security-modules",
        state,
        modules.map(|modules| modules.join(", ")),
    );
    let enforcing = modules.is_some_and(|modules| modules.iter().any(|it| it == "selinux"));
    match enforcing {
        true => finding
            .note("SELinux additionally requires the permission bpf { map_create prog_load }"),
        false => finding,
    }
}

fn no_new_privs(reading: &Reading) -> Finding {
    const ID: &str = "no-new-privs";
    match reading.privileges.no_new_privs {
        None => Finding::new(ID, State::Unknown, None),
        Some(false) => Finding::new(ID, State::Works, "off".to_owned()),
        Some(true) => Finding::new(ID, State::Limited, "on".to_owned())
            .note("neither sudo nor capabilities of files take effect in this session"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn the_old_capability_will_do_and_one_of_the_two_will_not() {
        let mut reading = made_up::laptop();
        let with = |reading: &mut Reading, held: &[Capability]| {
            reading.privileges.effective = Some(crate::diagnosis::Capabilities::of(held));
            capabilities(reading, &[])
        };
        let admin = with(&mut reading, &[Capability::SysAdmin]);
        assert_eq!(admin.state, State::Works);
        let half = with(&mut reading, &[Capability::Bpf]);
        assert_eq!(half.state, State::Missing);
        assert_eq!(half.note.as_deref(), Some("CAP_PERFMON is lacking"));
        reading.privileges.effective = None;
        let unread = capabilities(&reading, &[]);
        assert_eq!((unread.state, unread.value), (State::Unknown, None));
    }

    #[test]
    fn a_filter_is_judged_by_what_comes_back() {
        let mut reading = made_up::server();
        let mut of = |filter, error, may: bool| {
            reading.privileges.seccomp_filter = Some(filter);
            reading.privileges.effective = Some(crate::diagnosis::Capabilities(match may {
                true => u64::MAX,
                false => 0,
            }));
            reading.calls.bpf_error = error;
            seccomp(&reading, &[]).state
        };
        assert_eq!(of(false, libc::EPERM, false), State::Works);
        assert_eq!(of(true, libc::EINVAL, true), State::Works);
        assert_eq!(of(true, libc::EPERM, true), State::Missing);
        assert_eq!(of(true, libc::EPERM, false), State::Unknown);
        assert_eq!(of(true, libc::ENOSYS, false), State::Missing);
        assert_eq!(of(false, libc::ENOSYS, true), State::Missing);
    }

    #[test]
    fn of_the_modes_of_lockdown_only_one_keeps_programs_out() {
        let mut reading = made_up::server();
        let mut of = |mode| {
            reading.kernel.lockdown = mode;
            lockdown(&reading).remove(0)
        };
        assert_eq!(of(Lockdown::Integrity).state, State::Works);
        assert_eq!(of(Lockdown::None).state, State::Works);
        assert!(of(Lockdown::Confidentiality).keeps_out(Verb::Kernel));
        let unknown = of(Lockdown::Unknown);
        assert_eq!(unknown.state, State::Unknown);
        assert!(unknown.concerns.is_empty());
    }
}
