//! Every form agrees with JSON.

use crate::recorded::Recorded;

/// The cells of a row of a table, by the names of their columns.
fn cell<'a>(table: &'a str, lock: &str, column: &str) -> Vec<&'a str> {
    let mut lines = table.lines();
    let heads: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = |head: &str| {
        heads
            .iter()
            .position(|it| *it == head)
            .unwrap_or_else(|| panic!("no {head}"))
    };
    let (name, wanted) = (at("lock"), at(column));
    let rows = lines.map(|line| line.split(',').collect::<Vec<_>>());
    rows.filter(|row| row[name] == lock)
        .map(|row| row[wanted])
        .collect()
}

#[test]
fn csv_has_a_row_for_each_lock_and_for_each_place() {
    let recorded = Recorded::known_locks();
    let locks = recorded.printed(&["--format", "csv"]);
    assert_eq!(cell(&locks, "hot_lock", "acquisitions"), ["40000"]);
    assert_eq!(cell(&locks, "busy_lock", "try_failed"), ["5"]);
    let waited = recorded.waited_ns("slow_lock").to_string();
    assert_eq!(
        cell(&locks, "slow_lock", "wait_total_ns"),
        [waited.as_str()]
    );

    let sites = recorded.printed(&["--format", "csv", "--sites"]);
    let mut places = cell(&sites, "slow_lock", "site");
    places.sort_unstable();
    assert_eq!(places, ["hold_slowly", "wait_for_slow"]);
    assert_eq!(cell(&sites, "slow_lock", "acquisitions"), ["2", "2"]);

    let threads = recorded.printed(&["--format", "csv", "--threads"]);
    let listed = recorded.profile["per_thread"].as_array().unwrap().len();
    assert_eq!(threads.lines().count(), listed + 1);
}

#[test]
fn folded_stacks_and_the_flame_graph_show_who_waited() {
    let recorded = Recorded::known_locks();
    let folded = recorded.printed(&["--format", "folded"]);
    let line = folded
        .lines()
        .find(|line| line.contains("slow_lock"))
        .unwrap();
    let (stack, ns) = line.rsplit_once(' ').unwrap();
    assert!(stack.ends_with("wait_for_slow;slow_lock"), "{line}");
    assert_eq!(ns.parse::<u64>().unwrap(), recorded.waited_ns("slow_lock"));

    let blamed = recorded.printed(&["--format", "folded", "--by", "holder"]);
    let line = blamed.lines().find(|line| line.contains("slow_lock"));
    assert!(
        line.unwrap().starts_with("hold_slowly;slow_lock "),
        "{blamed}"
    );

    let picture = recorded.printed(&["--format", "svg"]);
    assert!(picture.starts_with("<?xml") && picture.trim_end().ends_with("</svg>"));
    assert!(picture.contains("<title>slow_lock ("), "{picture}");
}

#[test]
fn one_lock_is_found_by_a_part_of_its_name_in_every_form() {
    let recorded = Recorded::known_locks();
    let page = recorded.printed(&["--lock", "slow"]);
    assert!(page.starts_with("slow_lock\nmutex\n"), "{page}");
    assert!(
        page.contains("wait_for_slow") && !page.contains("hot_lock"),
        "{page}"
    );
    let document = recorded.printed(&["--lock", "slow_lock", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    let locks = document["locks"].as_array().unwrap();
    assert_eq!(locks.len(), 1);
    assert_eq!(locks[0]["name"], "slow_lock");

    recorded.refused(&["--lock", "slow_lcok"], 2, "slow_lock");
    recorded.refused(&["--lock", "_lock"], 2, "matches ");
}

#[test]
fn the_page_fits_the_width_it_is_told() {
    let recorded = Recorded::known_locks();
    for columns in [80_usize, 100, 120] {
        let mut command = recorded.bench.locktoll();
        command.env("COLUMNS", columns.to_string());
        let out = command.args(["report", "out.locktoll"]).output().unwrap();
        let page = crate::bench::text(&out.stdout);
        let widest = page.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{page}");
        assert!(page.contains("slow_lock"), "{page}");
    }
}
