//! The words after `cargo xtask loop`.

use anyhow::{Context, bail};

const USAGE: &str = "accepted: [--only release|dev|test|incremental|checks]... [--rounds N] [--crate NAME]... [--file FILE]...";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// `cargo build --release` from scratch.
    Release,
    /// `cargo build` from scratch and warm.
    Dev,
    /// `cargo test --workspace` from scratch and warm.
    Test,
    /// After one changed file in each crate.
    Incremental,
    /// What a new commit and a change of the preload library rebuild.
    Checks,
}

impl Part {
    const ALL: [(&str, Part); 5] = [
        ("release", Part::Release),
        ("dev", Part::Dev),
        ("test", Part::Test),
        ("incremental", Part::Incremental),
        ("checks", Part::Checks),
    ];
}

#[derive(Debug)]
pub struct Options {
    only: Vec<Part>,
    /// How often each changed file is timed.
    pub rounds: usize,
    /// Crates whose changes are timed: all, if there are none.
    pub crates: Vec<String>,
    /// Files to change instead of those that are chosen.
    pub files: Vec<String>,
}

impl Options {
    pub fn read(words: &[&str]) -> anyhow::Result<Options> {
        let mut options = Options {
            only: Vec::new(),
            rounds: 3,
            crates: Vec::new(),
            files: Vec::new(),
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || {
                let value = words.next().copied();
                value.with_context(|| format!("{word} takes a value; {USAGE}"))
            };
            match *word {
                "--only" => {
                    for name in value()?.split(',') {
                        let part = Part::ALL.iter().find(|(known, _)| *known == name);
                        let (_, part) =
                            part.with_context(|| format!("no such part: {name}; {USAGE}"))?;
                        options.only.push(*part);
                    }
                }
                "--rounds" => match value()?.parse() {
                    Ok(rounds @ 1..=100) => options.rounds = rounds,
                    _ => bail!("--rounds takes a number from 1 to 100; {USAGE}"),
                },
                "--crate" => options.crates.push(value()?.to_owned()),
                "--file" => options.files.push(value()?.to_owned()),
                _ => bail!("no such flag: {word}; {USAGE}"),
            }
        }
        Ok(options)
    }

    pub fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_can_be_chosen_together_or_one_by_one() {
        let all = Options::read(&[]).unwrap();
        assert!(Part::ALL.iter().all(|(_, part)| all.wants(*part)));

        let some = Options::read(&["--only", "dev,checks", "--only", "test", "--rounds", "5"]);
        let some = some.unwrap();
        let wanted = Part::ALL.iter().filter(|(_, part)| some.wants(*part));
        let names: Vec<&str> = wanted.map(|(name, _)| *name).collect();
        assert_eq!(names, ["dev", "test", "checks"]);
        assert_eq!(some.rounds, 5);
    }

    #[test]
    fn wrong_words_are_refused_with_what_is_accepted() {
        for words in [
            &["--only", "bench"][..],
            &["--rounds", "0"],
            &["--file"],
            &["fast"],
        ] {
            let refused = Options::read(words).unwrap_err().to_string();
            assert!(refused.ends_with(USAGE), "{refused}");
        }
    }
}
