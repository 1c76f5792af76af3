//! Which form was asked for, and whether it can do what was asked of it.

use std::path::Path;

use crate::cli::{ProfileFormat, ReportArgs};
use crate::exit::Failure;
use crate::report::Html;
use crate::report::{Csv, Folded, Form, Json, Pprof, Side, Svg, Text, View};
use crate::target::{Goes, Target};

/// A form and its knobs.
#[derive(Debug)]
pub struct Request {
    /// The form.
    pub format: ProfileFormat,
    view: View,
    side: Option<Side>,
}

/// Endings that stand for a form where `--format` does not.
const ENDINGS: [(&str, ProfileFormat); 9] = [
    (".json", ProfileFormat::Json),
    (".html", ProfileFormat::Html),
    (".htm", ProfileFormat::Html),
    (".csv", ProfileFormat::Csv),
    (".pb.gz", ProfileFormat::Pprof),
    (".pprof", ProfileFormat::Pprof),
    (".folded", ProfileFormat::Folded),
    (".collapsed", ProfileFormat::Folded),
    (".svg", ProfileFormat::Svg),
];

impl Request {
    /// What the flags ask for.
    ///
    /// # Errors
    /// [`Failure::Usage`] where the form has no use for a flag: it would be silently without effect.
    pub fn of(args: &ReportArgs) -> Result<Self, Failure> {
        let format = match args.format {
            Some(format) => format,
            None if args.json => ProfileFormat::Json,
            None => args
                .output
                .as_deref()
                .map_or(ProfileFormat::Text, by_ending),
        };
        let view = args.tables.view();
        let has_tables = matches!(format, ProfileFormat::Text | ProfileFormat::Csv);
        if view != View::Locks && !has_tables {
            return Err(Failure::Usage(
                "--sites, --blame, --stacks and --threads are tables of --format text and csv; \
                 html and json have all of them, and pprof, folded and svg are made of stacks"
                    .to_owned(),
            ));
        }
        let has_sides = matches!(
            format,
            ProfileFormat::Pprof | ProfileFormat::Folded | ProfileFormat::Svg
        );
        if args.by.is_some() && !has_sides {
            return Err(Failure::Usage(
                "--by is for --format pprof, folded and svg; text and csv show waiters and holders \
                 together with --blame"
                    .to_owned(),
            ));
        }
        Ok(Self {
            format,
            view,
            side: args.by,
        })
    }

    /// The form, made for where it goes.
    pub fn form(&self, target: &Target<'_>) -> Box<dyn Form> {
        let view = self.view;
        let side = self.side.unwrap_or(Side::Waiter);
        match self.format {
            ProfileFormat::Text => Box::new(Text {
                view,
                width: target.line_width(),
            }),
            ProfileFormat::Html => Box::new(Html),
            ProfileFormat::Json => Box::new(Json),
            ProfileFormat::Csv => Box::new(Csv { view }),
            ProfileFormat::Pprof if target.holds_one() => Box::new(Pprof { side: Some(side) }),
            ProfileFormat::Pprof => Box::new(Pprof { side: self.side }),
            ProfileFormat::Folded => Box::new(Folded { side }),
            ProfileFormat::Svg => Box::new(Svg { side }),
        }
    }

    /// What is going to be put somewhere.
    pub fn goes(&self) -> Goes {
        let binary = self.format == ProfileFormat::Pprof;
        Goes {
            binary,
            second: binary && self.side.is_none(),
        }
    }
}

fn by_ending(output: &Path) -> ProfileFormat {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let ending = ENDINGS.iter().find(|(ending, _)| name.ends_with(ending));
    ending.map_or(ProfileFormat::Text, |(_, format)| *format)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Verb};
    use clap::Parser;

    fn request(words: &str) -> Result<Request, Failure> {
        let words = ["locktoll", "report", "r"]
            .into_iter()
            .chain(words.split_whitespace());
        match Cli::try_parse_from(words).unwrap().verb {
            Verb::Report(args) => Request::of(&args),
            other => panic!("{other:?} is not a report"),
        }
    }

    #[test]
    fn the_form_is_the_one_asked_for_else_the_one_of_the_ending() {
        for (words, format) in [
            ("", ProfileFormat::Text),
            ("--json", ProfileFormat::Json),
            ("-o x.SVG", ProfileFormat::Svg),
            ("-o a.b/x.pb.gz", ProfileFormat::Pprof),
            ("-o x.csv --format json", ProfileFormat::Json),
            ("-o x.HTML", ProfileFormat::Html),
            ("-o x.htm", ProfileFormat::Html),
            ("-o x.txt", ProfileFormat::Text),
            ("-o csv", ProfileFormat::Text),
        ] {
            assert_eq!(request(words).unwrap().format, format, "{words}");
        }
    }

    #[test]
    fn flags_without_effect_are_refused() {
        for words in [
            "--json --threads",
            "--format html --sites",
            "--format svg --sites",
            "--by holder",
            "--format csv --by waiter",
        ] {
            assert!(matches!(request(words), Err(Failure::Usage(_))), "{words}");
        }
        for words in [
            "--format csv --threads",
            "--blame",
            "--format folded --by holder",
        ] {
            assert!(request(words).is_ok(), "{words}");
        }
    }
}
