//! Flags of `locktoll reproduce`.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::values::{OutputArgs, ResultFormat};
use crate::system::help;

/// Flags of `locktoll reproduce`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReproduceArgs {
    /// Claims to run: ids (A5), letters for all of theirs (A), ranges (A1..A5) [default: all].
    #[arg(value_name = "ID", value_hint = ValueHint::Other)]
    pub claims: Vec<String>,
    /// Name every claim with its time and its last verdict, and stop.
    #[arg(long)]
    pub list: bool,
    /// Begin anew: take no verdict from an earlier run.
    #[arg(long, visible_alias = "again")]
    pub fresh: bool,
    /// Where finished claims are kept.
    #[arg(long, value_name = "FILE", help = format!(
        "Where finished claims are kept, so that the same command goes on where it was interrupted [default: a file for this \
         machine and version under {}]",
        help::STATE_FOLDER
    ))]
    pub state: Option<PathBuf>,
    /// Read the claims from a folder of TOML files instead of those carried by the program.
    #[arg(long, value_name = "DIR")]
    pub experiments: Option<PathBuf>,
    /// The form of the result [default: by the ending of OUT, else text].
    #[arg(long, value_enum, help_heading = "Output")]
    pub format: Option<ReproduceFormat>,
    /// Short for `--format json`: one document on standard output, schema locktoll.reproduce/1.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Write the result to a file instead of standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
EXAMPLES
  locktoll reproduce --list                the claims, how long each takes, what was found
  locktoll reproduce A5 E4                 two of them
  locktoll reproduce B                     all from one publication
  locktoll reproduce                       all, within 15 minutes; go on after Ctrl-C by the same words
  locktoll reproduce -o claims.html        what was found, as a page (measures what is missing)";

/// The forms a reproduction can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReproduceFormat {
    /// A page for a terminal.
    Text,
    /// One document with a versioned schema.
    Json,
    /// A page for a browser: one file, which needs no network.
    Html,
    /// A page for a repository: a table and the evidence of each claim.
    Markdown,
}

impl ReproduceArgs {
    /// The form that is wanted.
    pub fn format(&self) -> ReproduceFormat {
        let by_ending = |output: &PathBuf| {
            output
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
        };
        match self.format {
            Some(format) => format,
            None if !self.json && self.output.as_ref().is_some_and(by_ending) => {
                ReproduceFormat::Markdown
            }
            None => match self.output().format() {
                ResultFormat::Text => ReproduceFormat::Text,
                ResultFormat::Json => ReproduceFormat::Json,
                ResultFormat::Html => ReproduceFormat::Html,
            },
        }
    }

    /// The same flags as the other verbs have them; Markdown, which those do not know, counts as text.
    pub fn output(&self) -> OutputArgs {
        OutputArgs {
            format: self.format.map(|format| match format {
                ReproduceFormat::Text | ReproduceFormat::Markdown => ResultFormat::Text,
                ReproduceFormat::Json => ResultFormat::Json,
                ReproduceFormat::Html => ResultFormat::Html,
            }),
            json: self.json,
            output: self.output.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_one_asked_for_else_the_one_of_the_ending() {
        let of = |format, json, output: Option<&str>| {
            ReproduceArgs {
                claims: Vec::new(),
                list: false,
                fresh: false,
                state: None,
                experiments: None,
                format,
                json,
                output: output.map(PathBuf::from),
            }
            .format()
        };
        assert_eq!(of(None, false, None), ReproduceFormat::Text);
        assert_eq!(
            of(None, false, Some("RESULTS.md")),
            ReproduceFormat::Markdown
        );
        assert_eq!(of(None, true, Some("RESULTS.md")), ReproduceFormat::Json);
        assert_eq!(of(None, false, Some("claims.html")), ReproduceFormat::Html);
        assert_eq!(
            of(Some(ReproduceFormat::Text), false, Some("x.md")),
            ReproduceFormat::Text
        );
    }
}
