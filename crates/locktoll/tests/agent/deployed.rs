//! What runs the agent: the files of `deploy`, by the tools of those who use them.

use std::process::Command;

use crate::bench::{Bench, LOCKTOLL, text};

/// The file of `deploy` with this name.
fn path(name: &str) -> String {
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/").to_owned() + name
}

fn delivered(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap()
}

#[test]
fn systemd_accepts_the_unit_and_calls_it_hardened() {
    /// Tenths of a point, of at most 100. Most of what remains is that the agent reads all processes, and has a port.
    const EXPOSURE: &str = "--threshold=25";
    if !locktoll_needs::programs(&["systemd-analyze"]) {
        return;
    }
    let bench = Bench::new();
    // The program has to be where the unit says.
    let unit = delivered("systemd/locktoll-agent.service").replace("/usr/bin/locktoll", LOCKTOLL);
    let file = bench.path("locktoll-agent.service");
    std::fs::write(&file, unit).unwrap();
    let analyzed = |words: &[&str]| {
        let out = Command::new("systemd-analyze")
            .args(words)
            .arg(&file)
            .output();
        let out = out.unwrap();
        (out.status.success(), text(&out.stdout) + &text(&out.stderr))
    };
    let (accepted, said) = analyzed(&["verify", "--man=no"]);
    // Of the units of this machine it may have something to say, too.
    assert!(accepted && !said.contains("locktoll-agent"), "{said}");
    let (hardened, said) = analyzed(&["security", "--offline=yes", EXPOSURE]);
    assert!(hardened, "{said}");
}

#[test]
fn kubernetes_knows_every_field_of_the_daemon_set() {
    if !locktoll_needs::programs(&["kubernetes-validate"]) {
        return;
    }
    let validated = |file: &str| {
        let mut command = Command::new("kubernetes-validate");
        let out = command.args(["--strict", file]).output().unwrap();
        (out.status.success(), text(&out.stdout) + &text(&out.stderr))
    };
    let (accepted, said) = validated(&path("kubernetes/daemonset.yaml"));
    assert!(
        accepted && said.contains("daemonset/locktoll-agent"),
        "{said}"
    );
    // It can refuse.
    let bench = Bench::new();
    let wrong = delivered("kubernetes/daemonset.yaml").replace("hostPID:", "hostPid:");
    let file = bench.path("wrong.yaml");
    std::fs::write(&file, wrong).unwrap();
    let (accepted, said) = validated(file.to_str().unwrap());
    assert!(!accepted && said.contains("hostPid"), "{said}");
}

#[test]
fn the_daemon_set_has_the_least_privileges() {
    let daemon_set = delivered("kubernetes/daemonset.yaml");
    for line in [
        "privileged: false",
        "allowPrivilegeEscalation: false",
        "readOnlyRootFilesystem: true",
        r#"drop: ["ALL"]"#,
        "type: RuntimeDefault",
        "automountServiceAccountToken: false",
    ] {
        assert!(daemon_set.lines().any(|it| it.trim() == line), "{line}");
    }
    for absent in ["hostNetwork", "hostIPC", "hostPath", "ClusterRole"] {
        assert!(!daemon_set.contains(absent), "{absent}");
    }
}

#[test]
fn the_seccomp_profile_permits_what_the_agent_needs_and_nothing_that_changes_other_processes() {
    let profile: serde_json::Value =
        serde_json::from_str(&delivered("kubernetes/seccomp.json")).unwrap();
    assert_eq!(profile["defaultAction"], "SCMP_ACT_ERRNO");
    let permitted = profile["syscalls"][0]["names"].as_array().unwrap();
    let permits = |name: &str| permitted.iter().any(|it| it == name);
    for name in [
        "bpf",
        "perf_event_open",
        "process_vm_readv",
        "capset",
        "accept4",
    ] {
        assert!(permits(name), "{name}");
    }
    for name in [
        "ptrace",
        "process_vm_writev",
        "pidfd_getfd",
        "mount",
        "setns",
        "unshare",
        "setuid",
        "init_module",
    ] {
        assert!(!permits(name), "{name}");
    }
}
