//! Runs a model under loom, as it is or with a fault planted in it, and says how it ended.

use std::env;
use std::process::{self, Command};
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use locktoll_locks::Mutation;

/// How a model ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All interleavings within the bound were explored, and none failed.
    Passed,
    /// Two threads touched the protected data without one happening before the other, or the
    /// data were wrong at the end.
    Race,
    /// Threads slept or spun and nobody was left to let them go on.
    Stuck,
}

/// What a model's own assertion says when the protected data came out wrong.
pub const WRONG_DATA: &str = "the protected data are wrong";

/// The preemptions that loom explores: switches away from a thread that could have gone on. Few bugs
/// need more (M. Musuvathi, S. Qadeer, "Iterative Context Bounding", PLDI 2007).
const PREEMPTIONS: usize = 3;

/// Tells a child of the test which model to run, and with which fault.
const CHILD: &str = "LOCKTOLL_PLANTED";

/// Explores `model` as it is, and with each fault in `faults`, which must be found.
///
/// `test` is the name of the calling test, `name` that of the model: a fault is explored in a child process that
/// runs the same test, since a model that fails may abort its process.
#[track_caller]
pub fn holds_and_finds(
    test: &str,
    name: &str,
    faults: &[(Mutation, Outcome)],
    model: impl Fn() + Send + Sync + 'static,
) {
    if let Ok(planted) = env::var(CHILD) {
        if let Some((mutation, _)) = faults.iter().find(|(m, _)| planted == label(name, *m)) {
            explore(name, *mutation, model);
            process::exit(0);
        }
        // Another model of the same test is meant.
        return;
    }
    explore(name, Mutation::None, model);
    for (mutation, expected) in faults {
        let found = explore_in_child(test, name, *mutation);
        assert_eq!(found, *expected, "{}", label(name, *mutation));
        println!("{}: found", label(name, *mutation));
    }
}

fn label(name: &str, mutation: Mutation) -> String {
    format!("{name} with {mutation:?}")
}

/// Explores `model` with `mutation` planted; panics or aborts if an interleaving fails.
fn explore(name: &str, mutation: Mutation, model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.max_branches = 10_000;
    let runs = Shared::new(AtomicUsize::new(0));
    let counted = Shared::clone(&runs);
    mutation.plant();
    builder.check(move || {
        counted.fetch_add(1, Relaxed);
        model();
    });
    println!(
        "{}: {} interleavings",
        label(name, mutation),
        runs.load(Relaxed)
    );
}

fn explore_in_child(test: &str, name: &str, mutation: Mutation) -> Outcome {
    let child = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, label(name, mutation))
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    if child.status.success() {
        let ran = String::from_utf8_lossy(&child.stdout).contains("interleavings");
        assert!(ran, "the child did not run {}", label(name, mutation));
        return Outcome::Passed;
    }
    // A failing thread takes others with it, so that more messages follow: the first counts.
    [
        ("Causality violation", Outcome::Race),
        (WRONG_DATA, Outcome::Race),
        ("deadlock; threads", Outcome::Stuck),
        ("exceeded maximum number of branches", Outcome::Stuck),
    ]
    .into_iter()
    .filter_map(|(words, outcome)| Some((said.find(words)?, outcome)))
    .min_by_key(|(place, _)| *place)
    .unwrap_or_else(|| panic!("the model failed in an unknown way:\n{said}"))
    .1
}

/// Whether this process explores one planted fault for another.
pub fn is_child() -> bool {
    env::var_os(CHILD).is_some()
}
