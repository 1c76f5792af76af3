//! The tour by the built binary, on this machine.
#![cfg(target_os = "linux")]

use std::process::Command;

use serde_json::Value;

#[test]
fn the_tour_prices_records_and_concludes() {
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(["tour", "--json"])
        .output()
        .expect("the program was built");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let tour: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(tour["schema"], "locktoll.tour/1");
    for part in ["uncontended", "contended"] {
        let cells = tour[part]["cells"].as_array().unwrap();
        assert!(cells.len() >= 6, "{part}");
        for cell in cells {
            assert!(cell["ns_per_op"]["median"].as_f64() > Some(0.0), "{cell}");
            assert!(cell["exclusion_broken"].is_null(), "{cell}");
        }
    }
    let locks = tour["profile"]["locks"].as_array().unwrap();
    let lock = |name: &str| {
        let named = |lock: &&Value| lock["name"].as_str().unwrap().ends_with(name);
        let found = locks.iter().position(|lock| named(&lock));
        found.unwrap_or_else(|| panic!("{name} is not in {locks:?}"))
    };
    // The lock held across a sleep costs most; the one that is fine costs least.
    assert_eq!(lock("log_lock"), 0);
    assert!(lock("statistics_lock") > lock("job_queue_lock"));
    assert!(tour["findings"].as_array().unwrap().len() >= 4);
    assert!(!tour["next"].as_array().unwrap().is_empty());

    // The same figures as a page.
    let folder = tempfile::tempdir().unwrap();
    let (saved, page) = (folder.path().join("t.json"), folder.path().join("t.html"));
    std::fs::write(&saved, &output.stdout).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .arg("report")
        .arg(&saved)
        .arg("-o")
        .arg(&page)
        .output()
        .expect("the program was built");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let page = std::fs::read_to_string(&page).unwrap();
    assert!(page.starts_with("<!doctype html>"));
    assert!(page.contains("\"schema\":\"locktoll.tour/1\""));
    // What the page of a profile takes beside the profile.
    assert!(page.contains("\"flame\""));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}
