//! Remedies, carried out: they must have the promised effect.

use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::program::{Copy, NOBODY, document, finding, text, tracing_as_root, works};

/// Runs the finding's commands as root, without the `sudo` before each.
fn carry_out(finding: &serde_json::Value) -> bool {
    for command in finding["remedy"]["commands"].as_array().unwrap() {
        let command = command.as_str().unwrap();
        let command = command.strip_prefix("sudo ").unwrap_or(command);
        let program = command.split_whitespace().next().unwrap();
        if !locktoll_needs::programs(&[program]) {
            return false;
        }
        let done = Command::new("sh").args(["-c", command]).output().unwrap();
        if !done.status.success() {
            locktoll_needs::refused(&format!("{command}: {}", text(&done.stderr)));
            return false;
        }
    }
    true
}

#[test]
fn the_advised_setcap_lets_nobody_trace() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let Some(as_root) = tracing_as_root() else {
        return;
    };
    let Some(output) = copy.under(&NOBODY, &["doctor", "--json"]) else {
        return;
    };
    let before = document(&output);
    assert_eq!(works(&before, "kernel"), "not");
    if !carry_out(finding(&before, "capabilities")) {
        return;
    }
    let after = document(&copy.under(&NOBODY, &["doctor", "--json"]).unwrap());
    assert_eq!(
        finding(&after, "capabilities")["state"],
        "works",
        "{after:#}"
    );
    assert_eq!(finding(&after, "tracing-programs")["state"], "works");
    assert_eq!(finding(&after, "other-processes")["state"], "works");
    for verb in ["attach", "kernel"] {
        assert_eq!(works(&after, verb), works(&as_root, verb), "{after:#}");
    }
    // The advice leaves out the capability that opens every file.
    assert_eq!(finding(&after, "other-recordings")["state"], "limited");
    assert_eq!(works(&after, "top"), "limited");
    // Not only in our own words.
    let output = copy.under(&NOBODY, &["kernel", "--duration", "100ms"]);
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    // The price of capabilities on the file.
    assert_eq!(finding(&after, "environment")["state"], "limited");
    assert_eq!(works(&after, "record"), "limited");
}

#[test]
fn the_advised_setcap_lets_nobody_record_with_the_kernel() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let file = folder.path().join("of-true.locktoll");
    let file = file.to_str().unwrap();
    let words = ["record", "--preemption", "-o", file, "--", "true"];
    if tracing_as_root().is_none_or(|it| works(&it, "record --preemption") != "full") {
        locktoll_needs::refused("not even this user can record with the kernel's help");
        return;
    }
    let Some(output) = copy.under(&NOBODY, &words) else {
        return;
    };
    let errors = text(&output.stderr);
    assert!(errors.contains("setcap cap_sys_admin=ep "), "{errors}");
    let asked = ["doctor", "record", "--preemption", "--json"];
    let before = document(&copy.under(&NOBODY, &asked).unwrap());
    if !carry_out(finding(&before, "uprobes")) {
        return;
    }
    let after = document(&copy.under(&NOBODY, &asked).unwrap());
    let only_environment = serde_json::json!(["environment"]);
    assert_eq!(after["verbs"][0]["limited_by"], only_environment);
    let output = copy.under(&NOBODY, &words).unwrap();
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{errors}");
    assert!(!errors.contains("estimate"), "{errors}");
}

#[test]
fn a_second_setcap_keeps_what_the_first_gave() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    if !locktoll_needs::programs(&["setcap"]) {
        return;
    }
    let given = Command::new("setcap")
        .arg("cap_syslog=ep")
        .arg(copy.path())
        .output()
        .unwrap();
    if !given.status.success() {
        locktoll_needs::refused(&format!("setcap: {}", text(&given.stderr)));
        return;
    }
    let Some(output) = copy.under(&NOBODY, &["doctor", "attach"]) else {
        return;
    };
    let line = text(&output.stderr);
    assert!(line.contains(",cap_syslog=ep "), "{line}");
}
