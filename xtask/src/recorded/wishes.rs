//! What a task is asked for: `[--exact] [--timeline] [--rounds=N] [WORD...]`.

use anyhow::{bail, ensure};

/// Rounds when not told: the interval of a median is then worth more than 95 %.
const ROUNDS: usize = 9;

/// What a task is asked for.
pub struct Wishes {
    /// Time every hold.
    pub exact: bool,
    /// Compare recordings with a timeline and without one, instead of recorded and bare runs.
    pub timeline: bool,
    pub rounds: usize,
    words: Vec<String>,
}

impl Wishes {
    /// Reads the words after the task's name.
    ///
    /// # Errors
    /// If one of them means nothing, or there are too few rounds for an interval.
    pub fn of(words: &[&str]) -> anyhow::Result<Self> {
        let mut wishes = Self {
            exact: false,
            timeline: false,
            rounds: ROUNDS,
            words: Vec::new(),
        };
        for word in words {
            match (word.strip_prefix("--rounds="), *word) {
                (Some(rounds), _) => wishes.rounds = rounds.parse()?,
                (None, "--exact") => wishes.exact = true,
                (None, "--timeline") => wishes.timeline = true,
                (None, other) if other.starts_with('-') => {
                    bail!("{other} is not known; known are --exact, --timeline and --rounds=N")
                }
                (None, part_of_name) => wishes.words.push(part_of_name.to_owned()),
            }
        }
        ensure!(
            wishes.rounds >= 6,
            "an interval of 95 % takes 6 rounds or more"
        );
        Ok(wishes)
    }

    /// Whether the subject of that name is wanted: all are if none was named.
    pub fn includes(&self, name: &str) -> bool {
        self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()))
    }
}
