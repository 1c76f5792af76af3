//! Alerts of processes that are watched from the kernel.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::watched::{LOCKTOLL, built, folder, source, text};

#[test]
fn holds_and_waits_are_reported_while_they_last() {
    let folder = folder();
    let program = folder.path().join("long_holds");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-pthread"])
        .arg(source("long_holds.c"));
    let Some(program) = built(&compiler, &program) else {
        return;
    };
    let mut program = Command::new(program)
        .args(["400", "200", "1000"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let file = folder.path().join("alerts.json");
    let mut attach = Command::new(LOCKTOLL);
    attach.args([
        "attach",
        &program.id().to_string(),
        "--json",
        "--duration",
        "3s",
    ]);
    attach.args(["--alert", "hold>100ms", "--alert", "wait>200ms"]);
    let output = attach.arg("--alert-file").arg(&file).output().unwrap();
    program.kill().unwrap();
    program.wait().unwrap();
    let errors = text(&output.stderr);
    if output.status.code() == Some(3) {
        return locktoll_needs::refused(&errors);
    }
    assert!(output.status.success(), "{errors}");
    let lines = std::fs::read_to_string(&file).unwrap();
    let alerts: Vec<Value> = lines
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let of = |kind: &str| {
        let found = alerts.iter().filter(|it| it["kind"] == kind);
        found.cloned().collect::<Vec<Value>>()
    };
    let (holds, waits) = (of("hold"), of("wait"));
    assert!(!holds.is_empty() && !waits.is_empty(), "{lines}");
    for alert in &alerts {
        assert_eq!(alert["name"], "journal", "{alert:#}");
        assert_eq!(alert["lock"], "mutex:long_holds:journal");
        assert_eq!(alert["waiter"]["site"]["function"], "append_to_journal");
        assert_eq!(alert["waiting"][0]["tids"][0], alert["waiter"]["tid"]);
        let least = if alert["kind"] == "hold" { 1e8 } else { 2e8 };
        assert!(alert["ns"].as_f64().unwrap() >= least, "{alert:#}");
    }
    // The place of the acquisition is not known, but what the holder does is.
    let is_in = |alert: &&Value, name: &str| {
        let stack = alert["holder"]["stack"].as_array().unwrap();
        stack.iter().any(|it| it["function"] == name)
    };
    let seen = holds.iter().filter(|it| is_in(it, "flush_journal"));
    assert!(seen.count() > 0, "{lines}");
    // The profile has the same alerts.
    let profile: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(profile["alerts"], Value::Array(alerts));
}
