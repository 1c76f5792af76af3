//! Flags for the format and the destination of a result.

use std::path::PathBuf;

use clap::Args;

use locktoll_shown::{Choice, Formats};

/// The format of a result and its place.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
    /// Format of the result [default: by the ending of OUT, else text].
    #[arg(long, value_parser = Formats::OfResults.parser(), help_heading = "Output")]
    pub format: Option<Choice>,
    /// Short for `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Write the result to a file instead of standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

impl OutputArgs {
    /// Returns why the ending of the file's name is refused, if it is.
    pub fn refusal(&self) -> Option<String> {
        Formats::OfResults.refusal(self.format, self.json, self.output.as_deref())
    }

    /// Returns the format that the flags ask for.
    pub fn format(&self) -> Choice {
        Formats::OfResults.choose(self.format, self.json, self.output.as_deref())
    }
}
