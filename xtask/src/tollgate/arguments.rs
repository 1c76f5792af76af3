//! The words after `cargo xtask tollgate`.

use std::path::PathBuf;

use anyhow::bail;

use super::cell::{self, Cell};

/// What was asked for.
#[derive(Debug)]
pub struct Wishes {
    /// Fewer cells, shorter slices, fewer rounds.
    pub quick: bool,
    /// Where the JSON goes.
    pub json: Option<PathBuf>,
    /// The cells to print.
    pub cells: Vec<Cell>,
    /// Interleaved rounds, where the number is not the run's own.
    pub rounds: Option<u32>,
}

const USAGE: &str = "accepted: [--quick] [--rounds N] [--json FILE] [CELL...]";

/// Reads the words.
pub fn read(words: &[&str]) -> anyhow::Result<Wishes> {
    let mut quick = false;
    let mut json = None;
    let mut rounds = None;
    let mut names = Vec::new();
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--quick" => quick = true,
            "--json" => match words.next() {
                Some(file) => json = Some(PathBuf::from(file)),
                None => bail!("--json takes the name of a file; {USAGE}"),
            },
            "--rounds" => match words.next().and_then(|number| number.parse().ok()) {
                Some(number @ 1..=1000) => rounds = Some(number),
                _ => bail!(
                    "--rounds takes a number from 1 to 1000 (6 or more give intervals of 95 %); {USAGE}"
                ),
            },
            _ if word.starts_with('-') => bail!("no such flag: {word}; {USAGE}"),
            name => names.push(name),
        }
    }
    let all = cell::all(quick);
    for name in &names {
        if !all.iter().any(|cell| cell.is_meant_by(name)) {
            bail!("{}", unknown(name, quick, &all));
        }
    }
    let is_wanted =
        |cell: &Cell| names.is_empty() || names.iter().any(|name| cell.is_meant_by(name));
    Ok(Wishes {
        quick,
        json,
        rounds,
        cells: all.into_iter().filter(is_wanted).collect(),
    })
}

fn unknown(name: &str, quick: bool, all: &[Cell]) -> String {
    let mut rows: Vec<&str> = all.iter().map(|cell| cell.group.name()).collect();
    rows.dedup();
    let only_in_full = quick && cell::all(false).iter().any(|cell| cell.is_meant_by(name));
    if only_in_full {
        return format!("the cell {name} is not in a --quick run");
    }
    format!(
        "no cell {name}; there are {}, and parts of them such as no-think/list/8, holds/10us or condition/broadcast",
        rows.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::super::group::Group;
    use super::*;

    fn refusal(words: &[&str]) -> String {
        read(words).expect_err("is refused").to_string()
    }

    #[test]
    fn no_word_is_everything() {
        let wishes = read(&[]).unwrap();
        assert!(!wishes.quick && wishes.json.is_none() && wishes.rounds.is_none());
        assert_eq!(wishes.cells.len(), cell::all(false).len());
    }

    #[test]
    fn words_choose_and_flags_may_stand_anywhere() {
        let wishes = read(&[
            "holds/10us",
            "--quick",
            "hogs",
            "--json",
            "a.json",
            "--rounds",
            "3",
        ])
        .unwrap();
        assert!(wishes.quick);
        assert_eq!(wishes.json.unwrap().to_str(), Some("a.json"));
        assert_eq!(wishes.rounds, Some(3));
        let groups: Vec<Group> = wishes.cells.iter().map(|cell| cell.group).collect();
        assert_eq!(
            groups,
            [Group::Holds, Group::Holds, Group::Holds, Group::Hogs]
        );
    }

    #[test]
    fn what_is_wrong_is_said_in_one_line_with_what_is_accepted() {
        for (words, says) in [
            (&["--fast"][..], "--quick"),
            (&["--json"], "FILE"),
            (&["--rounds", "0"], "1 to 1000"),
            (&["--rounds", "many"], "1 to 1000"),
            (&["queue"], "uncontended, no-think"),
            (&["--quick", "no-think/list/16"], "not in a --quick run"),
        ] {
            let refusal = refusal(words);
            assert!(refusal.contains(says), "{refusal}");
            assert_eq!(refusal.lines().count(), 1);
        }
    }
}
