//! `bench --list`: every lock and workload, one per line.

use std::fmt::Write;

use locktoll_lab::contender::{Entry, Family, Parameter, Waits, registry};
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

/// Returns the list as text.
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
            if let Some(parameter) = number_of(entry) {
                let default = match default_of(entry, parameter) {
                    Some(number) => number.to_string(),
                    None if entry.family == Family::Windows => "Windows' own".to_owned(),
                    None => "the CPUs".to_owned(),
                };
                let meaning = parameter.meaning;
                let _ = writeln!(page, "  {:width$}  :N {meaning} [default: {default}]", "");
            }
        }
        page.push('\n');
    }
    page.push_str("Where a line begins with :N, the lock takes a number: --lock NAME:N.\n\n");
    page.push_str("WORKLOADS\n");
    for kind in Kind::ALL {
        let _ = writeln!(page, "  {:width$}  {}", kind.name(), kind.summary());
    }
    page
}

/// Returns the meaning of the number after the colon; an entry that is listed with its number accepts no other.
fn number_of(entry: &Entry) -> Option<Parameter> {
    entry
        .lock
        .parameter
        .filter(|_| entry.name == entry.lock.name)
}

/// Returns the default of the number; `None` if the machine or the system decides.
fn default_of(entry: &Entry, parameter: Parameter) -> Option<u32> {
    let is_ours = entry.family == Family::Ours && !entry.knobs.contains(&"gate");
    is_ours.then_some(parameter.default)
}

/// Returns the list as one JSON document, schema `locktoll.bench-list/1`.
pub fn json() -> anyhow::Result<String> {
    let locks = registry().iter().map(|entry| {
        let parameter = number_of(entry).map(|parameter| {
            serde_json::json!({
                "meaning": parameter.meaning,
                "least": parameter.least,
                "most": parameter.most,
                "default": default_of(entry, parameter),
            })
        });
        let (lock, is_known) = (&entry.lock, entry.lock.waits != Waits::AsItsOwner);
        serde_json::json!({
            "name": entry.name,
            "family": format!("{:?}", entry.family).to_lowercase(),
            "summary": entry.summary,
            "source": (!lock.source.is_empty()).then_some(lock.source),
            "waits": is_known.then(|| lock.waits.text()),
            "order": is_known.then(|| lock.order.text()),
            "parameter": parameter,
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
