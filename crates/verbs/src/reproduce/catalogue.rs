//! The sources of descriptions, and the names under which users select them.

use std::path::Path;

use super::description::{Description, parse};
use super::other_systems::System;

/// The name and text of each file of `experiments/`, at the time of the build.
const CARRIED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/experiments.rs"));

/// Descriptions, in the order of their ids.
#[derive(Clone, Debug)]
pub struct Catalogue {
    descriptions: Vec<Description>,
}

impl Catalogue {
    /// Returns the descriptions contained in the binary.
    ///
    /// # Errors
    /// One line about the first invalid description.
    pub fn carried() -> Result<Self, String> {
        Self::carried_on(System::here())
    }

    /// Returns the descriptions contained in the binary, adapted to `system`.
    ///
    /// # Errors
    /// One line about the first invalid description.
    pub fn carried_on(system: System) -> Result<Self, String> {
        Self::of(
            system,
            CARRIED
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned())),
        )
    }

    /// Reads the TOML files of a folder.
    ///
    /// # Errors
    /// One line: the folder cannot be read, there are no such files, or the first one that is invalid.
    pub fn in_folder(folder: &Path) -> Result<Self, String> {
        let shown = folder.display();
        let unreadable = |error: std::io::Error| format!("{shown} cannot be read: {error}");
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|ending| ending == "toml") {
                let text = std::fs::read_to_string(&path)
                    .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
                files.push((path.display().to_string(), text));
            }
        }
        files.sort();
        match files.is_empty() {
            true => Err(format!(
                "{shown} holds no *.toml files; each describes one claim"
            )),
            false => Self::of(System::here(), files.into_iter()),
        }
    }

    fn of(system: System, files: impl Iterator<Item = (String, String)>) -> Result<Self, String> {
        let mut descriptions: Vec<Description> = Vec::new();
        for (name, text) in files {
            let read = parse(&name, &text)?;
            if descriptions.iter().any(|known| known.id == read.id) {
                return Err(format!(
                    "{name}: another file describes the claim {}, too",
                    read.id
                ));
            }
            descriptions.push(read.on(system));
        }
        descriptions.sort_by_key(|described| place(&described.id));
        Ok(Self { descriptions })
    }

    /// Returns the descriptions that `words` name, in the order of their ids: `A5`, `a5`, `A` for all claims of a letter,
    /// `A1..A5`. Without words, returns all.
    ///
    /// # Errors
    /// One line that says what is accepted.
    pub fn named(&self, words: &[String]) -> Result<Vec<&Description>, String> {
        if words.is_empty() {
            return Ok(self.descriptions.iter().collect());
        }
        let mut wanted = vec![false; self.descriptions.len()];
        for word in words.iter().flat_map(|word| word.split(',')) {
            let range = self.range(&word.trim().to_ascii_uppercase());
            let range = range.ok_or_else(|| match self.backwards(word) {
                Some(turned) => format!("the range {word} is backwards; type {turned}"),
                None => format!("there is no claim '{word}'; {}", self.accepted()),
            })?;
            wanted[range].fill(true);
        }
        let named = self.descriptions.iter().zip(wanted);
        Ok(named
            .filter(|(_, wanted)| *wanted)
            .map(|(described, _)| described)
            .collect())
    }

    /// Returns the range in the opposite direction, if that one is valid.
    fn backwards(&self, word: &str) -> Option<String> {
        let word = word.trim().to_ascii_uppercase();
        let (first, last) = word.split_once("..")?;
        let turned = format!("{last}..{first}");
        self.range(&turned)?;
        Some(turned)
    }

    fn range(&self, word: &str) -> Option<std::ops::Range<usize>> {
        let at = |id: &str| {
            self.descriptions
                .iter()
                .position(|described| described.id == id)
        };
        if let Some((first, last)) = word.split_once("..").or_else(|| word.split_once('-')) {
            let first_at = at(first)?;
            // `A1..5` means the same as `A1..A5`.
            let last_at = at(last).or_else(|| at(&format!("{}{last}", &first[..1])))?;
            return (first_at <= last_at).then_some(first_at..last_at + 1);
        }
        if word.len() == 1 {
            let begins = |described: &Description| described.id.starts_with(word);
            let first = self.descriptions.iter().position(begins)?;
            let last = self.descriptions.iter().rposition(begins)?;
            return Some(first..last + 1);
        }
        at(word).map(|index| index..index + 1)
    }

    /// Lists what can be named: `A1 to A12, B1 to B9`.
    fn accepted(&self) -> String {
        let mut spans: Vec<(&str, &str)> = Vec::new();
        for described in &self.descriptions {
            let id = described.id.as_str();
            match spans.last_mut() {
                Some((first, last)) if first[..1] == id[..1] => *last = id,
                _ => spans.push((id, id)),
            }
        }
        let spans: Vec<String> = spans
            .iter()
            .map(|(first, last)| match first == last {
                true => (*first).to_owned(),
                false => format!("{first} to {last}"),
            })
            .collect();
        format!(
            "accepted: {}; a letter alone, such as A, for all its claims; ranges such as A1..A5",
            spans.join(", ")
        )
    }
}

