//! A format of the output: a row of the table in `formats`.

use std::io;

use anyhow::bail;

use crate::profile::Selection;
use crate::{Content, Document, Shown};
use locktoll_results::merged::Merged;
use locktoll_results::reproduction::Reproduction;

/// An output format.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name for `--format`.
    pub name: &'static str,
    /// Its sentence for `--help`.
    pub summary: &'static str,
    /// Endings of file names that choose it if `--format` does not.
    pub endings: &'static [&'static str],
    /// What it can do with a profile.
    pub profile: OfProfile,
    /// Writes it.
    pub write: Write,
}

/// What a format can do with a profile, in addition to showing its locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfProfile {
    /// Nothing.
    #[default]
    Whole,
    /// It can show another table instead: `--sites`, `--threads` ...
    Tables,
    /// It shows time by the places of one side: `--by`.
    Sides,
    /// The same as bytes that are not for terminals, and as two documents if no side is chosen.
    BinarySides,
    /// It is made from the timeline, as bytes that are not for terminals.
    Timeline,
}

impl OfProfile {
    /// Whether time is shown by the places of one side.
    pub fn has_sides(self) -> bool {
        matches!(self, Self::Sides | Self::BinarySides)
    }

    /// Whether it is not for terminals.
    pub fn is_binary(self) -> bool {
        matches!(self, Self::BinarySides | Self::Timeline)
    }
}

/// How a format is written, and for which results.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Every result.
    Result(fn(&dyn Shown, Place<'_>) -> anyhow::Result<Vec<Document>>),
    /// Profiles.
    Profile(fn(&Selection<'_>, Place<'_>) -> anyhow::Result<Vec<Document>>),
    /// Profiles, as they come, since there may be too much to keep it.
    Stream(fn(&Selection<'_>, &mut dyn io::Write) -> anyhow::Result<()>),
    /// Published claims that were re-run.
    Reproduction(fn(Claims<'_>, Place<'_>) -> anyhow::Result<Vec<Document>>),
}

/// Published claims that were re-run.
#[derive(Clone, Copy, Debug)]
pub enum Claims<'a> {
    /// On one machine.
    OfOne(&'a Reproduction),
    /// On several.
    OfSeveral(&'a Merged),
}

/// The destination of a result.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The number of characters in a line of text.
    pub width: usize,
    /// Whether there is no room for a second document.
    pub holds_one: bool,
    /// The name of the folder for pictures, next to the main document; `None` if there is no room for them.
    pub pictures: Option<&'a str>,
}

/// A result, by its kind, since some formats are only for one kind.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// A result that only has the formats of every result.
    Result(&'a dyn Shown),
    /// A profile.
    Profile(&'a Selection<'a>),
    /// Published claims that were re-run.
    Reproduction(&'a Reproduction),
    /// The same of several machines.
    Merged(&'a Merged),
}

impl Subject<'_> {
    /// Returns the interface that every result has.
    fn shown(&self) -> &dyn Shown {
        match self {
            Self::Result(result) => *result,
            Self::Profile(selection) => *selection,
            Self::Reproduction(result) => *result,
            Self::Merged(result) => *result,
        }
    }
}

#[cfg(test)]
impl Place<'_> {
    /// A file, which can have another next to it.
    pub const FILE: Self = Self {
        width: 100,
        holds_one: false,
        pictures: None,
    };
}

impl Format {
    /// Returns what writes the result, if this format is written as it comes.
    pub fn stream<'s>(
        &self,
        of: Subject<'s>,
    ) -> Option<impl FnOnce(&mut dyn io::Write) -> anyhow::Result<()> + 's> {
        match (self.write, of) {
            (Write::Stream(write), Subject::Profile(selection)) => {
                Some(move |out: &mut dyn io::Write| write(selection, out))
            }
            _ => None,
        }
    }

    /// Returns the result's documents in this format, the main one first. Never empty.
    ///
    /// # Errors
    /// If the result cannot be shown in this format.
    pub fn documents(&self, of: Subject<'_>, place: Place<'_>) -> anyhow::Result<Vec<Document>> {
        match (self.write, of) {
            (Write::Result(write), _) => write(of.shown(), place),
            (Write::Profile(write), Subject::Profile(selection)) => write(selection, place),
            (Write::Stream(write), Subject::Profile(selection)) => {
                let mut bytes = Vec::new();
                write(selection, &mut bytes)?;
                Ok(Document::only(Content::Binary(bytes)))
            }
            (Write::Reproduction(write), Subject::Reproduction(result)) => {
                write(Claims::OfOne(result), place)
            }
            (Write::Reproduction(write), Subject::Merged(result)) => {
                write(Claims::OfSeveral(result), place)
            }
            _ => bail!("{} is not a format of {}", self.name, of.shown().title()),
        }
    }
}
