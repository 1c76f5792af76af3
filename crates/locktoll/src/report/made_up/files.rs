//! The made-up results as files, in the form in which `--json` writes them: what the page's tests show in a browser.
//!
//! `INSTA_UPDATE=always cargo test -p locktoll --bin locktoll made_up` writes them anew.

use std::path::PathBuf;

use serde::Serialize;

use super::{bench, claims, prices, tour};

fn keep(name: &str, result: &impl Serialize) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/page/results");
    let file = folder.join(name);
    let now = format!("{}\n", serde_json::to_value(result).unwrap());
    if std::env::var("INSTA_UPDATE").as_deref() == Ok("always") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&file, &now).unwrap();
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(
        kept == now,
        "{name} is not what its result looks like by now; see the head of this file"
    );
}

#[test]
fn the_files_are_the_results() {
    keep("bench.json", &bench::threads());
    keep("holds.json", &bench::holds());
    keep("machine.json", &prices::machine_result());
    keep("reproduce.json", &claims::reproduction());
    keep("tour.json", &tour::tour());
}
