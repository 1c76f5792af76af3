//! How this process could get capabilities: file capabilities (setcap(8)), if the kernel would honour them.

use super::container::{Engine, run_with};
use super::settings::as_root;
use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::Verb;
use locktoll_results::doctor::{Remedy, Where};
use locktoll_terminal::escape::quoted;

/// The capabilities that `attach`, `kernel` and `top` can use together.
pub const FOR_TRACING: &[Capability] = &[
    Capability::Bpf,
    Capability::Perfmon,
    Capability::SysPtrace,
    Capability::Syslog,
];

/// Returns the capabilities that a verb can use, the indispensable ones first.
pub fn for_verb(verb: Verb) -> &'static [Capability] {
    use Capability::{Bpf, Perfmon, SysAdmin, SysNice, SysPtrace, Syslog};
    match verb {
        // Includes the other two. The kernel asks for it when a program is attached to a function of a user program.
        Verb::RecordPreemption => &[SysAdmin],
        Verb::Attach => &[Bpf, Perfmon, SysPtrace],
        Verb::Kernel => &[Bpf, Perfmon, Syslog],
        Verb::Top | Verb::Agent => &[Bpf, Perfmon, SysPtrace],
        Verb::Hang => &[SysPtrace],
        Verb::Machine => &[SysNice],
        Verb::Reproduce => &[Bpf, Perfmon, Syslog, SysNice],
        _ => &[],
    }
}

/// Returns the remedy that gives this program the capabilities, in addition to those that it has.
pub fn grant(reading: &Reading, wanted: &[Capability]) -> Remedy {
    let privileges = &reading.privileges;
    let engine = Engine::around(reading);
    let barred = privileges.bounding.is_some_and(|bounding| {
        wanted
            .iter()
            .any(|capability| !bounding.permits(*capability))
    });

    if let Some(engine) = engine.filter(|_| barred || reading.in_user_namespace()) {
        return run_with(reading, engine, wanted, &[]);
    }
    if reading.in_user_namespace() {
        return Remedy::command(Where::Outside, format!("sudo {} VERB ...", path(reading))).note(
            "outside of this user namespace: capabilities inside of it do not count for this",
        );
    }
    if barred {
        let said = "the bounding set of this session lacks them, so setcap cannot help";
        return match reading.systemd {
            // The service manager starts the program, not this session.
            true => Remedy::here(as_root(
                reading,
                &format!("systemd-run --pty --same-dir {} VERB ...", path(reading)),
            ))
            .note(said),
            false => Remedy::words(
                Where::Outside,
                format!("{said}; start locktoll from another session"),
            ),
        };
    }
    let set = set_on(reading, wanted);
    match (privileges.no_new_privs, reading.is_root()) {
        (Some(true), false) => set_elsewhere(set),
        _ => set,
    }
}

/// Moves the remedy outside: in a session that may not gain privileges, neither file capabilities nor sudo take effect.
fn set_elsewhere(set: Remedy) -> Remedy {
    Remedy {
        place: Where::Outside,
        note: Some(
            "and start it from a session without no_new_privs, which this one has".to_owned(),
        ),
        ..set
    }
}

fn set_on(reading: &Reading, wanted: &[Capability]) -> Remedy {
    let value = format!("{}=ep", names(reading, wanted));
    let path = path(reading);
    if reading.binary.nosuid == Some(true) {
        const ELSEWHERE: &str = "/usr/local/bin/locktoll";
        return Remedy {
            place: Where::Here,
            commands: vec![
                as_root(reading, &format!("install -m 755 {path} {ELSEWHERE}")),
                as_root(reading, &format!("setcap {value} {ELSEWHERE}")),
            ],
            note: Some(
                "this file system is mounted nosuid, where capabilities of files do not count"
                    .to_owned(),
            ),
        };
    }
    let set = Remedy::here(as_root(reading, &format!("setcap {value} {path}")));
    match reading.is_root() {
        true => set,
        false => set.note("or run it with sudo"),
    }
}

/// Returns the names for setcap. setcap replaces all capabilities of a file, so those that this process got from it are named
/// again.
fn names(reading: &Reading, wanted: &[Capability]) -> String {
    let knows_bpf = reading
        .privileges
        .last_capability
        .is_none_or(|last| last >= Capability::Bpf.bit());
    let held = reading
        .privileges
        .permitted
        .filter(|_| !reading.is_root())
        .unwrap_or_default();
    let mut set: Vec<Capability> = wanted.to_vec();
    let others = [
        Capability::Bpf,
        Capability::Perfmon,
        Capability::SysPtrace,
        Capability::Syslog,
        Capability::SysNice,
        Capability::SysAdmin,
        Capability::DacReadSearch,
    ];
    set.extend(
        others
            .into_iter()
            .filter(|it| held.contains(*it) && !wanted.contains(it)),
    );
    let mut names: Vec<String> = Vec::new();
    for capability in set {
        let split_off = matches!(capability, Capability::Bpf | Capability::Perfmon);
        let capability = match split_off && !knows_bpf {
            true => Capability::SysAdmin,
            false => capability,
        };
        let name = capability.to_string().to_ascii_lowercase();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(",")
}

fn path(reading: &Reading) -> String {
    quoted(&reading.binary.path)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{FOR_TRACING, for_verb};
    use crate::diagnosis::Capability;
    use locktoll_results::doctor::Verb;

    /// The file of `deploy` with this name.
    fn read(file: &str) -> String {
        let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
        fs::read_to_string(deploy.join(file)).unwrap()
    }

    #[test]
    fn what_runs_the_agent_grants_its_capabilities() {
        let joined = |name: fn(&Capability) -> String, between: &str| {
            let names: Vec<String> = for_verb(Verb::Agent).iter().map(name).collect();
            names.join(between)
        };
        let full = joined(ToString::to_string, " ");
        let short = |it: &Capability| it.short_name().to_owned();
        for (file, granted) in [
            (
                "systemd/locktoll-agent.service",
                format!("CapabilityBoundingSet={full}\n"),
            ),
            (
                "systemd/locktoll-agent.service",
                format!("AmbientCapabilities={full}\n"),
            ),
            (
                "kubernetes/daemonset.yaml",
                format!("add: [\"{}\"]\n", joined(short, "\", \"")),
            ),
            (
                "Containerfile",
                format!("--cap-add {} ", joined(short, ",")),
            ),
        ] {
            assert!(read(file).contains(&granted), "{file}: {granted}");
        }
    }

    /// The package and the unit grant what `doctor` advises, and nothing else.
    #[test]
    fn packages_grant_the_capabilities_for_tracing() {
        let names = |between: &str| {
            let names: Vec<String> = FOR_TRACING.iter().map(ToString::to_string).collect();
            names.join(between)
        };
        let line = format!("capabilities={}=ep", names(",").to_ascii_lowercase());
        let postinst = read("debian/postinst");
        assert!(postinst.lines().any(|it| it == line), "{line}");
        let unit = read("systemd/locktoll-alerts@.service");
        for setting in ["CapabilityBoundingSet", "AmbientCapabilities"] {
            let line = format!("{setting}={}", names(" "));
            assert!(unit.lines().any(|it| it == line), "{line}");
        }
    }
}
