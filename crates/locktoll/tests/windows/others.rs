//! Verbs with little output, and the price list and the claims as far as every system has them.

use crate::program::{is_labelled, is_refused, locktoll, parsed, printed, stand_in, text};

#[test]
fn completions_and_the_manual_are_of_what_is_there() {
    let script = printed(&["completions", "powershell"]);
    assert!(
        script.contains("'bench'") && !script.contains("'attach'"),
        "{script}"
    );
    let manual = printed(&["man"]);
    assert!(manual.contains(r"locktoll\-bench") && !manual.contains(r"locktoll\-attach"));
    assert!(printed(&["man", "bench"]).contains("EXAMPLES"));
}

#[test]
fn the_price_list_has_prices_or_reasons() {
    let output = locktoll(&["machine", "--quick", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let document = parsed(&text(&output.stdout));
    assert_eq!(document["schema"], "locktoll.machine/1");
    assert_eq!(
        document["machine"]["stand_in"].as_str(),
        stand_in().as_deref()
    );
    let locks = document["locks"].as_array().unwrap();
    let priced = |name: &str| {
        let lock = locks.iter().find(|lock| lock["name"] == name);
        lock.is_some_and(|lock| lock["uncontended_ns"]["median"].as_f64() > Some(0.0))
    };
    assert!(
        priced("srwlock") && priced("critical-section") && priced("std"),
        "{locks:?}"
    );
    for lock in locks {
        let price = lock["uncontended_ns"]["median"].as_f64();
        assert!(
            price.map_or(lock["refused"].is_string(), |ns| ns > 0.0),
            "{lock}"
        );
        // Nobody counts system calls here: unknown, not none.
        assert!(lock["kernel_entries_per_op"].is_null(), "{lock}");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("machine.json");
    std::fs::write(&file, &output.stdout).unwrap();
    is_labelled(&printed(&["report", file.to_str().unwrap()]));
}

#[test]
fn claims_are_listed_and_wrong_ones_refused() {
    let folder = tempfile::tempdir().unwrap();
    let state = folder
        .path()
        .join("state.json")
        .to_str()
        .unwrap()
        .to_owned();
    let list = printed(&["reproduce", "--list", "--state", &state]);
    assert!(list.contains("\nA2 ") && list.contains("E1 "), "{list}");
    is_refused(&["reproduce", "Z99", "--state", &state], 2, "Z99");
}
