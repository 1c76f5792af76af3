//! Flags that say in which format a result is wanted, and where.

use std::path::PathBuf;

use clap::Args;

use locktoll_shown::{Choice, Formats};

/// The format of a result and its place.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
    /// The form of the result [default: by the ending of OUT, else text].
    #[arg(long, value_parser = Formats::OfResults.parser(), help_heading = "Output")]
    pub format: Option<Choice>,
    /// Short for `--format json`: one document on standard output.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Write the result to a file instead of standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

impl OutputArgs {
    /// The format that is wanted.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, self.output.as_deref())
    }
}