/// Returns the ids of the claims contained in the binary.
pub fn claim_ids() -> Vec<String> {
    let claims = Catalogue::carried()
        .map(|it| it.descriptions)
        .unwrap_or_default();
    claims.into_iter().map(|it| it.id).collect()
}

/// Returns a sort key that puts `A2` before `A10`. Ids of saved results may be any text.
pub(super) fn place(id: &str) -> (String, u32) {
    let behind = id.chars().next().map_or(0, char::len_utf8);
    let (letter, number) = id.split_at(behind);
    (letter.to_owned(), number.parse().unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Catalogue {
        let file = |id: &str| {
            let text = format!(
                "id = \"{id}\"\ntitle = \"t\"\nclaim = \"c\"\nnot_yet = \"later\"\n\
                 [source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n"
            );
            (format!("{id}.toml"), text)
        };
        Catalogue::of(
            System::Linux,
            ["A10", "B1", "A2", "A1"].into_iter().map(file),
        )
        .unwrap()
    }

    fn named(words: &[&str]) -> Result<String, String> {
        let catalogue = catalogue();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let named = catalogue.named(&words)?;
        Ok(named
            .iter()
            .map(|described| described.id.as_str())
            .collect::<Vec<_>>()
            .join(" "))
    }

    #[test]
    fn what_an_impatient_expert_types_is_understood() {
        for (words, ids) in [
            (&[][..], "A1 A2 A10 B1"),
            (&["a10"], "A10"),
            (&["b1", "A2"], "A2 B1"),
            (&["a"], "A1 A2 A10"),
            (&["A1..A2"], "A1 A2"),
            (&["a2..10"], "A2 A10"),
            (&["A1-B1"], "A1 A2 A10 B1"),
            (&["A1,B1", "A1"], "A1 B1"),
        ] {
            assert_eq!(named(words).as_deref(), Ok(ids), "{words:?}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_what_there_is() {
        assert_eq!(
            named(&["a2..A1"]).unwrap_err(),
            "the range a2..A1 is backwards; type A1..A2"
        );
        for word in ["A3", "C", "", "1", "..", "A..B", "\u{e4}1"] {
            let wrong = named(&[word]).expect_err(word);
            assert!(wrong.contains("accepted: A1 to A10, B1;"), "{wrong}");
        }
    }

    #[test]
    fn every_row_of_the_published_claims_is_there() {
        let carried = Catalogue::carried().unwrap();
        let rows = [('A', 12), ('B', 9), ('C', 5), ('D', 5), ('E', 17)];
        for (letter, last) in rows {
            for number in 1..=last {
                let id = format!("{letter}{number}");
                assert!(carried.named(std::slice::from_ref(&id)).is_ok(), "{id}");
            }
        }
    }
}
