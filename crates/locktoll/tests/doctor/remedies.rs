//! Remedies, carried out: what they promise must come true.

use std::process::Command;

use super::program::{Copy, NOBODY, document, finding, text, tracing_as_root, works};

/// Runs the finding's commands as root, without the `sudo` before each.
fn carry_out(finding: &serde_json::Value) -> bool {
    for command in finding["remedy"]["commands"].as_array().unwrap() {
        let command = command.as_str().unwrap();
        let command = command.strip_prefix("sudo ").unwrap_or(command);
        let done = Command::new("sh").args(["-c", command]).output().unwrap();
        if !done.status.success() {
            eprintln!("skipped: {command}: {}", text(&done.stderr));
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
    for verb in ["attach", "kernel", "top"] {
        assert_eq!(works(&after, verb), works(&as_root, verb), "{after:#}");
    }
    // The price of capabilities on the file.
    assert_eq!(finding(&after, "environment")["state"], "limited");
    assert_eq!(works(&after, "record"), "limited");
}

#[test]
fn a_second_setcap_keeps_what_the_first_gave() {
    let Some(copy) = Copy::for_others() else {
        return;
    };
    let given = Command::new("setcap")
        .arg("cap_syslog=ep")
        .arg(copy.path())
        .output();
    match given {
        Ok(given) if given.status.success() => {}
        other => {
            eprintln!("skipped: setcap: {other:?}");
            return;
        }
    }
    let Some(output) = copy.under(&NOBODY, &["doctor", "attach"]) else {
        return;
    };
    let line = text(&output.stderr);
    assert!(line.contains(",cap_syslog=ep "), "{line}");
}
