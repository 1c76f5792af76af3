//! The printed document, and the exit code.

use std::collections::HashSet;

use super::program::{document, finding, locktoll, text, works};

const VERBS: [&str; 11] = [
    "machine",
    "bench",
    "record",
    "record --preemption",
    "try",
    "whatif",
    "advise",
    "attach",
    "kernel",
    "hang",
    "top",
];

#[test]
fn the_document_has_every_verb_and_what_is_in_its_way() {
    let document = document(&locktoll(&["doctor", "--json"]));
    assert_eq!(
        document.as_object().unwrap().keys().next().unwrap(),
        "schema"
    );
    assert_eq!(document["schema"], "locktoll.doctor/1");
    assert_eq!(document["binary"], env!("CARGO_BIN_EXE_locktoll"));
    assert!(document["asked"].is_null());
    let findings = document["findings"].as_array().unwrap();
    let ids: HashSet<&str> = findings
        .iter()
        .map(|finding| finding["id"].as_str().unwrap())
        .collect();
    assert_eq!(ids.len(), findings.len());
    for finding in findings {
        let state = finding["state"].as_str().unwrap();
        assert!(
            ["works", "limited", "missing", "unknown"].contains(&state),
            "{finding}"
        );
        let concerned = !finding["concerns"].as_array().unwrap().is_empty();
        assert!(
            !concerned || (state != "works" && finding["remedy"].is_object()),
            "{finding}"
        );
    }
    for verb in document["verbs"].as_array().unwrap() {
        let due_to = |list: &str| -> Vec<&str> {
            let names = verb[list].as_array().unwrap();
            names.iter().map(|name| name.as_str().unwrap()).collect()
        };
        let (blocked, limited) = (due_to("blocked_by"), due_to("limited_by"));
        let expected = match (blocked.is_empty(), limited.is_empty()) {
            (false, _) => "not",
            (true, false) => "limited",
            (true, true) => "full",
        };
        assert_eq!(verb["works"], expected, "{verb}");
        for id in [blocked, limited, due_to("disturbed_by")].concat() {
            assert!(ids.contains(id), "{verb}");
        }
    }
    for verb in VERBS {
        works(&document, verb);
    }
}

#[test]
fn what_is_read_is_what_the_system_says() {
    let document = document(&locktoll(&["doctor", "--json"]));
    let read = |path: &str| Some(std::fs::read_to_string(path).ok()?.trim().to_owned());
    let release = read("/proc/sys/kernel/osrelease").unwrap();
    assert_eq!(finding(&document, "kernel-version")["value"], release);
    let level = read("/proc/sys/kernel/perf_event_paranoid").unwrap();
    let shown = finding(&document, "perf-event-paranoid")["value"].clone();
    assert_eq!(shown, format!("kernel.perf_event_paranoid {level}"));
    let types = std::path::Path::new("/sys/kernel/btf/vmlinux").exists();
    assert_eq!(finding(&document, "btf")["state"] == "works", types);
    let clock = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    if let Some(clock) = read(clock) {
        assert_eq!(finding(&document, "clock")["value"], clock);
    }
}

#[test]
fn the_first_lines_are_about_verbs() {
    let output = locktoll(&["doctor"]);
    assert_eq!(output.status.code(), Some(0));
    let page = text(&output.stdout);
    let head: Vec<&str> = page.lines().take(15).collect();
    for verb in VERBS {
        assert!(
            head.iter().any(|line| line.starts_with(verb)),
            "{verb}: {page}"
        );
    }
    assert!(!page.contains('\u{1b}'), "styles in a pipe");
}

#[test]
fn one_verb_has_only_what_concerns_it() {
    let words = ["doctor", "record", "--preemption", "--json"];
    let output = locktoll(&words);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["asked"], "record --preemption");
    assert_eq!(document["verbs"].as_array().unwrap().len(), 1);
    for finding in document["findings"].as_array().unwrap() {
        let concerns = finding["concerns"].as_array().unwrap();
        assert!(
            concerns
                .iter()
                .all(|it| it["verb"] == "record --preemption")
        );
        assert_eq!(concerns.len(), 1);
    }
    let cannot = works(&document, "record --preemption") == "not";
    assert_eq!(output.status.code(), Some(if cannot { 3 } else { 0 }));
}

#[test]
fn each_verb_of_the_help_is_answered() {
    let help = text(&locktoll(&["-h"]).stdout);
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let verbs = listed.filter(|line| !line.starts_with("   "));
    let verbs = verbs.filter_map(|line| line.split_whitespace().next());
    let verbs: Vec<&str> = verbs.filter(|verb| *verb != "help").collect();
    assert!(
        verbs.contains(&"tour") && verbs.contains(&"report"),
        "{help}"
    );
    for verb in verbs {
        let output = locktoll(&["doctor", verb]);
        let page = text(&output.stdout);
        let code = output.status.code().unwrap();
        assert!([0, 3].contains(&code), "{verb}: {}", text(&output.stderr));
        assert!(page.starts_with(&format!("{verb} ")), "{page}");
        if [
            "report",
            "compare",
            "doctor",
            "completions",
            "man",
            "licences",
        ]
        .contains(&verb)
        {
            assert_eq!((code, page.lines().count()), (0, 1), "{page}");
            let document = document(&locktoll(&["doctor", verb, "--json"]));
            assert_eq!(works(&document, verb), "full");
        }
    }
}

#[test]
fn wrong_words_are_told_what_is_accepted() {
    for (words, expected) in [
        (&["doctor", "attacj"][..], "attach"),
        (
            &["doctor", "attach", "--preemption"],
            "doctor record --preemption",
        ),
        (&["doctor", "--preemption"], "doctor record --preemption"),
    ] {
        let output = locktoll(words);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
        assert!(errors.contains(expected), "{errors}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_page_holds_the_document() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("doctor.html");
    let output = locktoll(&["doctor", "-o", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.contains(r#""schema":"locktoll.doctor/1""#));
}
