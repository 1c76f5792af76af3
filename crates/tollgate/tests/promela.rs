//! Runs the Promela model of Tollgate's protocol (`models/README.md`) in the checker spin(1), and models that are wrong on
//! purpose, which the checker must refuse.
#![cfg(all(not(locktoll_loom), target_os = "linux"))]

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Condvar, Mutex};

/// For all interleavings: assertions, and no end but the threads' own.
const SAFETY: Search = Search {
    compiled_with: &["-DSAFETY"],
    run_with: &["-m1000000"],
};

/// For all that can go on for ever, if no thread is kept from running for ever: the claim.
const LIVENESS: Search = Search {
    compiled_with: &["-DNFAIR=4"],
    run_with: &["-a", "-f", "-m10000000"],
};

/// The claim, and not the assertions.
const LIVENESS_ALONE: Search = Search {
    compiled_with: LIVENESS.compiled_with,
    run_with: &["-a", "-f", "-A", "-m10000000"],
};

/// Without deadlines of their own and without end.
const CLAIM: [&str; 4] = ["CLAIM", "ROUNDS=0", "TIMED=0", "OUTCOMES_ONLY"];

/// The other threads may come to their end: while one waits, it asks for attention at last, and that ends a release, too.
const CLAIM_OF_RELEASES: [&str; 5] = [
    "CLAIM",
    "OF_RELEASES",
    "ROUNDS=2",
    "TIMED=0",
    "OUTCOMES_ONLY",
];

/// Mutants are found soon: to make the checker takes longer than to run it.
const MUTANT: Search = Search {
    compiled_with: &["-O1", "-DSAFETY"],
    run_with: SAFETY.run_with,
};

struct Search {
    compiled_with: &'static [&'static str],
    run_with: &'static [&'static str],
}

#[test]
fn the_protocol_holds_where_releases_are_stores() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let said = check("store", &["STORE", "ENDLESS"], &SAFETY);
    holds(&said);
    goes_everywhere(&said);
}

#[test]
fn the_protocol_holds_where_releases_are_exchanges() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let said = check("exchange", &["EXCHANGE", "ENDLESS"], &SAFETY);
    holds(&said);
    goes_everywhere(&said);
}

#[test]
fn the_protocol_holds_where_releases_are_either() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let said = check("either", &["STORE", "EXCHANGE", "ENDLESS"], &SAFETY);
    holds(&said);
    goes_everywhere(&said);
}

#[test]
fn the_protocol_holds_for_four_threads() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let four = ["STORE", "ENDLESS", "N=4", "ROUNDS=1", "TIMED=0"];
    holds(&check("four", &four, &SAFETY));
}

#[test]
fn the_protocol_holds_where_a_broadcast_moves_waiters() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let said = check("broadcast", &["STORE", "ENDLESS", "BROADCAST"], &SAFETY);
    holds(&said);
    goes_everywhere(&said);
}

#[test]
fn whoever_stands_in_line_acquires() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    for release in ["STORE", "EXCHANGE"] {
        let defines = [&[release], &CLAIM[..]].concat();
        let name = format!("claim-{}", release.to_lowercase());
        holds(&check(&name, &defines, &LIVENESS));
    }
}

#[test]
fn a_release_ends_however_often_it_is_interrupted() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    let defines = [&["STORE"], &CLAIM_OF_RELEASES[..]].concat();
    holds(&check("claim-releases", &defines, &LIVENESS));
}

