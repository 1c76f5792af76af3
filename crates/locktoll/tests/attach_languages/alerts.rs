//! Alerts of processes that are watched from the kernel.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::watched::{LOCKTOLL, built, folder, source, text};

/// Watches `long_holds.c`, compiled with these flags, for three seconds. Returns what was printed, the alerts and the profile; `None`
/// if the kernel cannot be asked.
fn watched(flags: &[&str]) -> Option<(String, Vec<Value>, Value)> {
    let folder = folder();
    let program = folder.path().join("long_holds");
    let mut compiler = Command::new("cc");
    compiler
        .args(["-g", "-O1", "-pthread"])
        .args(flags)
        .arg(source("long_holds.c"));
    let program = built(&compiler, &program)?;
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
        locktoll_needs::refused(&errors);
        return None;
    }
    assert!(output.status.success(), "{errors}");
    let lines = std::fs::read_to_string(&file).unwrap();
    let alerts = lines.lines().map(|it| serde_json::from_str(it).unwrap());
    let profile = serde_json::from_slice(&output.stdout).unwrap();
    Some((errors, alerts.collect(), profile))
}

fn of_kind<'a>(alerts: &'a [Value], kind: &str) -> Vec<&'a Value> {
    alerts.iter().filter(|it| it["kind"] == kind).collect()
}

/// Only mutexes name their holder to the kernel's programs. The line that says so comes before anything else.
#[test]
fn of_a_reader_writer_lock_waits_are_reported_and_holds_are_not() {
    let Some((said, alerts, _)) = watched(&["-DRWLOCK"]) else {
        return;
    };
    assert!(
        said.contains("attach sees holds only of mutexes of the GNU C library"),
        "{said}"
    );
    assert!(of_kind(&alerts, "hold").is_empty(), "{alerts:#?}");
    let waits = of_kind(&alerts, "wait");
    assert!(!waits.is_empty());
    assert!(
        waits
            .iter()
            .all(|it| it["name"] == "journal" && it["holder"].is_null()),
        "{waits:#?}"
    );
}

#[test]
fn holds_and_waits_are_reported_while_they_last() {
    let Some((_, alerts, profile)) = watched(&[]) else {
        return;
    };
    let (holds, waits) = (of_kind(&alerts, "hold"), of_kind(&alerts, "wait"));
    assert!(!holds.is_empty() && !waits.is_empty(), "{alerts:#?}");
    for alert in &alerts {
        assert_eq!(alert["name"], "journal", "{alert:#}");
        assert_eq!(alert["lock"], "mutex:long_holds:journal");
        // The first alert may come before the program's code has been read.
        let is_early = alert["holder"]["cut"] == "the program's code had not been read yet";
        let site = &alert["waiter"]["site"];
        assert!(
            site["function"] == "append_to_journal" || is_early && site.is_null(),
            "{alert:#}"
        );
        assert_eq!(alert["waiting"][0]["tids"][0], alert["waiter"]["tid"]);
        let least = if alert["kind"] == "hold" { 1e8 } else { 2e8 };
        assert!(alert["ns"].as_f64().unwrap() >= least, "{alert:#}");
    }
    // The place of the acquisition is not known, but what the holder does is.
    let is_in = |alert: &Value, name: &str| {
        let stack = alert["holder"]["stack"].as_array().unwrap();
        stack.iter().any(|it| it["function"] == name)
    };
    let seen = holds.iter().filter(|it| is_in(it, "flush_journal"));
    assert!(seen.count() > 0, "{alerts:#?}");
    // The profile has the same alerts.
    assert_eq!(profile["alerts"], Value::Array(alerts));
}
