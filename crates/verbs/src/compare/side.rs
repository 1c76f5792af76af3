//! One side of a comparison: from file names to results of one kind.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::arguments::InputArgs;
use crate::saved;
use locktoll_results::bench::BenchResult;
use locktoll_results::machine::MachineResult;
use locktoll_results::profile::Profile;
use locktoll_results::reproduction::Reproduction;
use locktoll_results::saved::Saved;
use locktoll_results::tour::TourResult;
use locktoll_results::trial::TrialResult;
use locktoll_results::{Kind, Made};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// The results of one side: one run, or several of the same thing.
#[derive(Debug)]
pub struct Results {
    /// The files that they came from, as the user wrote them.
    pub files: Vec<PathBuf>,
    /// The kind of the results.
    pub kind: Kind,
    runs: Vec<Saved>,
}

impl Results {
    /// Returns when and where each run was made, if the result says so.
    pub fn made(&self) -> Vec<Option<Made>> {
        let of = |run: &Saved| match run {
            Saved::Bench(it) => it.made.clone(),
            Saved::Machine(it) => it.made.clone(),
            Saved::Reproduce(it) => it.made.clone(),
            Saved::Tour(it) => it.contended.made.clone(),
            Saved::Profile(it) => it.made.clone(),
            Saved::Try(it) => it.made.clone(),
            Saved::Compare(_)
            | Saved::Kernel(_)
            | Saved::Hang(_)
            | Saved::WhatIf(_)
            | Saved::Advise(_) => None,
        };
        self.runs.iter().map(of).collect()
    }

    /// Reads a file, or several files whose names are in one argument, separated by commas.
    ///
    /// # Errors
    /// The errors of [`saved::open`]; [`Failure::Usage`] if the files are not of one kind, or of a kind that cannot be compared.
    pub fn open(argument: &Path, input: InputArgs) -> Result<Self, Failure> {
        let files = files(argument);
        if let Some(again) = repeated(&files) {
            return Err(Failure::Usage(format!(
                "{} names {} twice, but a run counts once; give each run its own file",
                shown(argument.as_os_str()),
                shown(again.as_os_str())
            )));
        }
        let mut runs = Vec::new();
        for file in &files {
            if file.as_os_str().is_empty() {
                return Err(Failure::Usage(format!(
                    "{} has an empty name between its commas; several runs of one side are written A1,A2,A3",
                    shown(argument.as_os_str())
                )));
            }
            runs.push(saved::open(file, input)?);
        }
        let kind = runs[0].kind();
        if let Some(other) = runs.iter().position(|run| run.kind() != kind) {
            return Err(differ(&files[0], kind, &files[other], runs[other].kind()));
        }
        let name = shown(argument.as_os_str());
        match kind {
            Kind::Compare => Err(Failure::Usage(format!(
                "{name} is a comparison itself; compare what was measured: recordings, profiles, or results of bench, \
                 machine, reproduce, tour and try"
            ))),
            Kind::Kernel => Err(Failure::Usage(format!(
                "{name} is {}, and two of these are not compared: each is a single run without intervals",
                kind.described()
            ))),
            Kind::Hang => Err(Failure::Usage(format!(
                "{name} is {}, which has no figures to compare; `locktoll report` shows it",
                kind.described()
            ))),
            Kind::Advise => Err(Failure::Usage(format!(
                "{name} is {}, which has no figures to compare; give the recordings themselves",
                kind.described()
            ))),
            Kind::WhatIf => Err(Failure::Usage(format!(
                "{name} is {}, and two of these are not compared: each already compares its own runs",
                kind.described()
            ))),
            Kind::Reproduce if runs.len() > 1 => Err(Failure::Usage(format!(
                "{name}: several results of `reproduce` cannot be combined; give one file per side"
            ))),
            _ => Ok(Self { files, kind, runs }),
        }
    }

    /// Refuses two sides of different kinds.
    ///
    /// # Errors
    /// [`Failure::Usage`], with the kinds of both.
    pub fn goes_with(&self, other: &Self) -> Result<(), Failure> {
        if self.kind == other.kind {
            return Ok(());
        }
        Err(differ(
            &self.files[0],
            self.kind,
            &other.files[0],
            other.kind,
        ))
    }

    /// Returns the results of `bench`.
    pub fn benches(&self) -> Vec<&BenchResult> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Bench(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }

