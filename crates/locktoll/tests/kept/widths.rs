//! Every kept result as text in 40, 80 and 200 columns: sentences are folded to the width. Rows of tables, which have columns of
//! figures, may need more at 40.

use std::process::Command;

use crate::{all, kept};

/// Results whose tables and headings have one width only: the price list. Below 100 columns they are left out.
const WIDE: [&str; 2] = ["machine.json", "tour.json"];

fn shown(name: &str, width: usize) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(["report", &kept(name).to_string_lossy()])
        .env("COLUMNS", width.to_string())
        .output()
        .unwrap();
    assert!(output.status.success(), "{name}");
    String::from_utf8(output.stdout).unwrap()
}

/// Whether it is a row of a table, whose columns are two or more spaces apart; or two words, which
/// cannot be folded.
fn is_row(line: &str) -> bool {
    let words = line.trim();
    words.contains("  ") || words.split(' ').count() <= 2
}

#[test]
fn every_text_fits_forty_eighty_and_two_hundred_columns() {
    let names = [all(".json"), all(".locktoll")].concat();
    for width in [40, 80, 200] {
        for name in &names {
            if width < 100 && WIDE.contains(&name.as_str()) {
                continue;
            }
            let text = shown(name, width);
            assert!(!text.contains('\x1b'), "{name}: colours without a terminal");
            let wide = |line: &&str| line.chars().count() > width;
            let rows_may = width == 40 || (width == 80 && name == "reproduce.json");
            let long: Vec<&str> = text
                .lines()
                .filter(wide)
                .filter(|line| {
                    !(rows_may && is_row(line) || line.trim_start().starts_with("locktoll "))
                })
                .collect();
            assert_eq!(long, [""; 0], "{name} at {width}");
        }
    }
}
