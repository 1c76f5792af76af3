//! The findings in confinements of several kinds.

use std::process::Command;

use super::program::{Copy, NOBODY, document, finding, text, tracing_as_root, works};

/// The one line of a verb that cannot work, and exit code 3.
fn refused(output: &std::process::Output) -> String {
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    errors
}

#[test]
fn nobody_gets_the_command_for_the_very_file_that_runs() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let Some(output) = copy.under(&NOBODY, &["doctor", "--json"]) else {
        return;
    };
    let found = document(&output);
    assert_eq!(found["user_id"], 65534);
    assert_eq!(found["binary"], copy.name());
    assert_eq!(finding(&found, "capabilities")["state"], "missing");
    assert_eq!(works(&found, "attach"), "not");
    assert_eq!(works(&found, "kernel"), "not");
    assert_eq!(works(&found, "top"), "limited");
    assert_ne!(works(&found, "record"), "not");
    if tracing_as_root().is_none() {
        return;
    }
    assert_eq!(finding(&found, "tracing-programs")["state"], "missing");

    let output = copy.under(&NOBODY, &["doctor", "attach"]).unwrap();
    let line = refused(&output);
    let command = format!(
        "sudo setcap cap_bpf,cap_perfmon,cap_sys_ptrace=ep {}",
        copy.name()
    );
    assert!(line.contains(&command), "{line}");
    assert!(text(&output.stdout).contains(&command));
}

#[test]
fn where_privileges_cannot_be_gained_no_command_of_this_session_is_advised() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let command = [&NOBODY[..], &["--no-new-privs"]].concat();
    let Some(output) = copy.under(&command, &["doctor", "kernel", "--json"]) else {
        return;
    };
    let line = refused(&output);
    assert!(line.contains("no_new_privs"), "{line}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        finding(&found, "capabilities")["remedy"]["where"],
        "outside"
    );
}

#[test]
fn without_them_in_the_bounding_set_no_setcap_can_help() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    if tracing_as_root().is_none_or(|it| finding(&it, "container")["value"] != "none") {
        locktoll_needs::refused("in a container its engine is named in the place of the session");
        return;
    }
    // Root, but of a session that has been cut down.
    let command = ["setpriv", "--bounding-set=-bpf,-perfmon,-sys_admin"];
    let Some(output) = copy.under(&command, &["doctor", "kernel"]) else {
        return;
    };
    let line = refused(&output);
    assert!(line.contains("setcap cannot help"), "{line}");
    assert!(!line.contains("sudo "), "root needs no sudo: {line}");
}

#[test]
fn roots_capabilities_in_a_user_namespace_of_its_own_do_not_count() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let command = ["unshare", "--user", "--map-root-user"];
    let Some(output) = copy.under(&command, &["doctor", "--json"]) else {
        return;
    };
    let found = document(&output);
    assert_eq!(finding(&found, "user-namespace")["state"], "missing");
    assert_eq!(works(&found, "attach"), "not");
    assert_eq!(finding(&found, "tracing-programs")["state"], "missing");
    let output = copy.under(&command, &["doctor", "attach"]).unwrap();
    assert!(refused(&output).contains("not the initial user namespace"));
}

#[test]
fn the_verbs_themselves_end_with_the_command() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    if tracing_as_root().is_none() {
        return;
    }
    let Some(output) = copy.under(&NOBODY, &["kernel", "--duration", "100ms"]) else {
        return;
    };
    let capabilities = |names: &str| format!("sudo setcap {names}=ep {}", copy.name());
    let line = refused(&output);
    let command = capabilities("cap_bpf,cap_perfmon,cap_syslog");
    assert!(line.contains(&command), "{line}");
    assert!(output.stdout.is_empty());

    // A program of the same user, so that nothing but loading is in the way.
    let mut sleeper = Command::new(NOBODY[0])
        .args(&NOBODY[1..])
        .args(["sleep", "60"])
        .spawn()
        .unwrap();
    let pid = sleeper.id().to_string();
    let status = format!("/proc/{pid}/status");
    while !std::fs::read_to_string(&status)
        .unwrap()
        .contains("\nUid:\t65534")
    {
        std::thread::yield_now();
    }
    let output = copy.under(&NOBODY, &["attach", &pid, "--duration", "100ms"]);
    let line = refused(&output.unwrap());
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    let command = capabilities("cap_bpf,cap_perfmon,cap_sys_ptrace");
    assert!(line.contains(&command), "{line}");
}
