//! Flags of the engines that run containers.

use crate::diagnosis::{Capability, Reading};
use locktoll_results::doctor::{Remedy, Where};

/// The program that runs containers, as far as it decides about flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Docker.
    Docker,
    /// Podman.
    Podman,
    /// Kubernetes, on any run-time.
    Kubernetes,
    /// systemd-nspawn.
    Nspawn,
    /// Another engine, or an unknown one.
    Other,
}

impl Engine {
    /// Returns the engine that runs the container around this process, if there is one.
    pub fn around(reading: &Reading) -> Option<Self> {
        let kind = reading.container()?;
        Some(match kind {
            "docker" => Self::Docker,
            "podman" | "libpod" | "oci" => Self::Podman,
            "kubepods" => Self::Kubernetes,
            "systemd-nspawn" => Self::Nspawn,
            _ => Self::Other,
        })
    }
}

/// Returns the remedy of running the container with these capabilities, as root, or with other flags of Docker and Podman.
pub fn run_with(
    reading: &Reading,
    engine: Engine,
    wanted: &[Capability],
    flags: &[&str],
) -> Remedy {
    let names = |prefix: &str, separator: &str| {
        let names = wanted
            .iter()
            .map(|capability| format!("{prefix}{}", capability.short_name()));
        names.collect::<Vec<_>>().join(separator)
    };
    let remedy = match engine {
        Engine::Docker | Engine::Podman => {
            let mut words = vec![match engine {
                Engine::Docker => "docker run".to_owned(),
                // Without root, Podman makes a user namespace, in which capabilities do not count.
                _ => "sudo podman run".to_owned(),
            }];
            // The daemon may map users; this flag of Docker turns the mapping off.
            if engine == Engine::Docker && reading.in_user_namespace() {
                words.push("--userns=host".to_owned());
            }
            words.extend((!wanted.is_empty()).then(|| names("--cap-add ", " ")));
            words.extend((!reading.is_root()).then(|| "--user 0".to_owned()));
            words.extend(flags.iter().map(|flag| (*flag).to_owned()));
            words.push("IMAGE".to_owned());
            Remedy::command(Where::Outside, words.join(" "))
        }
        Engine::Kubernetes => Remedy::command(
            Where::Outside,
            "kubectl debug node/NODE -it --image=IMAGE --profile=sysadmin",
        )
        .note(format!(
            "or in the container's securityContext: capabilities: {{add: [{}]}}, runAsUser: 0",
            names("", ", ")
        )),
        Engine::Nspawn => Remedy::command(
            Where::Outside,
            format!(
                "sudo systemd-nspawn --private-users=no --capability={} --system-call-filter='bpf perf_event_open' -D ROOT",
                names("CAP_", ",")
            ),
        ),
        Engine::Other => Remedy::command(Where::Outside, "sudo locktoll attach PID"),
    };
    match (engine, remedy.note.is_some()) {
        (_, true) => remedy,
        (Engine::Other, _) => {
            remedy.note("on the host, where it sees the processes of containers, too")
        }
        _ if wanted.contains(&Capability::Bpf) => {
            remedy.note("or locktoll on the host, where it sees the processes of containers, too")
        }
        _ => remedy,
    }
}
