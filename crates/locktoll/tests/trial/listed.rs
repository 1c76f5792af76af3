//! `try --list`.

use serde_json::Value;

use crate::bench::{Bench, text};

#[test]
fn every_lock_has_a_line() {
    let bench = Bench::new();
    let list = |flags: &[&str]| {
        let mut command = bench.locktoll();
        let out = command
            .args(["try", "--list"])
            .args(flags)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let page = list(&[]);
    let document: Value = serde_json::from_str(&list(&["--json"])).unwrap();
    assert_eq!(document["schema"], "locktoll.try-list/1");
    let locks = document["locks"].as_array().unwrap();
    let name = |lock: &Value| lock["name"].as_str().unwrap().to_owned();
    assert!(locks.iter().any(|lock| name(lock) == "pass-through"));
    for lock in locks {
        let line = page.lines().find(|line| {
            let word = line.split_whitespace().find(|word| *word != "*");
            word.and_then(|word| word.split('[').next()) == Some(&name(lock))
        });
        let line = line.unwrap_or_else(|| panic!("{lock} is not in {page}"));
        assert!(line.contains(lock["summary"].as_str().unwrap()), "{line}");
        assert_eq!(
            line.contains("waiters only spin"),
            lock["is_pure_spinner"] == true
        );
        let is_default = !lock["defaults"].as_array().unwrap().is_empty();
        assert_eq!(line.starts_with('*'), is_default, "{line}");
    }
}
