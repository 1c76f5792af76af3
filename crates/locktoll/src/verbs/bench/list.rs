//! `bench --list`: every lock and workload with a line each.

use std::fmt::Write;

use locktoll_lab::contender::{Family, registry};
use locktoll_lab::workload::Kind;

/// The families in the order of the list, and their headings.
const FAMILIES: [(Family, &str); 6] = [
    (Family::Ours, "locktoll's own"),
    (Family::Rust, "from Rust crates"),
    (Family::Pthread, "from the C library"),
    (Family::Windows, "from Windows"),
    (Family::Kernel, "in the kernel on every operation"),
    (Family::Cpp, "from C and C++ libraries"),
];

/// The list as text.
pub fn list() -> String {
    let widest = registry().iter().map(|entry| entry.name.len()).max();
    let width = widest.unwrap_or(0);
    let mut page = String::new();
    for (family, heading) in FAMILIES {
        let entries = || registry().iter().filter(|entry| entry.family == family);
        if entries().next().is_none() {
            continue;
        }
        let _ = writeln!(page, "LOCKS {heading}");
        for entry in entries() {
            let knobs = match entry.knobs {
                [] => String::new(),
                knobs => format!(" [{}]", knobs.join(", ")),
            };
            let _ = writeln!(page, "  {:width$}  {}{knobs}", entry.name, entry.summary);
        }
        page.push('\n');
    }
    page.push_str("WORKLOADS\n");
    for kind in Kind::ALL {
        let _ = writeln!(page, "  {:width$}  {}", kind.name(), kind.summary());
    }
    page
}

/// The list as one JSON document, schema `locktoll.bench-list/1`.
pub fn json() -> anyhow::Result<String> {
    let locks = registry().iter().map(|entry| {
        serde_json::json!({
            "name": entry.name,
            "family": format!("{:?}", entry.family).to_lowercase(),
            "summary": entry.summary,
            "knobs": entry.knobs,
        })
    });
    let workloads =
        Kind::ALL.map(|kind| serde_json::json!({ "name": kind.name(), "summary": kind.summary() }));
    let document = serde_json::json!({
        "schema": "locktoll.bench-list/1",
        "locks": locks.collect::<Vec<_>>(),
        "workloads": workloads,
    });
    Ok(format!("{document:#}\n"))
}
