//! Runs models under loom, as they are or with a planted fault, and reports the outcomes.

mod stacks;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::{self, Command};
use std::sync::Arc as Shared;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use locktoll_waiting::sync::{Mutation, Site};

/// How a model ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All interleavings within the bound were explored, and none failed.
    Passed,
    /// Two threads touched the protected data without one happening before the other, or the
    /// data were wrong at the end.
    Race,
    /// Threads slept or spun and nobody was left to let them go on; or nobody can acquire the lock any more.
    Stuck,
}

/// What a model's own assertion says when the protected data came out wrong.
pub const WRONG_DATA: &str = "the protected data are wrong";

/// What a model's own assertion says when a lock that nobody holds could not be had.
pub const REFUSED: &str = "a free lock was refused";

/// The faults that every lock must be found to depend on the absence of.
pub const ORDERINGS: &[(Mutation, Outcome)] = &[
    (Mutation::DropAcquire, Outcome::Race),
    (Mutation::DropRelease, Outcome::Race),
];

/// The same for locks that park.
pub const PARKING: &[(Mutation, Outcome)] = &[
    (Mutation::DropAcquire, Outcome::Race),
    (Mutation::DropRelease, Outcome::Race),
    (Mutation::DropWake, Outcome::Stuck),
    (Mutation::SkipFutexCompare, Outcome::Stuck),
];

/// The preemptions that loom explores, unless a test asks for another number: switches away from a thread that could have gone on. Few
/// bugs need more (M. Musuvathi, S. Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", PLDI 2007).
const PREEMPTIONS: usize = 3;

/// Tells a child of the test which model to run, and with which fault.
const CHILD: &str = "LOCKTOLL_PLANTED";

/// A model that has passed as it is.
struct Explored {
    name: &'static str,
    interleavings: usize,
    /// Orderings stronger than relaxed that it has come by.
    sites: BTreeSet<Site>,
}

/// The models of one algorithm, and what must be found by them.
///
/// A fault is explored in a child process that runs the same test, since a model that fails may
/// abort its process. In a child only the one model runs.
pub struct Models {
    test: &'static str,
    explored: Vec<Explored>,
    /// Explored in the models that follow.
    pub preemptions: usize,
}

impl Models {
    /// The models of the test function `test`.
    pub fn of(test: &'static str) -> Self {
        Self {
            test,
            explored: Vec::new(),
            preemptions: PREEMPTIONS,
        }
    }

    /// Explores the models that follow with two preemptions, unless `LOCKTOLL_TEST_SOAK=1`: for large models whose faults are all
    /// found by two.
    pub fn found_by_two(mut self) -> Self {
        if !locktoll_needs::soak() {
            self.preemptions = 2;
        }
        self
    }

    /// Explores `model` as it is, and with each fault in `faults`, which must be found.
    #[track_caller]
    pub fn explore(
        mut self,
        name: &'static str,
        faults: &[(Mutation, Outcome)],
        model: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        if let Ok(planted) = env::var(CHILD) {
            if let Some(mutation) = planted_in(name, &planted) {
                explore(&label(name, &mutation), mutation, self.preemptions, model);
                process::exit(0);
            }
            // Another model of the same test is meant.
            return self;
        }
        let interleavings = explore(
            &label(name, &Mutation::None),
            Mutation::None,
            self.preemptions,
            model,
        );
        self.explored.push(Explored {
            name,
            interleavings,
            sites: Mutation::sites().into_iter().collect(),
        });
        for (mutation, expected) in faults {
            let found = explore_in_child(self.test, &label(name, mutation));
            assert_eq!(found, *expected, "{}", label(name, mutation));
        }
        self
    }

