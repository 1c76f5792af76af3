//! Flags that say in which form a result is wanted, and where.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

/// The form of a result and its place.
#[derive(Clone, Debug, Default, Args)]
pub struct OutputArgs {
    /// The form of the result [default: by the ending of OUT, else text].
    #[arg(long, value_enum, help_heading = "Output")]
    pub format: Option<ResultFormat>,
    /// Short for `--format json`: one document on standard output.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub json: bool,
    /// Write the result to a file instead of standard output.
    #[arg(short, long, value_name = "OUT", help_heading = "Output")]
    pub output: Option<PathBuf>,
}

/// The forms a result can take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    /// A page for a terminal.
    Text,
    /// One document with a versioned schema.
    Json,
    /// A page for a browser: one file, which needs no network.
    Html,
}

impl OutputArgs {
    /// The form that is wanted.
    pub fn format(&self) -> ResultFormat {
        match self.format {
            Some(format) => format,
            None if self.json => ResultFormat::Json,
            None => self.output.as_deref().map_or(ResultFormat::Text, by_ending),
        }
    }
}

fn by_ending(output: &Path) -> ResultFormat {
    let ending = output.extension().map(|e| e.to_ascii_lowercase());
    match ending.as_ref().and_then(|ending| ending.to_str()) {
        Some("json") => ResultFormat::Json,
        Some("html" | "htm") => ResultFormat::Html,
        _ => ResultFormat::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_one_asked_for_else_the_one_of_the_ending() {
        let of = |format, json, output: Option<&str>| {
            OutputArgs {
                format,
                json,
                output: output.map(PathBuf::from),
            }
            .format()
        };
        assert_eq!(of(None, false, None), ResultFormat::Text);
        assert_eq!(of(None, true, Some("x.html")), ResultFormat::Json);
        assert_eq!(of(None, false, Some("a.b/x.HTML")), ResultFormat::Html);
        assert_eq!(of(None, false, Some("x.json")), ResultFormat::Json);
        assert_eq!(of(None, false, Some("json")), ResultFormat::Text);
        assert_eq!(
            of(Some(ResultFormat::Text), false, Some("x.json")),
            ResultFormat::Text
        );
    }
}
