//! Saved results side by side, and shown again.

use crate::program::{is_labelled, is_refused, locktoll, parsed, printed, stand_in, text};

#[test]
fn results_of_a_stand_in_are_compared_and_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (a, b) = (place("a.json"), place("b.json"));
    for file in [&a, &b] {
        // Two threads: nothing is subtracted, so no figure is zero on a busy machine.
        let words = [
            "bench",
            "--lock=std,mutex",
            "--threads=2",
            "--duration=10ms",
            "--repeat=6",
            "-o",
            file.as_str(),
        ];
        assert_eq!(printed(&words), "");
    }
    let comparison = parsed(&printed(&["compare", &a, &b, "--json"]));
    let rows = comparison["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["ratio"]["median"].is_number()));
    let gated = locktoll(&["compare", &a, &b, "--fail-if", "ns_per_op>100x"]);
    match stand_in() {
        Some(name) => {
            assert_eq!(comparison["a"]["stand_in"], name.as_str());
            assert!(
                rows.iter().all(|row| row["verdict"] == "not_judged"),
                "{comparison}"
            );
            assert_eq!(gated.status.code(), Some(1));
            assert!(
                text(&gated.stderr).contains("stand-in"),
                "{}",
                text(&gated.stderr)
            );
        }
        None => {
            assert!(
                rows.iter().all(|row| row["verdict"] != "not_judged"),
                "{comparison}"
            );
            assert_eq!(gated.status.code(), Some(0));
        }
    }
    is_labelled(&printed(&["compare", &a, &b]));
    is_labelled(&printed(&["report", &a]));
    is_refused(
        &["compare", &a, &place("missing.json")],
        2,
        "does not exist",
    );
}

#[test]
fn a_result_does_not_overwrite_what_it_was_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let a = folder.path().join("a.json").to_str().unwrap().to_owned();
    printed(&[
        "bench",
        "--lock=std",
        "--threads=1",
        "--duration=10ms",
        "--repeat=1",
        "-o",
        &a,
    ]);
    is_refused(&["report", &a, "-o", &a], 2, "would overwrite the input");
    is_refused(
        &["bench", "-o", folder.path().to_str().unwrap()],
        2,
        "is a directory",
    );
    // A file is replaced whole.
    let before = std::fs::read(&a).unwrap();
    printed(&[
        "bench",
        "--lock=std",
        "--threads=2",
        "--duration=10ms",
        "--repeat=1",
        "-o",
        &a,
    ]);
    let after = std::fs::read(&a).unwrap();
    assert_ne!(before, after);
    assert_eq!(parsed(&text(&after))["cells"][0]["threads"], 2);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
