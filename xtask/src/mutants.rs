//! `cargo xtask mutants`: small faults planted in product code, and whether the nearest tests notice them.
//!
//! cargo-mutants plants them. A room's tests are the unit tests of its crate, and the recording's others, which take seconds: what only an
//! end-to-end test notices counts as unnoticed here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;
use xtask_sources::root;

/// A room, the crate that it is in, and its files.
struct Room {
    name: &'static str,
    package: &'static str,
    folder: &'static str,
    /// Which tests of the crate.
    tests: &'static [&'static str],
}

/// The unit tests of the crate, which take seconds.
const BESIDE: &[&str] = &["--lib"];

const ROOMS: [Room; 9] = [
    Room {
        tests: &["--lib", "--tests"],
        ..room("recording", "locktoll-recording", "crates/recording/src")
    },
    room("joiner", "locktoll-sources", "crates/sources/src/joiner"),
    room(
        "profile",
        "locktoll-sources",
        "crates/sources/src/recording",
    ),
    room(
        "attach",
        "locktoll-sources",
        "crates/sources/src/futexes/profile",
    ),
    room("trial", "locktoll-verbs", "crates/verbs/src/trial"),
    room("reproduce", "locktoll-verbs", "crates/verbs/src/reproduce"),
    room("compare", "locktoll-verbs", "crates/verbs/src/compare"),
    room("preload", "locktoll-preload", "crates/preload/src"),
    room("substitute", "locktoll-substitute", "crates/substitute/src"),
];

const fn room(name: &'static str, package: &'static str, folder: &'static str) -> Room {
    Room {
        name,
        package,
        folder,
        tests: BESIDE,
    }
}

/// What is asked for.
#[derive(Default)]
struct Wishes<'a> {
    rooms: Vec<&'a str>,
    shard: Option<&'a str>,
    /// How many faults to plant in each room, roughly. They are spread over its files.
    sample: Option<usize>,
    changed_since: Option<&'a str>,
    /// Faults are planted in this tree, not in a copy. It builds less, and leaves a fault behind if it is killed.
    in_place: bool,
}

