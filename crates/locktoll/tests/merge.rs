//! `reproduce --merge`, by the built binary, on saved results.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

/// A folder with the results of two machines, which differ in the verdict on one claim.
struct Saved(tempfile::TempDir);

impl Saved {
    fn new() -> Self {
        let saved = Self(tempfile::tempdir().expect("a temporary folder"));
        let mut document = document();
        saved.write("a.json", &document);
        document["machine"]["cpu_model"] = json!("Other(R) CPU @ 1.00GHz");
        document["claims"][0]["verdict"] = json!("holds");
        saved.write("b.json", &document);
        saved
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, document: &Value) {
        std::fs::write(self.path(name), document.to_string()).expect("the folder can be written");
    }

    fn run(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_locktoll"))
            .current_dir(self.0.path())
            .arg("reproduce")
            .args(words)
            .output()
            .expect("the program was built")
    }

    /// Returns the exit code and the single line of a refusal.
    fn refused(&self, words: &[&str]) -> (i32, String) {
        let output = self.run(words);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
        (output.status.code().expect("it was not killed"), errors)
    }
}

/// A saved result of `reproduce`, as the page is tested with.
fn document() -> Value {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/page/documents/reproduce.snap.json"
    );
    let text = std::fs::read_to_string(Path::new(file)).expect("the document is kept");
    serde_json::from_str(&text).expect("it is JSON")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn two_machines_have_a_column_each_and_their_differences_are_pointed_out() {
    let saved = Saved::new();
    let page = text(&saved.run(&["--merge", "a.json", "b.json"]));
    assert!(page.contains("Other, 8 CPUs"), "{page}");
    // Sentences are folded.
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("holds on Other, 8 CPUs."), "{page}");
    let json = text(&saved.run(&["--merge", "a.json", "b.json", "--json"]));
    let json: Value = serde_json::from_str(&json).expect("exactly one JSON document");
    assert_eq!(json["schema"], "locktoll.reproduce-merged/1");
    assert_eq!(json["machines"][1]["name"], "Other, 8 CPUs");
    assert_eq!(json["differences"][0]["kind"], "verdict");
    let claims = json["claims"].as_array().expect("claims are a list");
    assert!(
        claims
            .iter()
            .all(|it| it["results"].as_array().map(Vec::len) == Some(2))
    );
    let one = text(&saved.run(&["A1", "--merge", "a.json", "b.json", "--json"]));
    let one: Value = serde_json::from_str(&one).expect("exactly one JSON document");
    assert_eq!(one["claims"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_page_for_a_repository_has_its_pictures_next_to_it() {
    let saved = Saved::new();
    for files in [&["a.json"][..], &["a.json", "b.json"]] {
        let output = saved.run(&[&["--merge"], files, &["-o", "claims.md"]].concat());
        assert_eq!(text(&output), "");
        let page = std::fs::read_to_string(saved.path("claims.md")).expect("the page");
        let links: Vec<&str> = (page.split("](claims/").skip(1))
            .filter_map(|rest| rest.split_once(')'))
            .map(|(file, _)| file)
            .collect();
        assert!(links.contains(&"A1.svg"), "{page}");
        for file in links {
            let picture = std::fs::read_to_string(saved.path("claims").join(file));
            assert!(
                picture.expect("each picture is there").starts_with("<svg "),
                "{file}"
            );
        }
    }
    let html = text(&saved.run(&["--merge", "a.json", "b.json", "--format", "html"]));
    assert!(html.contains("locktoll.reproduce-merged/1"));
}

#[test]
fn what_cannot_be_merged_is_refused_in_one_line() {
    let saved = Saved::new();
    let mut bench = document();
    bench["schema"] = json!("locktoll.reproduce/2");
    saved.write("newer.json", &bench);
    bench["schema"] = json!("something/1");
    saved.write("other.json", &bench);
    let mut changed = document();
    changed["claims"][0]["claim"] = json!("another claim");
    changed["machine"]["cpu_model"] = json!("Third");
    saved.write("changed.json", &changed);
    std::fs::write(saved.path("text.txt"), "text").expect("the folder can be written");
    for (words, code, says) in [
        (&["--merge", "none.json"][..], 2, "cannot be read"),
        (
            &["--merge", "text.txt"],
            2,
            "is not a saved result; accepted: ",
        ),
        (&["--merge", "other.json"], 2, "not one of locktoll's"),
        (&["--merge", "newer.json"], 3, "upgrade locktoll"),
        (&["--merge", "a.json", "a.json"], 2, "give each result once"),
        (
            &["--merge", "a.json", "changed.json"],
            2,
            "A1 is not the same claim",
        ),
        (
            &["B9", "--merge", "a.json"],
            2,
            "no file has a result of B9; accepted: A1",
        ),
        (&["Z9", "--merge", "a.json"], 2, "there is no claim 'Z9'"),
        (
            &["--merge", "a.json", "A1"],
            2,
            "A1 is a claim; type claims first: `locktoll reproduce A1 --merge",
        ),
        (
            &["--merge", "a.json", "-o", "a.json"],
            2,
            "would overwrite the input",
        ),
        (&["--merge", "a.json", "-o", "x.pdf"], 2, "no format uses"),
    ] {
        let (status, errors) = saved.refused(words);
        assert_eq!(status, code, "{words:?}: {errors}");
        assert!(errors.contains(says), "{words:?}: {errors}");
    }
    for flag in ["--list", "--fresh", "--budget=1h", "--state=x"] {
        let output = saved.run(&["--merge", "a.json", flag]);
        assert_eq!(output.status.code(), Some(2), "{flag}");
    }
}
