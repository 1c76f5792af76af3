//! `bench`: counts, parameters, bad input.

use serde_json::Value;

use crate::program::{bench, is_labelled, is_refused, parsed, printed, stand_in};

fn cells(document: &Value) -> &Vec<Value> {
    document["cells"].as_array().expect("a result has cells")
}

#[test]
fn counts_add_up() {
    let document = bench(&[
        "--rounds=1000",
        "--lock=std,critical-section,srwlock,wait-on-address,mutex,futex3",
        "--threads=1,3",
        "--part=throughput",
    ]);
    assert_eq!(cells(&document).len(), 12);
    for cell in cells(&document) {
        assert!(
            cell["failure"].is_null() && cell["exclusion_broken"].is_null(),
            "{cell}"
        );
        let (threads, operations) = (
            cell["threads"].as_u64().unwrap(),
            cell["operations"].as_u64().unwrap(),
        );
        assert_eq!(operations, 1000 * threads, "{cell}");
        let per_op = cell["ns_per_op"]["median"].as_f64().unwrap();
        let wall = cell["wall_ns"].as_u64().unwrap() as f64;
        // The empty loop is subtracted with one thread.
        let empty = match threads {
            1 => document["empty_loop_ns"]["median"].as_f64().unwrap_or(0.0),
            _ => 0.0,
        };
        let product = (per_op + empty) * operations as f64;
        assert!((product / wall - 1.0).abs() < 1e-6, "{product} {cell}");
        // What Windows does not count is not zero.
        assert!(cell["voluntary_switches_per_op"].is_null(), "{cell}");
    }
    assert_eq!(
        document["machine"]["stand_in"].as_str(),
        stand_in().as_deref()
    );
    assert!(
        document["machine"]["kernel"]
            .as_str()
            .unwrap()
            .starts_with("Windows")
    );
}

#[test]
fn every_knob_reaches_the_cells() {
    let document = bench(&[
        "--rounds=20",
        "--lock=critical-section,futex3",
        "--workload=timemutex",
        "--threads=2",
        "--depth=0,2",
        "--nested",
        "--hold=1us",
        "--delay=5",
        "--think=2us",
        "--sleep-points=none,both",
        "--active=1",
        "--spin=7",
        "--pin=compact",
        "--hogs=1",
    ]);
    let cells = cells(&document);
    assert_eq!(cells.len(), 2 * 2 * 2);
    for (knob, value) in [
        ("workload", Value::from("timemutex")),
        ("nested", true.into()),
        ("hold_ns", 1000.into()),
        ("delay", 5.into()),
        ("think_ns", 2000.into()),
        ("active", 1.into()),
        ("spin", 7.into()),
        ("hogs", 1.into()),
        ("cpus", serde_json::json!([0, 1])),
    ] {
        assert!(
            cells.iter().all(|cell| cell[knob] == value),
            "{knob}: {cells:?}"
        );
    }
    let some = |knob: &str, value: Value| cells.iter().any(|cell| cell[knob] == value);
    assert!(some("depth", 0.into()) && some("depth", 2.into()));
    assert!(some("sleep_points", "both".into()) && some("sleep_points", "none".into()));
    for cell in cells {
        assert_eq!(cell["operations"], 2 * 20, "{cell}");
        assert!(cell["failure"].is_null(), "{cell}");
    }
}

#[test]
fn a_hold_costs_what_it_is_asked_to() {
    let document = bench(&[
        "--duration=60ms",
        "--lock=srwlock",
        "--workload=timemutex",
        "--threads=1",
        "--hold=0ns,200us",
        "--part=throughput",
    ]);
    let per_op = |hold: u64| {
        let cell = cells(&document).iter().find(|cell| cell["hold_ns"] == hold);
        cell.unwrap()["ns_per_op"]["median"].as_f64().unwrap()
    };
    // On a busy machine both may be much longer, never shorter.
    assert!(per_op(200_000) > 150_000.0 && per_op(0) < per_op(200_000));
}

#[test]
fn wrong_use_is_one_line_with_code_2() {
    for (words, expected) in [
        (&["--lock=critical-sektion"][..], "critical-section"),
        (&["--lock=pthread"], "Linux"),
        (&["--threads=0"], "1 to 10000"),
        (&["--hold=5"], "unit"),
        (&["--pin=99999"], "99999"),
        (&["--sleep-points=5"], "holding"),
        (&["--rounds=10", "--duration=1s"], "--duration"),
        (&["--no-such-flag"], "--no-such-flag"),
        (
            &["-o", "no/such/folder/x.json"],
            "the directory no/such/folder does not exist",
        ),
    ] {
        is_refused(&[&["bench"], words].concat(), 2, expected);
    }
}

#[test]
fn every_form_is_labelled() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("bench.html");
    let words = [
        "bench",
        "--lock=std",
        "--threads=1",
        "--duration=10ms",
        "--repeat=1",
    ];
    is_labelled(&printed(&words));
    let place = page.to_str().unwrap();
    assert_eq!(printed(&[&words[..], &["-o", place]].concat()), "");
    let html = std::fs::read_to_string(&page).unwrap();
    match stand_in() {
        Some(name) => {
            let label = html
                .find("role=\"alert\"")
                .expect("a label stands on the page");
            assert!(label < html.find("<main").unwrap());
            assert!(html[label..].contains(&name));
        }
        None => assert!(!html.contains("role=\"alert\"")),
    }
}

#[test]
fn the_list_names_windows_locks_and_not_linuxs() {
    let list = printed(&["bench", "--list"]);
    for lock in [
        "critical-section",
        "srwlock",
        "mutex",
        "wait-on-address",
        "std",
        "tollgate",
    ] {
        assert!(list.contains(&format!("\n  {lock} ")), "{lock}: {list}");
    }
    assert!(!list.contains("\n  pthread"), "{list}");
    let list = parsed(&printed(&["bench", "--list", "--json"]));
    assert_eq!(list["schema"], "locktoll.bench-list/1");
}
