//! Verbs with little to say, and the price list and the claims as far as every system has them.

use serde_json::Value;

use crate::program::{is_labelled, is_refused, locktoll, parsed, printed, stand_in, text};

#[test]
fn completions_and_the_manual_are_of_what_is_there() {
    let script = printed(&["completions", "powershell"]);
    assert!(
        script.contains("'bench'") && !script.contains("'attach'"),
        "{script}"
    );
    let manual = printed(&["man"]);
    assert!(manual.contains("LOCKTOLL BENCH") && !manual.contains("LOCKTOLL ATTACH"));
}

/// The line of this name.
fn of<'a>(lines: &'a [Value], name: &str) -> &'a Value {
    let found = lines.iter().find(|line| line["name"] == name);
    found.unwrap_or_else(|| panic!("no line {name}"))
}

fn median(figure: &Value) -> Option<f64> {
    figure["median"].as_f64()
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
    let list = |of: &str| document[of].as_array().unwrap().clone();
    let (parts, locks) = (list("parts"), list("locks"));
    for part in &parts {
        let (value, refused) = (&part["value"], &part["refused"]);
        assert_eq!(value.is_null(), refused.is_string(), "{part}");
        // A thread's switches are known where it is made to switch, and else unknown, not none.
        let counted = &part["switches_counted"];
        assert!(part["name"] == "switch" || counted.is_null(), "{part}");
    }
    for name in [
        "syscall",
        "wake-address-none",
        "qpc",
        "timer-resolution",
        "sleep-1ms",
    ] {
        let part = of(&parts, name);
        let reason = part["refused"].as_str().unwrap_or_default();
        let busy = reason.contains("too busy") || reason.contains("no answer within");
        assert!(median(&part["value"]) > Some(0.0) || busy, "{part}");
    }
    for lock in &locks {
        // Nobody counts system calls here: unknown, not none.
        assert!(lock["kernel_entries_per_op"].is_null(), "{lock}");
    }
    // On a busy machine there may be a reason instead.
    let price = |name: &str| {
        let lock = of(&locks, name);
        let price = median(&lock["uncontended_ns"]);
        assert!(price.is_some() || lock["refused"].is_string(), "{lock}");
        price
    };
    for name in ["srwlock", "std"] {
        price(name);
    }
    // Under Wine a round trip to its server stands against some instructions; on Windows a system call does.
    let far_more = if stand_in().is_some() { 20.0 } else { 3.0 };
    if let (Some(mutex), Some(section)) = (price("mutex"), price("critical-section")) {
        assert!(mutex > far_more * section, "{mutex} {section}");
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
