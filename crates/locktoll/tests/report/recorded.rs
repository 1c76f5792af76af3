//! A recording to make reports of.

use std::process::Output;

use crate::bench::{Bench, text};

/// A folder with a recording in it.
pub struct Recorded {
    pub bench: Bench,
    /// What `report --json` says of it.
    pub profile: serde_json::Value,
}

impl Recorded {
    /// One thread holds `slow_lock` for 200 ms in `hold_slowly` while another waits for it in `wait_for_slow`;
    /// `hot_lock` is taken 40,000 times.
    pub fn known_locks() -> Self {
        let bench = Bench::new();
        let program = bench.c("known_locks", &[]);
        let out = bench.record(&[&program]);
        assert_eq!(out.status.code(), Some(7), "{}", text(&out.stderr));
        let profile = bench.profile("out.locktoll");
        Self { bench, profile }
    }

    /// Runs `report` on it.
    pub fn report(&self, arguments: &[&str]) -> Output {
        let mut command = self.bench.locktoll();
        command
            .env_remove("COLUMNS")
            .args(["report", "out.locktoll"]);
        command.args(arguments).output().unwrap()
    }

    /// What `report` prints.
    pub fn printed(&self, arguments: &[&str]) -> String {
        let out = self.report(arguments);
        assert!(out.status.success(), "{arguments:?}: {}", text(&out.stderr));
        text(&out.stdout)
    }

    /// Has `report` refuse, in one line and before anything was written.
    pub fn refused(&self, arguments: &[&str], code: i32, expected: &str) {
        let out = self.report(arguments);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(out.stdout.is_empty(), "{arguments:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(
            said.contains(expected),
            "{said:?} does not contain {expected:?}"
        );
    }

    /// Nanoseconds waited for a lock, as JSON says.
    pub fn waited_ns(&self, name: &str) -> u64 {
        crate::bench::lock(&self.profile, name)["wait_ns"]["total"]
            .as_u64()
            .unwrap()
    }
}