pub fn run(words: &[&str]) -> anyhow::Result<()> {
    let wishes = Wishes::of(words)?;
    let installed = Command::new("cargo")
        .args(["mutants", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    ensure!(
        installed.is_ok_and(|it| it.success()),
        "this task needs cargo-mutants: cargo install cargo-mutants --locked"
    );
    let folder = tempfile::tempdir()?;
    let diff = wishes.changed_since.map(|it| diff_since(it, &folder));
    let diff = diff.transpose()?;
    let mut all = Vec::new();
    for room in wishes.chosen()? {
        let found = wishes.plant(room, diff.as_deref(), &folder)?;
        println!("{}", found.sentence(room.name));
        all.push(found);
    }
    let unnoticed: Vec<&String> = all.iter().flat_map(|it| &it.unnoticed).collect();
    if !unnoticed.is_empty() {
        println!("\nNot noticed:");
    }
    for fault in unnoticed {
        println!("  {fault}");
    }
    Ok(())
}

impl<'a> Wishes<'a> {
    fn of(words: &[&'a str]) -> anyhow::Result<Self> {
        let mut wishes = Self::default();
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || {
                words
                    .next()
                    .copied()
                    .context(format!("{word} takes a value"))
            };
            match word {
                "--shard" => wishes.shard = Some(value()?),
                "--sample" => {
                    let number = value()?.parse().ok().filter(|it| *it > 0);
                    wishes.sample = Some(number.context("--sample takes a number of faults")?);
                }
                "--in-place" => wishes.in_place = true,
                "--changed" => wishes.changed_since = Some(value()?),
                room => wishes.rooms.push(room),
            }
        }
        ensure!(
            !wishes.rooms.is_empty() || wishes.changed_since.is_some(),
            "mutants takes rooms ({}) or --changed COMMIT",
            names()
        );
        Ok(wishes)
    }

    fn chosen(&self) -> anyhow::Result<Vec<&'static Room>> {
        if self.rooms.is_empty() {
            return Ok(ROOMS.iter().collect());
        }
        let named = self.rooms.iter().map(|name| {
            let room = ROOMS.iter().find(|room| room.name == *name);
            room.with_context(|| format!("{name} is no room; accepted: {}", names()))
        });
        named.collect()
    }

    fn plant(&self, room: &Room, diff: Option<&Path>, folder: &TempDir) -> anyhow::Result<Found> {
        let all = count(room, diff)?;
        if all == 0 {
            return Ok(Found::default());
        }
        let shard = match (self.shard, self.sample) {
            (Some(shard), _) => Some(shard.to_owned()),
            (None, Some(number)) => shard_of(all, number),
            (None, None) => None,
        };
        let output = folder.path().join(room.name);
        fs::create_dir(&output)?;
        let mut command = faults(room, diff);
        command
            .args(["--colors=never", "--no-times", "--output"])
            .arg(&output)
            .args(["--test-package", room.package]);
        if let Some(shard) = shard {
            // Faults of all files, not of the first ones alone.
            command.args(["--sharding", "round-robin", "--shard", &shard]);
        }
        if self.in_place {
            command.arg("--in-place");
        }
        // Features that a room needs are those of its tests.
        command.arg("--").args(room.tests);
        let status = command.stdout(Stdio::inherit()).status()?;
        // 2: faults were missed; 3: tests hung (cargo-mutants, "Exit codes").
        ensure!(
            matches!(status.code(), Some(0 | 2 | 3)),
            "cargo-mutants could not test {}: the tests have to pass without a fault first",
            room.name
        );
        let lines = |name: &str| {
            let text = fs::read_to_string(output.join("mutants.out").join(name));
            let text = text.unwrap_or_default();
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        Ok(Found {
            noticed: lines("caught.txt").len(),
            unnoticed: lines("missed.txt"),
            hung: lines("timeout.txt").len(),
            unviable: lines("unviable.txt").len(),
        })
    }
}

/// cargo-mutants for the faults of a room, or for those in the lines of `diff`.
fn faults(room: &Room, diff: Option<&Path>) -> Command {
    let mut command = Command::new("cargo");
    command
        .current_dir(root())
        // What a planted fault breaks is nothing to keep among the sources.
        .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
        .args(["mutants", "--workspace"])
        .args(["--file", &format!("{}/**", room.folder)]);
    if let Some(diff) = diff {
        command.arg("--in-diff").arg(diff);
    }
    command
}

fn count(room: &Room, diff: Option<&Path>) -> anyhow::Result<usize> {
    let output = faults(room, diff).arg("--list").output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo-mutants: {}", errors.trim());
    Ok(String::from_utf8_lossy(&output.stdout).lines().count())
}

/// The shard that has about `number` of `all` faults; `None` if that is all of them.
fn shard_of(all: usize, number: usize) -> Option<String> {
    let shards = all.div_ceil(number);
    (shards > 1).then(|| format!("{}/{shards}", shards / 2))
}

fn names() -> String {
    ROOMS.map(|room| room.name).join(", ")
}

/// What has changed since a commit, in a file.
fn diff_since(commit: &str, folder: &TempDir) -> anyhow::Result<std::path::PathBuf> {
    let output = Command::new("git")
        .args(["diff", commit, "--", "*.rs"])
        .current_dir(root())
        .output()
        .context("git does not start")?;
    if !output.status.success() {
        bail!(
            "git diff {commit}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    let file = folder.path().join("changes.diff");
    fs::write(&file, output.stdout)?;
    Ok(file)
}

/// What became of the faults of a room.
#[derive(Default)]
struct Found {
    noticed: usize,
    unnoticed: Vec<String>,
    /// Faults that made the tests go on for ever: noticed by whoever waits.
    hung: usize,
    /// Faults that did not compile.
    unviable: usize,
}

impl Found {
    fn sentence(&self, room: &str) -> String {
        let noticed = self.noticed + self.hung;
        let viable = noticed + self.unnoticed.len();
        if viable == 0 {
            return format!("{room}: no fault to plant");
        }
        format!(
            "{room}: {noticed} of {viable} faults noticed ({:.0} %; {} of them by a test that hung), {} did not compile",
            noticed as f64 * 100.0 / viable as f64,
            self.hung,
            self.unviable
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_is_a_folder_of_its_crate() {
        for room in &ROOMS {
            assert!(root().join(room.folder).is_dir(), "{}", room.folder);
            let crate_folder = room.folder.split("/src").next().unwrap();
            let manifest = fs::read_to_string(root().join(crate_folder).join("Cargo.toml"));
            assert!(
                manifest
                    .unwrap()
                    .contains(&format!("name = \"{}\"", room.package))
            );
        }
    }

    #[test]
    fn a_room_that_is_none_is_refused_by_the_names_of_those_that_are() {
        let wishes = Wishes::of(&["recordin"]).unwrap();
        let refusal = wishes.chosen().err().unwrap().to_string();
        assert!(refusal.contains("recordin is no room; accepted: recording, joiner"));
        assert!(Wishes::of(&[]).is_err());
        assert!(Wishes::of(&["--shard"]).is_err());
    }

    #[test]
    fn a_sample_is_one_of_so_many_shards() {
        assert_eq!(shard_of(543, 20).as_deref(), Some("14/28"));
        assert_eq!(shard_of(21, 20).as_deref(), Some("1/2"));
        assert_eq!(shard_of(20, 20), None);
        assert_eq!(shard_of(0, 20), None);
        assert!(Wishes::of(&["--sample", "none", "recording"]).is_err());
        assert!(Wishes::of(&["--sample", "0", "recording"]).is_err());
    }

    #[test]
    fn a_fault_that_hangs_the_tests_is_noticed_and_one_that_does_not_compile_is_none() {
        let found = Found {
            noticed: 8,
            unnoticed: vec!["one".to_owned()],
            hung: 1,
            unviable: 5,
        };
        let expected =
            "x: 9 of 10 faults noticed (90 %; 1 of them by a test that hung), 5 did not compile";
        assert_eq!(found.sentence("x"), expected);
        assert_eq!(Found::default().sentence("x"), "x: no fault to plant");
    }
}
