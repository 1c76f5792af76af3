//! `reproduce`, by the built binary, on claims of its own that take moments.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Two threads, since nothing is subtracted then; long enough for each to run on a machine with other work.
const QUICK: &str = "--lock pthread,std --workload pair --threads 2 --duration 50ms --repeat 6";

/// A folder of claims, and the program run on it.
struct Claims(tempfile::TempDir);

impl Claims {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    /// Adds a claim that measures by `bench` that std costs at least so many times what pthread does.
    fn add(&self, id: &str, bench: &str, at_least: f64) {
        let text = format!(
            "id = \"{id}\"\ntitle = \"title of {id}\"\nclaim = \"a claim\"\nseconds = 0.5\n\
             [source]\narticle = \"an article\"\nyear = 1998\nmachine = \"a machine\"\n\
             [means]\nholds = \"Yes, {{measured}} times.\"\ndoes_not_hold = \"No, {{measured}} times.\"\n\
             [[run]]\nbench = \"{bench}\"\n\
             [[check]]\nwhat = \"std over pthread\"\nat_least = {at_least:?}\n\
             ratio = {{ of = {{ lock = \"std\" }}, over = {{ lock = \"pthread\" }} }}\n"
        );
        std::fs::write(self.path().join(format!("{id}.toml")), text)
            .expect("the folder can be written");
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_locktoll"));
        let state = self.path().join("state.json");
        command
            .arg("reproduce")
            .arg("--experiments")
            .arg(self.path())
            .arg("--state")
            .arg(state)
            .args(words);
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program was built")
    }

