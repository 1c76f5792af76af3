//! Recordings with very many locks, and pages of real recordings.

use serde_json::{Value, json};

use super::browser::Browser;
use super::recorder::{Bench, text};
use super::tab::Tab;
use super::{everywhere, pages};

/// What a page takes at most, and what a browser has to lay out before anything is opened: they bound how long opening takes,
/// which a browser of tests has no time to itself to show.
const PAGE_BYTES: u64 = 2_000_000;
const ELEMENTS: f64 = 6_000.0;

/// Records a program, and writes the page of it.
fn recorded(bench: &Bench, program: &[&std::ffi::OsStr]) -> std::path::PathBuf {
    let out = bench.record(program);
    assert!(out.status.success(), "{}", text(&out.stderr));
    let out = bench
        .locktoll()
        .args(["report", "out.locktoll", "-o", "page.html"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    bench.path("page.html")
}

fn few_elements(tab: &mut Tab<'_>) {
    let elements = tab.number("document.querySelectorAll('*').length");
    assert!(elements < ELEMENTS, "{elements} elements");
}

#[test]
fn a_recording_of_a_million_locks_opens() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let bench = Bench::new();
    let program = bench.c("locks_alive", &[]);
    let page = recorded(
        &bench,
        &[program.as_os_str(), "1000000".as_ref(), "2".as_ref()],
    );
    let bytes = std::fs::metadata(&page).unwrap().len();
    assert!(bytes < PAGE_BYTES, "{bytes}");
    let mut tab = browser.open_file(&page);
    println!(
        "1,000,000 locks of one place: {bytes} bytes, opened in {:?}",
        tab.opened_in
    );
    few_elements(&mut tab);
    let rows = tab.text("document.querySelector('table[aria-label=Locks] tbody').textContent");
    assert!(rows.contains("(1,000,000 locks)"), "{rows}");
    tab.click(".opener");
    let single = tab
        .number("document.querySelectorAll('table[aria-label=\"Single locks\"] tbody tr').length");
    assert_eq!(single, 20.0);
    everywhere::quiet(&mut tab);
}

/// The document of a program whose million locks all have names of their own: as many rows as a page has, and the rest in
/// one. That `report` makes no more rows than these is tested beside it.
fn a_million_rows() -> Value {
    let mut document = pages::document("profile");
    let lock = document["locks"][0].clone();
    let beside = document["page"]["rows"][0].clone();
    for number in 0..1_000 {
        let mut lock = lock.clone();
        let name = format!("shard[{number}] of app::Cache<std::string, app::Session>::evict(int)");
        lock["id"] = json!(format!("mutex:app:{number}"));
        lock["name"] = json!(name);
        lock["wait_ns"]["total"] = json!(8_000_000_000_u64 - number * 1_000_000);
        let mut beside = beside.clone();
        beside["name"] = json!(name);
        beside["short"] = json!(name);
        if number >= 100 {
            // A row that does not open is without what most have the same (report/profile/html/shut.rs).
            beside["opens"] = json!(false);
            let wait = lock["wait_ns"]["total"].clone();
            lock = json!({
                "id": lock["id"], "acquisitions": lock["acquisitions"], "contended": lock["contended"],
                "wait_ns": { "total": wait, "max": 900_000, "p50": 1_500.0, "p99": 700_000.0 },
                "hold_ns": { "total": 5_000_000, "max": 80_000, "p50": 300.0, "p99": 60_000.0, "sampled": 12 },
            });
        }
        document["locks"].as_array_mut().unwrap().push(lock);
        document["page"]["rows"]
            .as_array_mut()
            .unwrap()
            .push(beside);
    }
    document["page"]["rest"] = json!({
        "locks": 999_000, "acquisitions": 5_000_000_000_u64, "contended": 77_000, "wait_ns": 12_000_000_000_u64,
        "hold_ns": 90_000_000_000_u64, "signals": 0, "signal_waits": 0, "signal_wait_ns": 0,
    });
    document
}

#[test]
fn the_dearest_of_a_million_rows_are_there_and_the_rest_is_summed_up() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let page = pages::of(&[a_million_rows()]);
    let mut tab = browser.open(&page);
    println!(
        "1,000 rows and the rest: {} bytes, opened in {:?}",
        page.len(),
        tab.opened_in
    );
    assert!((page.len() as u64) < PAGE_BYTES, "{} bytes", page.len());
    few_elements(&mut tab);
    let rest = tab.text("document.querySelector('tr.rest').textContent");
    assert!(rest.starts_with("… 999,000 more locks12.0 s"), "{rest}");
    let rows = "document.querySelectorAll('table[aria-label=Locks] > tbody > tr:not(.rest, .opened)').length";
    assert_eq!(tab.number(rows), 100.0);
    tab.click(".document > .table > button.more");
    assert_eq!(tab.number(rows), 1_009.0);
    tab.click("input[type=search]");
    tab.type_text("SHARD[77]");
    assert_eq!(tab.number(rows), 1.0);
    // The sum stands for what has no row, whatever the rows are searched for; but it is not found either.
    assert_eq!(
        tab.number("document.querySelectorAll('tr.rest').length"),
        0.0
    );
    everywhere::quiet(&mut tab);
}

#[test]
fn a_program_that_means_harm_is_recorded_and_read() {
    let Some(mut browser) = Browser::start() else {
        return;
    };
    let bench = Bench::new();
    let program = bench.c("hostile_names", &[]);
    let mut bytes = std::fs::read(&program).unwrap();
    for (plain, hostile) in [
        (&b"evil_XXXXX_lock"[..], &b"<img src=x id=>"[..]),
        (&b"evil_XXXXX_path"[..], &b"</script>\x1b[31m\n"[..]),
    ] {
        assert_eq!(plain.len(), hostile.len());
        let places: Vec<usize> = (0..bytes.len() - plain.len())
            .filter(|&at| &bytes[at..at + plain.len()] == plain)
            .collect();
        for at in places {
            bytes[at..at + plain.len()].copy_from_slice(hostile);
        }
    }
    std::fs::write(&program, bytes).unwrap();
    let page = recorded(&bench, &[program.as_os_str()]);
    let mut tab = browser.open_file(&page);
    let names =
        tab.texts("[...document.querySelectorAll('.opener .name')].map(it => it.textContent)");
    assert!(
        names.iter().any(|name| name == "<img src=x id=>"),
        "{names:?}"
    );
    tab.click(".opener");
    assert_eq!(tab.number("document.images.length"), 0.0);
    let panel = tab.text("document.querySelector('.panel').textContent");
    assert!(panel.contains(r"</script>\u{1b}[31m"), "{panel}");
    everywhere::quiet(&mut tab);
}
