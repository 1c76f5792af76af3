//! Chooses the format: by its name, otherwise by the ending of the file's name, otherwise text.

use std::path::Path;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::format::Write;
use crate::formats::FORMATS;
use crate::{Format, OfProfile};
use locktoll_terminal::escape::shown_text;

/// A format from the table.
pub type Choice = &'static Format;

/// The name of a format that verbs ask for.
pub const TEXT: &str = "text";
/// As [`TEXT`].
pub const JSON: &str = "json";
/// As [`TEXT`].
pub const HTML: &str = "html";

/// Endings of files that hold text for people.
const PLAIN: [&str; 4] = ["txt", "text", "log", "out"];

/// Formats that a verb can choose from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formats {
    /// The formats of every result.
    OfResults,
    /// Those, and the formats for profiles only.
    OfProfiles,
    /// Those, and the formats for published claims only.
    OfReproductions,
}

impl Formats {
    /// Iterates over the formats, in the order of the table.
    pub fn iter(self) -> impl Iterator<Item = Choice> {
        let has = move |format: &Choice| match format.write {
            Write::Result(_) => true,
            Write::Profile(_) | Write::Stream(_) => self == Self::OfProfiles,
            Write::Reproduction(_) => self == Self::OfReproductions,
        };
        FORMATS.iter().copied().filter(has)
    }

    /// Returns the parser for the value of `--format`.
    pub fn parser(self) -> impl TypedValueParser<Value = Choice> {
        let values = self
            .iter()
            .map(|it| PossibleValue::new(it.name).help(it.summary));
        PossibleValuesParser::new(values).map(|name| named(&name))
    }

    /// Chooses the format from the flags: `--format`, `--json`, `-o`.
    pub fn choose(self, format: Option<Choice>, json: bool, output: Option<&Path>) -> Choice {
        match (format, output) {
            (Some(format), _) => format,
            (None, _) if json => named(JSON),
            (None, Some(output)) => self.by_ending(output).unwrap_or_else(|| named(TEXT)),
            (None, None) => named(TEXT),
        }
    }

    /// Says why text does not match what a file of this name promises. Returns `None` if it does, or if a format was named.
    pub fn refusal(
        self,
        format: Option<Choice>,
        json: bool,
        output: Option<&Path>,
    ) -> Option<String> {
        let output = output.filter(|path| path.as_os_str() != "-")?;
        if format.is_some() || json || self.by_ending(output).is_some() {
            return None;
        }
        let ending = output.extension()?.to_string_lossy().to_ascii_lowercase();
        if PLAIN.contains(&ending.as_str()) {
            return None;
        }
        let endings: Vec<&str> = self
            .iter()
            .flat_map(|it| it.endings.iter().copied())
            .collect();
        Some(format!(
            "no format uses the extension .{}; accepted: {}, and .txt for text; or name the format with --format",
            shown_text(&ending),
            endings.join(", ")
        ))
    }

    fn by_ending(self, output: &Path) -> Option<Choice> {
        let name = output.file_name()?.to_string_lossy().to_ascii_lowercase();
        self.iter()
            .find(|format| format.endings.iter().any(|it| name.ends_with(it)))
    }
}

/// Returns the format with this name.
///
/// # Panics
/// If there is none.
pub fn named(name: &str) -> Choice {
    let found = FORMATS.iter().find(|format| format.name == name);
    found.unwrap_or_else(|| panic!("{name} is not in the table of formats"))
}

/// Lists the names of the formats that `is_meant`, as in a sentence: `csv, pprof and svg`.
pub fn listed(is_meant: impl Fn(&Format) -> bool) -> String {
    let names: Vec<&str> = FORMATS
        .iter()
        .filter(|format| is_meant(format))
        .map(|format| format.name)
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.concat(),
    }
}

impl Format {
    /// Whether it is only for profiles.
    pub fn is_for_profiles_alone(&self) -> bool {
        matches!(self.write, Write::Profile(_) | Write::Stream(_))
    }

    /// Whether it puts pictures into a folder next to the page.
    pub fn has_pictures(&self) -> bool {
        matches!(self.write, Write::Reproduction(_))
    }

    /// Whether it can show the tables of a profile.
    pub fn has_tables(&self) -> bool {
        self.profile == OfProfile::Tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by_name(formats: Formats, name: &str) -> &'static str {
        formats.choose(None, false, Some(Path::new(name))).name
    }

    #[test]
    fn no_two_formats_share_a_name_or_an_ending() {
        let mut seen: Vec<&str> = Vec::new();
        for format in FORMATS {
            for word in [format.name].iter().chain(format.endings) {
                assert!(!seen.contains(word), "{word}");
                seen.push(word);
            }
            assert!(format.endings.iter().all(|it| it.starts_with('.')));
        }
    }

    #[test]
    fn the_format_is_the_one_asked_for_else_the_one_of_the_ending() {
        let all = Formats::OfProfiles;
        let out = Some(Path::new("x.csv"));
        assert_eq!(all.choose(None, false, None).name, "text");
        assert_eq!(all.choose(None, true, out).name, "json");
        assert_eq!(all.choose(Some(named("svg")), false, out).name, "svg");
        for (name, format) in [
            ("x.SVG", "svg"),
            ("a.b/x.pb.gz", "pprof"),
            ("x.pprof", "pprof"),
            ("x.HTML", "html"),
            ("x.htm", "html"),
            ("x.folded", "folded"),
            ("x.collapsed", "folded"),
            ("x.json", "json"),
            ("x.txt", "text"),
            ("csv", "text"),
            ("x.md", "text"),
        ] {
            assert_eq!(by_name(all, name), format, "{name}");
        }
    }

    #[test]
    fn an_ending_that_promises_something_else_is_refused() {
        let refusal = |name: &str| Formats::OfResults.refusal(None, false, Some(Path::new(name)));
        for name in ["x.pdf", "x.xml", "x.csv", "a.b/x.md"] {
            let text = refusal(name).unwrap();
            assert!(
                text.contains(".html") && text.contains("--format"),
                "{text}"
            );
        }
        for name in [
            "x",
            "x.txt",
            "x.html",
            "x.json",
            "-",
            "/dev/stdout",
            "dir.pdf/x",
        ] {
            assert_eq!(refusal(name), None, "{name}");
        }
        let json = Some(named("json"));
        assert_eq!(
            Formats::OfResults.refusal(json, false, Some(Path::new("x.pdf"))),
            None
        );
    }

    #[test]
    fn a_verb_chooses_only_from_formats_of_its_results() {
        assert_eq!(by_name(Formats::OfResults, "x.csv"), "text");
        assert_eq!(by_name(Formats::OfResults, "a.b/x.HTML"), "html");
        assert_eq!(by_name(Formats::OfReproductions, "RESULTS.md"), "markdown");
        let names: Vec<&str> = Formats::OfResults.iter().map(|it| it.name).collect();
        assert_eq!(names, ["text", "html", "json"]);
    }
}