#[test]
fn each_mutant_is_found_by_what_comes_of_it() {
    if !locktoll_needs::programs(&["spin"]) {
        return;
    }
    /// Somebody sleeps, and nobody is going to wake it.
    const ASLEEP: &str = "invalid end state";
    const TWO_HOLDERS: &str = "assertion violated (holder==255)";
    const PASSED_OVER: &str = "assertion violated (passed_over<=1)";
    /// The queue's bit tells of a queue that is empty, of which the first is then taken.
    const NO_SUCH_PLACE: &str = "invalid array index";

    for (mutant, outcome) in [
        ("NO_BARRIER", ASLEEP),
        ("NO_LOOK", ASLEEP),
        ("SPINNER_STAYS", ASLEEP),
        ("QUEUE_UNCALLED", ASLEEP),
        ("POPS_BLINDLY", ASLEEP),
        ("WAKES_NOBODY", ASLEEP),
        ("QUEUED_STAYS", NO_SUCH_PLACE),
        ("GRANTED_STAYS", TWO_HOLDERS),
        ("DUE_FORGOTTEN", PASSED_OVER),
        ("DUE_ENDS", PASSED_OVER),
    ] {
        let said = check(
            mutant,
            &["STORE", "ENDLESS", "OUTCOMES_ONLY", mutant],
            &MUTANT,
        );
        is_refused(mutant, &said, outcome);
    }
    let mutant = "MOVES_WITHOUT_HEIR";
    let once = ["BROADCAST", "ROUNDS=1", "TIMED=0"];
    let defines = [&["STORE", "ENDLESS", "OUTCOMES_ONLY", mutant], &once[..]].concat();
    is_refused(mutant, &check(mutant, &defines, &MUTANT), ASLEEP);
    for mutant in ["SPINNER_BEFORE_QUEUE", "DUE_FORGOTTEN"] {
        let defines = [&["STORE", mutant], &CLAIM[..]].concat();
        let said = check(&format!("claim-{mutant}"), &defines, &LIVENESS_ALONE);
        is_refused(mutant, &said, "acceptance cycle");
    }
    let defines = [&["STORE", "N=2", "BEGINS_AGAIN"], &CLAIM_OF_RELEASES[..]].concat();
    let said = check("claim-BEGINS_AGAIN", &defines, &LIVENESS_ALONE);
    is_refused("BEGINS_AGAIN", &said, "acceptance cycle");
}

/// Makes a checker of the model with these `-D`s and runs it: what it says.
fn check(name: &str, defines: &[&str], search: &Search) -> String {
    let _place = Place::take();

    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("models/tollgate.pml");
    let folder = empty_folder(name);
    let mut spin = Command::new("spin");
    spin.args(defines.iter().map(|define| format!("-D{define}")));
    succeed(spin.arg("-a").arg(model).current_dir(&folder));

    let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compiler.args(["-O2", "-w", "-DMEMLIM=3500"]);
    compiler
        .args(search.compiled_with)
        .args(["-o", "pan", "pan.c"]);
    succeed(compiler.current_dir(&folder));

    let mut checker = Command::new(folder.join("pan"));
    succeed(checker.args(search.run_with).current_dir(&folder))
}

/// Leave to run a checker: two at a time, for the memory's sake.
struct Place;

static PLACES: Mutex<u32> = Mutex::new(2);
static PLACE_LEFT: Condvar = Condvar::new();

impl Place {
    fn take() -> Self {
        let places = PLACES.lock().unwrap();
        *PLACE_LEFT.wait_while(places, |left| *left == 0).unwrap() -= 1;
        Self
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *PLACES.lock().unwrap() += 1;
        PLACE_LEFT.notify_one();
    }
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("promela")
        .join(name);
    // The last run's.
    if let Err(error) = fs::remove_dir_all(&folder) {
        assert_eq!(
            error.kind(),
            ErrorKind::NotFound,
            "{}: {error}",
            folder.display()
        );
    }
    fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    folder
}

#[track_caller]
fn succeed(command: &mut Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let run = command
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = String::from_utf8_lossy(&run.stdout).into_owned();
    let complained = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{program}:\n{said}\n{complained}");
    said
}

/// The search was complete, and has found nothing.
#[track_caller]
fn holds(said: &str) {
    assert!(said.contains("errors: 0\n"), "{said}");
    for cut_short in [
        "max search depth too small",
        "out of memory",
        "memory limit",
        "hash-table too small",
        "\nerror:",
    ] {
        assert!(!said.contains(cut_short), "{said}");
    }
    // An empty run is not a success.
    assert!(states(said) > 1_000_000, "{said}");
    println!("{} states", states(said));
}

/// No step of the model is one that no thread ever takes.
#[track_caller]
fn goes_everywhere(said: &str) {
    let unreached = said
        .split("unreached in proctype Thread\n")
        .nth(1)
        .unwrap_or_else(|| panic!("it does not say what is unreached:\n{said}"));
    assert!(unreached.starts_with("\t(0 of "), "{unreached}");
}

#[track_caller]
fn is_refused(mutant: &str, said: &str, outcome: &str) {
    let errors: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("pan:1:"))
        .collect();
    assert!(
        errors.iter().any(|error| error.contains(outcome)),
        "{mutant} was to be refused for '{outcome}', but it says {errors:?}:\n{said}"
    );
}

fn states(said: &str) -> u64 {
    said.lines()
        .find(|line| line.contains(" states, stored"))
        .and_then(|line| line.split_whitespace().next())
        .and_then(|number| number.parse::<f64>().ok())
        .map_or(0, |number| number as u64)
}
