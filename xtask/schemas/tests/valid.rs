//! The results of this repository are valid by the stored schemas: made-up ones of the tests, and one from a real machine. The
//! tests of the program (`crates/locktoll/tests/schemas.rs`) check what it writes.

use jsonschema::Validator;
use locktoll_results::profile::{Alert, AlertKind};
use serde::Serialize;
use serde_json::{Value, json};
use xtask_schemas::files::folder;

fn stored(name: &str) -> Validator {
    let path = folder().join(format!("{name}-1.json"));
    let schema: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn faults(name: &str, result: &Value) -> Vec<String> {
    let validator = stored(name);
    let errors = validator.iter_errors(result);
    errors
        .map(|it| format!("{}: {it}", it.instance_path()))
        .collect()
}

fn valid(name: &str, result: &impl Serialize) {
    let result = serde_json::to_value(result).unwrap();
    assert_eq!(faults(name, &result), [""; 0], "{name}");
}

#[cfg(target_os = "linux")]
#[test]
fn made_up_results_are_valid() {
    use locktoll_made_up::made_up;
    valid("bench", &made_up::contended());
    valid("kernel", &made_up::kernel());
    valid("machine", &made_up::machine_result());
    valid("reproduce", &made_up::reproduction());
}

#[test]
fn a_result_of_a_real_machine_is_valid() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../experiments/results/xeon.json"
    );
    let result: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert_eq!(faults("reproduce", &result), [""; 0]);
}

#[test]
fn a_result_with_a_fault_is_not_valid() {
    let alert = serde_json::to_value(Alert {
        at_ns: 1,
        kind: AlertKind::Hold,
        lock: "L1".to_owned(),
        name: "queue".to_owned(),
        ns: 2,
        pid: 3,
        holder: None,
        waiter: None,
        waiting: Vec::new(),
        waiters: 0,
    });
    let alert = alert.unwrap();
    assert_eq!(faults("alert", &alert), [""; 0]);
    for (field, wrong) in [
        ("kind", json!("held")),
        ("ns", json!("2")),
        ("holder", json!([])),
    ] {
        let mut alert = alert.clone();
        alert[field] = wrong;
        assert_eq!(faults("alert", &alert).len(), 1, "{field}");
    }
    let mut alert = alert;
    alert.as_object_mut().unwrap().shift_remove("ns");
    assert_eq!(faults("alert", &alert).len(), 1);
}
