//! The words after `cargo xtask tollgate`.

use std::path::PathBuf;

use anyhow::bail;

use super::lines::{GROUPS, Line, lines};

#[derive(Debug)]
pub struct Options {
    /// Fewer cells, shorter slices, fewer rounds.
    pub quick: bool,
    /// The file that the JSON goes to.
    pub json: Option<PathBuf>,
    pub lines: Vec<Line>,
    /// Interleaved rounds, if not each run's own number.
    pub rounds: Option<u32>,
}

const USAGE: &str = "accepted: [--quick] [--rounds N] [--json FILE] [CELL...]";

pub fn read(words: &[&str]) -> anyhow::Result<Options> {
    let (mut quick, mut json, mut rounds) = (false, None, None);
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
    for name in &names {
        if lines(quick, &[name]).is_empty() {
            if quick && !lines(false, &[name]).is_empty() {
                bail!("the cell {name} is not in a --quick run");
            }
            bail!(
                "no cell {name}; there are {}, and parts of them such as no-think/list/8, holds/10us or condition/broadcast",
                GROUPS.map(|group| group.name).join(", ")
            );
        }
    }
    Ok(Options {
        quick,
        json,
        lines: lines(quick, &names),
        rounds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_and_flags_may_stand_anywhere() {
        let words = [
            "holds/10us",
            "--quick",
            "hogs",
            "--json",
            "a.json",
            "--rounds",
            "3",
        ];
        let options = read(&words).unwrap();
        assert!(options.quick);
        assert_eq!(options.json.unwrap().to_str(), Some("a.json"));
        assert_eq!(options.rounds, Some(3));
        let groups: Vec<&str> = options.lines.iter().map(|line| line.group.name).collect();
        assert_eq!(groups, [["holds"; 8].as_slice(), &["hogs"; 2]].concat());
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
            let refusal = read(words).unwrap_err().to_string();
            assert!(refusal.contains(says), "{refusal}");
            assert_eq!(refusal.lines().count(), 1);
        }
    }
}