    /// Returns the results of `machine`.
    pub fn machines(&self) -> Vec<&MachineResult> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Machine(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }

    /// Returns the results of `reproduce`.
    pub fn reproductions(&self) -> Vec<&Reproduction> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Reproduce(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }

    /// Returns the results of `tour`.
    pub fn tours(&self) -> Vec<&TourResult> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Tour(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }

    /// Returns the results of `try`.
    pub fn trials(&self) -> Vec<&TrialResult> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Try(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }

    /// Returns the profiles, whether or not they came from recordings.
    pub fn profiles(&self) -> Vec<&Profile> {
        let runs = self.runs.iter();
        runs.filter_map(|run| match run {
            Saved::Profile(it) => Some(&**it),
            _ => None,
        })
        .collect()
    }
}

#[cfg(test)]
impl Results {
    /// Makes a side that was never in a file.
    pub fn of(name: &str, runs: Vec<Saved>) -> Self {
        Self {
            files: runs.iter().map(|_| PathBuf::from(name)).collect(),
            kind: runs[0].kind(),
            runs,
        }
    }
}

/// Returns the files that an argument names. It is a single file if one with that name exists, even with commas in the name.
fn files(argument: &Path) -> Vec<PathBuf> {
    match argument.to_str() {
        Some(text) if text.contains(',') && !argument.exists() => {
            text.split(',').map(PathBuf::from).collect()
        }
        _ => vec![argument.to_owned()],
    }
}

/// Returns a file that is listed twice, possibly under two names.
fn repeated(files: &[PathBuf]) -> Option<&PathBuf> {
    let mut seen = HashSet::new();
    files.iter().find(|file| {
        let place = file.canonicalize();
        place.is_ok_and(|place| !seen.insert(place))
    })
}

fn differ(a: &Path, of_a: Kind, b: &Path, of_b: Kind) -> Failure {
    let (a, b) = (shown(a.as_os_str()), shown(b.as_os_str()));
    Failure::Usage(format!(
        "{a} is {} and {b} is {}; give two of one kind",
        of_a.described(),
        of_b.described()
    ))
}

// The tests use results of all kinds, including those of verbs that only Linux has.
#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use locktoll_made_up::{made_up, sample};

    #[test]
    fn commas_separate_files_unless_they_are_in_the_name_of_one() {
        let folder = tempfile::tempdir().unwrap();
        let argument = folder.path().join("a,b");
        let parts = [folder.path().join("a"), PathBuf::from("b")];
        assert_eq!(files(&argument), parts);
        std::fs::write(&argument, "").unwrap();
        assert_eq!(files(&argument), [argument]);
        assert_eq!(files(Path::new("a")), [PathBuf::from("a")]);
    }

    #[test]
    fn a_file_under_two_names_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        let again = folder.path().join(".").join("a");
        for file in [&a, &b] {
            std::fs::write(file, "").unwrap();
        }
        assert_eq!(repeated(&[a.clone(), b.clone()]), None);
        let twice = [a, b, again.clone()];
        assert_eq!(repeated(&twice), Some(&again));
    }

    fn saved(run: Saved) -> Results {
        Results::of("x", vec![run])
    }

    #[test]
    fn results_are_found_by_their_kind_alone() {
        let bench = saved(Saved::Bench(Box::new(made_up::contended())));
        let machine = saved(Saved::Machine(Box::new(made_up::machine_result())));
        let claims = saved(Saved::Reproduce(Box::new(made_up::reproduction())));
        let trial = saved(Saved::Try(Box::new(made_up::trial::won())));
        let profile = saved(Saved::Profile(Box::new(sample::job_server())));
        let counts = |it: &Results| {
            [
                it.benches().len(),
                it.machines().len(),
                it.reproductions().len(),
                it.trials().len(),
                it.profiles().len(),
                it.tours().len(),
            ]
        };
        let all = [bench, machine, claims, trial, profile];
        for (at, side) in all.iter().enumerate() {
            let mut expected = [0; 6];
            expected[at] = 1;
            assert_eq!(counts(side), expected);
            assert_eq!(side.made().len(), 1);
            for (other, it) in all.iter().enumerate() {
                assert_eq!(side.goes_with(it).is_ok(), at == other);
            }
        }
    }
}