    /// Each single acquire or release is needed: without it, at least one of the models fails.
    /// Except for those in `spare` (file, words of the line), which the models cannot tell, for the
    /// reason that the caller states.
    #[track_caller]
    pub fn need_every_ordering(mut self, spare: &[(&str, &str)]) {
        if env::var_os(CHILD).is_some() {
            return;
        }
        // The first that fails is enough, so the small ones come first.
        self.explored.sort_by_key(|model| model.interleavings);
        let sites: BTreeSet<&Site> = self.explored.iter().flat_map(|it| &it.sites).collect();
        let mut used = BTreeSet::new();
        for &site in &sites {
            let mutation = Mutation::DropAt(site.clone());
            // Where a model does not come by it, it changes nothing.
            let mut concerned = self.explored.iter().filter(|it| it.sites.contains(site));
            let needed = concerned.any(|it| {
                explore_in_child(self.test, &label(it.name, &mutation)) != Outcome::Passed
            });
            if !needed {
                let line = line_of(site);
                let known = spare
                    .iter()
                    .position(|(file, words)| site.place.0.ends_with(file) && line.contains(words));
                used.insert(known.unwrap_or_else(|| {
                    panic!("{}: no model fails without {site:?}: {line}", self.test)
                }));
            }
        }
        assert_eq!(
            used.len(),
            spare.len(),
            "{}: a listed ordering is needed after all",
            self.test
        );
        println!(
            "{}: {} orderings, {} spare",
            self.test,
            sites.len(),
            used.len()
        );
    }
}

/// The source line of a site. Its path starts from the workspace or from the package.
fn line_of(site: &Site) -> String {
    let (file, line, _) = &site.place;
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = [package.join("../.."), package.into()]
        .iter()
        .find_map(|folder| fs::read_to_string(folder.join(file)).ok())
        .unwrap_or_else(|| panic!("{file} cannot be read"));
    source
        .lines()
        .nth(*line as usize - 1)
        .unwrap_or("")
        .trim()
        .into()
}

fn label(name: &str, mutation: &Mutation) -> String {
    match mutation {
        Mutation::DropAt(Site {
            place: (file, line, column),
            acquire,
        }) => format!("{name}|{file}|{line}|{column}|{acquire}"),
        Mutation::Fault(fault) => format!("{name}|fault|{fault}"),
        mutation => format!("{name}|{mutation:?}"),
    }
}

/// The fault that `label` names, if it is one for the model `name`.
fn planted_in(name: &str, label: &str) -> Option<Mutation> {
    let parts: Vec<_> = label
        .strip_prefix(name)?
        .strip_prefix('|')?
        .split('|')
        .collect();
    Some(match parts[..] {
        ["DropAcquire"] => Mutation::DropAcquire,
        ["DropRelease"] => Mutation::DropRelease,
        ["DropWake"] => Mutation::DropWake,
        ["SkipFutexCompare"] => Mutation::SkipFutexCompare,
        ["fault", fault] => Mutation::Fault(fault.into()),
        [file, line, column, acquire] => Mutation::DropAt(Site {
            place: (file.into(), line.parse().unwrap(), column.parse().unwrap()),
            acquire: acquire.parse().unwrap(),
        }),
        _ => panic!("no fault is called {label}"),
    })
}

/// Explores `model` with `mutation` planted, and returns how many interleavings there were; panics or aborts if one fails.
fn explore(
    label: &str,
    mutation: Mutation,
    preemptions: usize,
    model: impl Fn() + Send + Sync + 'static,
) -> usize {
    stacks::link();
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.max_branches = 10_000;
    let runs = Shared::new(AtomicUsize::new(0));
    let counted = Shared::clone(&runs);
    mutation.plant();
    builder.check(move || {
        counted.fetch_add(1, Relaxed);
        model();
    });
    let interleavings = runs.load(Relaxed);
    println!("{label}: {interleavings} interleavings");
    interleavings
}

fn explore_in_child(test: &str, label: &str) -> Outcome {
    let child = Command::new(env::current_exe().unwrap())
        .args([test, "--exact", "--nocapture", "--test-threads=1"])
        .env(CHILD, label)
        .env("RUST_BACKTRACE", "0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    if child.status.success() {
        let ran = String::from_utf8_lossy(&child.stdout).contains("interleavings");
        assert!(ran, "the child did not run {label}");
        return Outcome::Passed;
    }
    // A failing thread takes others with it, so that more messages follow: the first counts.
    [
        ("Causality violation", Outcome::Race),
        (WRONG_DATA, Outcome::Race),
        (REFUSED, Outcome::Stuck),
        ("deadlock; threads", Outcome::Stuck),
        ("exceeded maximum number of branches", Outcome::Stuck),
    ]
    .into_iter()
    .filter_map(|(words, outcome)| Some((said.find(words)?, outcome)))
    .min_by_key(|(place, _)| *place)
    .unwrap_or_else(|| panic!("{label} failed in an unknown way:\n{said}"))
    .1
}
