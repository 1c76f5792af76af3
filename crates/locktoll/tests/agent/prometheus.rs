//! Prometheus's own tools on the metrics.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::bench::{Bench, text};
use crate::program::Program;
use crate::running::Agent;

#[test]
fn promtool_has_nothing_to_complain_of() {
    if !locktoll_needs::programs(&["promtool"]) {
        return;
    }
    let bench = Bench::new();
    let mut program = Program::recorded(&bench, "out.locktoll");
    let file = bench.path("locktoll.prom");
    let agent = Agent::start(&[
        "--pid",
        &program.pid.to_string(),
        "--textfile",
        file.to_str().unwrap(),
    ]);
    program.step("100");
    program.step("hold");
    agent.until("a held lock", |it| {
        it.of_lock("lock_held_seconds", "held_lock").is_some()
    });
    let answer = agent.ask("GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\n\r\n");
    let (_, served) = answer.split_once("\r\n\r\n").unwrap();
    program.step("release");
    for metrics in [served.to_owned(), std::fs::read_to_string(&file).unwrap()] {
        let mut command = Command::new("promtool");
        command.args(["check", "metrics"]).stdin(Stdio::piped());
        let mut promtool = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        promtool
            .stdin
            .take()
            .unwrap()
            .write_all(metrics.as_bytes())
            .unwrap();
        let out = promtool.wait_with_output().unwrap();
        let said = text(&out.stdout) + &text(&out.stderr);
        assert!(out.status.success() && said.is_empty(), "{said}\n{metrics}");
    }
}

#[test]
fn promtool_accepts_the_alert_rules_that_are_delivered() {
    if !locktoll_needs::programs(&["promtool"]) {
        return;
    }
    let rules = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../deploy/prometheus/alerts.yml"
    );
    let out = Command::new("promtool")
        .args(["check", "rules", rules])
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}{}",
        text(&out.stdout),
        text(&out.stderr)
    );
}
