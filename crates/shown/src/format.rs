//! A format of the output: a row of the table in `formats`.

use anyhow::bail;

use crate::profile::Selection;
use crate::{Document, Shown};
use locktoll_results::reproduction::Reproduction;

/// A format of the output.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Its name in `--format`.
    pub name: &'static str,
    /// Its sentence in `--help`.
    pub summary: &'static str,
    /// Endings of file names that choose it where `--format` does not.
    pub endings: &'static [&'static str],
    /// What it can do with a profile.
    pub profile: OfProfile,
    /// Writes it.
    pub write: Write,
}

/// What a format can do with a profile, besides showing its locks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OfProfile {
    /// Nothing.
    #[default]
    Whole,
    /// It shows another table instead: `--sites`, `--threads` ...
    Tables,
    /// It shows time under the places of one side: `--by`.
    Sides,
    /// The same in bytes that are not for terminals, and in two documents where no side is chosen.
    BinarySides,
}

impl OfProfile {
    /// Whether time is shown under the places of one side.
    pub fn has_sides(self) -> bool {
        matches!(self, Self::Sides | Self::BinarySides)
    }
}

/// How a format is written, and which results it is for.
#[derive(Clone, Copy, Debug)]
pub enum Write {
    /// Every result.
    Result(fn(&dyn Shown, Place) -> anyhow::Result<Vec<Document>>),
    /// Profiles.
    Profile(fn(&Selection<'_>, Place) -> anyhow::Result<Vec<Document>>),
    /// Published claims that were run again.
    Reproduction(fn(&Reproduction, Place) -> anyhow::Result<Vec<Document>>),
}

/// The place that a result is written for.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Characters in a line of text.
    pub width: usize,
    /// Whether it has no room for a second document.
    pub holds_one: bool,
}

/// A result, as itself where some formats are for its kind alone.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    /// One that has the formats of every result.
    Result(&'a dyn Shown),
    /// A profile.
    Profile(&'a Selection<'a>),
    /// Published claims that were run again.
    Reproduction(&'a Reproduction),
}

impl Subject<'_> {
    /// What every result has.
    fn shown(&self) -> &dyn Shown {
        match self {
            Self::Result(result) => *result,
            Self::Profile(selection) => *selection,
            Self::Reproduction(result) => *result,
        }
    }
}

#[cfg(test)]
impl Place {
    /// A file, which has room for another next to it.
    pub const FILE: Self = Self {
        width: 100,
        holds_one: false,
    };
}

impl Format {
    /// The documents that the result consists of in this format, the main one first. Never empty.
    ///
    /// # Errors
    /// If the result cannot be shown in this format.
    pub fn documents(&self, of: Subject<'_>, place: Place) -> anyhow::Result<Vec<Document>> {
        match (self.write, of) {
            (Write::Result(write), _) => write(of.shown(), place),
            (Write::Profile(write), Subject::Profile(selection)) => write(selection, place),
            (Write::Reproduction(write), Subject::Reproduction(result)) => write(result, place),
            _ => bail!("{} is not a format of {}", self.name, of.shown().title()),
        }
    }
}