    fn json(&self, words: &[&str]) -> Value {
        let output = self.run(&[words, &["--json"]].concat());
        assert!(output.status.success(), "{}", errors(&output));
        serde_json::from_slice(&output.stdout).expect("exactly one JSON document")
    }
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What the program says of each claim.
fn said(document: &Value) -> Vec<(String, String)> {
    let claims = document["claims"].as_array().expect("claims are a list");
    let word = |value: &Value| value.as_str().unwrap_or("null").to_owned();
    claims
        .iter()
        .map(|claim| (word(&claim["id"]), word(&claim["verdict"])))
        .collect()
}

/// What the figures say of each claim. Tests beside this one keep the machine busy, and then the program must say that nothing
/// can be judged, and why; what it would have said follows from its figures and bounds.
fn verdicts(document: &Value) -> Vec<(String, String)> {
    let mut verdicts = said(document);
    let claims = document["claims"].as_array().expect("claims are a list");
    for ((_, verdict), claim) in verdicts.iter_mut().zip(claims) {
        let because = claim["because"].as_str().unwrap_or_default();
        let disturbances = ["other processes used", "hypervisor took", "quota stopped"];
        let busy = disturbances.iter().any(|by| because.contains(by));
        if busy {
            assert_eq!(verdict, "cannot_be_judged_here", "{claim}");
            let check = &claim["checks"][0];
            let figure = |value: &Value| value.as_f64().expect("it was measured, and is bounded");
            let least = figure(&check["at_least"]);
            *verdict = match (
                figure(&check["measured"]["low"]),
                figure(&check["measured"]["high"]),
            ) {
                (low, _) if low >= least => "holds",
                (_, high) if high < least => "does_not_hold",
                _ => "cannot_be_judged_here",
            }
            .to_owned();
        }
    }
    verdicts
}

fn pairs<const N: usize>(expected: [(&str, &str); N]) -> Vec<(String, String)> {
    expected
        .map(|(id, verdict)| (id.to_owned(), verdict.to_owned()))
        .to_vec()
}

#[test]
fn every_claim_carried_is_listed() {
    let output = Command::new(env!("CARGO_BIN_EXE_locktoll"))
        .args(["reproduce", "--list", "--json"])
        .output()
        .expect("the program was built");
    assert!(output.status.success(), "{}", errors(&output));
    let document: Value =
        serde_json::from_slice(&output.stdout).expect("exactly one JSON document");
    assert_eq!(document["schema"], "locktoll.reproduce-list/1");
    let ids: Vec<&str> = document["claims"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|claim| claim["id"].as_str())
        .collect();
    for id in ["A1", "A12", "B9", "C5", "D5"] {
        assert!(ids.contains(&id), "{id} is not in {ids:?}");
    }
    let places: Vec<usize> = ["A1", "A2", "A10", "B1"]
        .iter()
        .filter_map(|id| ids.iter().position(|i| i == id))
        .collect();
    assert!(places.is_sorted() && places.len() == 4, "{ids:?}");
}

#[test]
fn verdicts_follow_the_bounds_and_are_kept() {
    let claims = Claims::new();
    claims.add("Z1", QUICK, 0.0001);
    claims.add("Z2", QUICK, 10_000.0);
    let document = claims.json(&["z1", "Z2"]);
    assert_eq!(document["schema"], "locktoll.reproduce/1");
    assert_eq!(
        verdicts(&document),
        pairs([("Z1", "holds"), ("Z2", "does_not_hold")])
    );
    let first = &document["claims"][0];
    assert_eq!(first["checks"][0]["measured"]["n"], 6);
    assert_eq!(first["commands"][0], format!("locktoll bench {QUICK}"));
    assert_eq!(first["series"].as_array().map(Vec::len), Some(2));
    // A busy machine gives no verdict, and then nothing is said about its meaning.
    for ((_, verdict), claim) in said(&document)
        .iter()
        .zip(document["claims"].as_array().unwrap())
    {
        let means = claim["means"]
            .as_str()
            .map(|it| it.split(',').next().unwrap());
        let begins = match verdict.as_str() {
            "holds" => Some("Yes"),
            "does_not_hold" => Some("No"),
            _ => None,
        };
        assert_eq!(means, begins, "{claim}");
    }

    let listed = claims.json(&["--list"]);
    assert_eq!(said(&listed), said(&document));

    // Nothing is left to run: the same verdicts in another form, at once.
    let again = claims.run(&["--format", "markdown"]);
    assert!(
        errors(&again).contains("nothing to run"),
        "{}",
        errors(&again)
    );
    let page = String::from_utf8_lossy(&again.stdout).into_owned();
    let verdict = said(&document)[1].1.replace('_', " ");
    let row = format!("| Z2 | title of Z2 | {verdict} |");
    assert!(page.contains(&row), "{page}");
}

#[test]
fn an_interrupted_run_goes_on_where_it_stopped() {
    let claims = Claims::new();
    claims.add("Z1", QUICK, 0.0001);
    claims.add(
        "Z2",
        "--lock pthread,std --workload pair --threads 2 --duration 300ms --repeat 7",
        0.0001,
    );
    let mut child = claims
        .command(&["--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // A group of its own, or a Ctrl-C meant for the test would reach it.
        .process_group(0)
        .spawn()
        .expect("the program was built");
    let lines = BufReader::new(child.stderr.take().expect("asked for a pipe"));
    let mut said = Vec::new();
    for line in lines.lines() {
        said.push(line.expect("words are UTF-8"));
        if said.last().is_some_and(|line| line.starts_with("Z1 ")) {
            // SAFETY: the child has not been waited for, so its number cannot belong to another process.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        }
    }
    let output = child
        .wait_with_output()
        .expect("the child can be waited for");
    assert_eq!(output.status.code(), Some(1), "{said:?}");
    assert!(
        said.iter()
            .any(|line| line.contains("interrupted after 1 of 2 claims")),
        "{said:?}"
    );
    let document: Value =
        serde_json::from_slice(&output.stdout).expect("exactly one JSON document");
    assert_eq!(document["partial"], true);
    assert_eq!(verdicts(&document), pairs([("Z1", "holds")]));

    let output = claims.run(&["--json"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        errors(&output).contains("1 claim from an earlier run"),
        "{}",
        errors(&output)
    );
    assert!(!errors(&output).contains("Z1 "), "{}", errors(&output));
    let document: Value =
        serde_json::from_slice(&output.stdout).expect("exactly one JSON document");
    assert_eq!(document["partial"], false);
    assert_eq!(
        verdicts(&document),
        pairs([("Z1", "holds"), ("Z2", "holds")])
    );
}

#[test]
fn one_experiment_that_fails_does_not_end_the_others() {
    let claims = Claims::new();
    claims.add(
        "Z1",
        "--lock pthread,std --workload pair --threads 4000 --duration 5ms --repeat 6",
        0.0001,
    );
    claims.add("Z2", QUICK, 0.0001);
    let mut command = claims.command(&["--json"]);
    // Too little address space for the stacks of so many threads.
    let little = libc::rlimit {
        rlim_cur: 2 << 30,
        rlim_max: 2 << 30,
    };
    // SAFETY: between fork and exec, a system call that signal-safety(7) allows, on a value of its own.
    unsafe {
        command.pre_exec(
            move || match libc::setrlimit(libc::RLIMIT_AS, &raw const little) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            },
        );
    }
    let output = command.output().expect("the program was built");
    assert!(output.status.success(), "{}", errors(&output));
    let document: Value =
        serde_json::from_slice(&output.stdout).expect("exactly one JSON document");
    assert_eq!(
        verdicts(&document),
        pairs([("Z1", "cannot_be_judged_here"), ("Z2", "holds")])
    );
    let failed = &document["claims"][0];
    assert!(failed["checks"][0]["measured"].is_null(), "{failed}");
    // Refused by the child, or the child's end, as the kernel has it.
    let because = failed["because"].as_str().unwrap();
    assert!(
        because.starts_with("std over pthread: ") && because.len() > 30,
        "{because}"
    );
}

#[test]
fn wrong_words_and_wrong_files_get_one_line() {
    let claims = Claims::new();
    let refused = |output: Output, says: &str| {
        let errors = errors(&output);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(
            errors.contains(says) && errors.lines().count() == 1,
            "{errors}"
        );
        assert!(output.stdout.is_empty());
    };
    refused(claims.run(&[]), "holds no *.toml files");
    claims.add("Z1", QUICK, 1.0);
    refused(claims.run(&["Z7"]), "accepted: Z1");
    refused(
        claims.run(&["--list", "--format", "html"]),
        "--list has the formats",
    );
    claims.add("Z2", "--lock ptread --threads 1", 1.0);
    refused(claims.run(&[]), "Z2: bench --lock ptread");
    claims.add("Z2", "--lock pthread,std --threads 1,2", 1.0);
    refused(claims.run(&["Z2"]), "fits several");
    std::fs::write(claims.path().join("Z2.toml"), "id = 7").unwrap();
    refused(claims.run(&["Z1"]), "Z2.toml, line 1");
}

/// Two rounds give no interval, nor do four or eight at the looks that follow; sixteen do. A claim with seven is judged at once.
#[test]
fn rounds_are_added_until_a_claim_is_judged() {
    let claims = Claims::new();
    let text = |id: &str, repeat: u32| {
        let bench = format!(
            "--lock pthread,std --workload pair --threads 2 --duration 100ms --repeat {repeat}"
        );
        format!(
            "id = \"{id}\"\ntitle = \"title\"\nclaim = \"a claim\"\nseconds = 0.5\n\
             [source]\narticle = \"an article\"\nyear = 1998\nmachine = \"a machine\"\n\
             [means]\nholds = \"Yes.\"\ndoes_not_hold = \"No.\"\n\
             [[run]]\nbench = \"{bench}\"\n\
             [[check]]\nwhat = \"std over pthread\"\nat_least = 1e-6\n\
             ratio = {{ of = {{ lock = \"std\" }}, over = {{ lock = \"pthread\" }} }}\n"
        )
    };
    for (id, repeat) in [("Z1", 2), ("Z2", 7)] {
        std::fs::write(claims.path().join(format!("{id}.toml")), text(id, repeat)).unwrap();
    }
    let document = claims.json(&["--budget", "20s"]);
    let of = |index: usize| &document["claims"][index];
    let looks = of(0)["looks"].as_u64().unwrap();
    assert_eq!(of(0)["rounds"], 2 << (looks - 1), "{document}");
    assert_eq!((&of(1)["looks"], &of(1)["rounds"]), (&1.into(), &7.into()));
    // Other tests may keep the machine busy: such rounds are run again, and are no look. Only then may the budget end before the fourth.
    let thrown_away = of(0)["warnings"].to_string().contains("thrown away");
    let because = of(0)["because"].as_str().unwrap();
    if thrown_away && because.contains("rounds give no") {
        assert!(looks < 4, "{document}");
        assert_eq!(verdicts(&document)[1].1, "holds");
    } else if said(&document) == pairs([("Z1", "holds"), ("Z2", "holds")]) {
        assert_eq!(looks, 4, "{document}");
    } else {
        assert_eq!(
            verdicts(&document),
            pairs([("Z1", "holds"), ("Z2", "holds")])
        );
    }
    // The results are kept as they are.
    let kept = claims.json(&[]);
    assert_eq!(kept["claims"][0]["looks"], looks);
}

#[test]
fn a_budget_for_less_than_the_first_claim_is_refused() {
    let claims = Claims::new();
    claims.add("Z1", QUICK, 1.0);
    let short = claims.run(&["--budget", "100ms"]);
    assert_eq!(short.status.code(), Some(2));
    let said = errors(&short);
    assert!(
        said.contains("a budget of 100 ms is too short: Z1 takes 500 ms"),
        "{said}"
    );
}
