//! Prometheus's own tools on the metrics.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

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

/// Ten minutes of one lock. One thread holds it all the time; then threads hold it for 20 s each.
const HOLDS: &str = r#"
rule_files: [RULES]
evaluation_interval: 15s
tests:
  - interval: 15s
    input_series:
      - series: 'locktoll_lock_held_seconds{process="bank",container="",pod="",lock="mutex:bank:journal",instance="a",job="locktoll"}'
        values: '1+15x11 5 20 5 20 5 20 5 20 5 20'
    alert_rule_test:
      - {eval_time: 1m, alertname: LocktollLockHeldForLong, exp_alerts: []}
      - eval_time: 2m
        alertname: LocktollLockHeldForLong
        exp_alerts:
          - exp_labels: {severity: critical, process: bank, lock: 'mutex:bank:journal', instance: a, job: locktoll}
            exp_annotations:
              summary: "mutex:bank:journal of bank has been held for 2m 1s"
              description: "Threads wait for it, and every check saw the same hold. `locktoll hang PID` prints the holder's stack."
      - {eval_time: 4m, alertname: LocktollLockHeldForLong, exp_alerts: []}
"#;

#[test]
fn a_lock_that_is_held_for_long_raises_an_alert_and_one_held_often_does_not() {
    if !locktoll_needs::programs(&["promtool"]) {
        return;
    }
    let bench = Bench::new();
    std::fs::write(bench.path("alerts.yml"), delivered("prometheus/alerts.yml")).unwrap();
    let tests = bench.path("tests.yml");
    std::fs::write(&tests, HOLDS.replace("RULES", "alerts.yml")).unwrap();
    let out = Command::new("promtool")
        .args(["test", "rules"])
        .arg(&tests)
        .output()
        .unwrap();
    let said = text(&out.stdout) + &text(&out.stderr);
    assert!(out.status.success(), "{said}");
}

/// The file of `deploy` with this name.
fn delivered(name: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/").to_owned() + name;
    std::fs::read_to_string(path).unwrap()
}

/// All PromQL of the dashboard, with a time in place of Grafana's variable.
fn dashboard_expressions() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&delivered("grafana/locktoll.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels
        .iter()
        .flat_map(|it| it["targets"].as_array().unwrap());
    let expressions = targets.map(|it| it["expr"].as_str().unwrap());
    expressions
        .map(|it| it.replace("$__rate_interval", "5m"))
        .collect()
}

#[test]
fn dashboard_and_rules_ask_for_metrics_that_there_are() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/fleet.md");
    let page = std::fs::read_to_string(page).unwrap();
    let names = regex::Regex::new("locktoll_[a-z_]+").unwrap();
    let documented: Vec<&str> = names.find_iter(&page).map(|it| it.as_str()).collect();
    let asked = dashboard_expressions().join("\n") + &delivered("prometheus/alerts.yml");
    let mut count = 0;
    for name in names.find_iter(&asked).map(|it| it.as_str()) {
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|it| name.strip_suffix(it));
        assert!(
            documented.contains(&family.unwrap_or(name)),
            "{name} is not in docs/fleet.md"
        );
        count += 1;
    }
    assert!(count >= 15, "{count} names");
}

#[test]
fn promtool_reads_every_expression_of_the_dashboard() {
    if !locktoll_needs::programs(&["promtool"]) {
        return;
    }
    let bench = Bench::new();
    let mut rules = String::from("groups:\n  - name: dashboard\n    rules:\n");
    for (number, expression) in dashboard_expressions().iter().enumerate() {
        let quoted = serde_json::to_string(expression).unwrap();
        rules.push_str(&format!(
            "      - record: 'panel:{number}'\n        expr: {quoted}\n"
        ));
    }
    let file = bench.path("rules.yml");
    std::fs::write(&file, rules).unwrap();
    let out = Command::new("promtool")
        .args(["check", "rules"])
        .arg(&file)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}{}",
        text(&out.stdout),
        text(&out.stderr)
    );
}
