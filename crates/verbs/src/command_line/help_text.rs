//! The text below a verb's flags: its examples, then everything else. Both are written by hand in lines of any length and folded
//! once, here, to the width of the terminal.

use locktoll_terminal::fold;

/// The text of a verb.
pub struct HelpText {
    /// Commands with a few words each, below `EXAMPLES`; empty if there are none.
    pub examples: String,
    /// The rest of the text.
    pub rest: String,
}

/// A stretch of lines that belong together.
#[derive(Debug, PartialEq, Eq)]
pub enum Piece {
    /// `WHAT IS COMPARED`.
    Heading(String),
    /// A paragraph, after so many spaces.
    Prose(usize, String),
    /// A line whose spaces mean something: a table, a command.
    Line(String),
    /// An empty line.
    Gap,
}

impl HelpText {
    /// Splits a text into examples and rest.
    pub fn of(text: &str) -> Self {
        let text = text.trim();
        match text.starts_with("EXAMPLES") {
            true => {
                let (examples, rest) = text.split_once("\n\n").unwrap_or((text, ""));
                Self {
                    examples: examples.to_owned(),
                    rest: rest.trim().to_owned(),
                }
            }
            false => Self {
                examples: String::new(),
                rest: text.to_owned(),
            },
        }
    }

    /// Returns the first example, without its explanation.
    pub fn first_example(&self) -> Option<&str> {
        let line = self.examples.lines().nth(1)?.trim();
        Some(line.split("  ").next().unwrap_or(line))
    }

    /// Returns the first example that has all of these flags, on one line and without its explanation. Words that are not flags
    /// are ignored.
    pub fn example_with(&self, flags: &[&str]) -> Option<String> {
        let flags = || flags.iter().filter(|flag| flag.starts_with('-'));
        let mut lines = self.examples.lines().skip(1).map(str::trim);
        while let Some(line) = lines.next() {
            let mut example = line.split("  ").next().unwrap_or(line).to_owned();
            while let Some(begun) = example.strip_suffix('\\') {
                example = format!("{begun}{}", lines.next().unwrap_or_default());
            }
            if flags().all(|flag| example.split(' ').any(|word| word == *flag)) {
                return Some(example);
            }
        }
        None
    }
}

/// Splits the text into pieces: the lines of a paragraph are one piece.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for line in text.lines() {
        let words = line.trim();
        let indent = line.len() - line.trim_start().len();
        let piece = match words {
            "" => Piece::Gap,
            _ if indent == 0 && is_heading(words) => Piece::Heading(words.to_owned()),
            _ if indent > 2 || words.contains("  ") || words.starts_with("locktoll ") => {
                Piece::Line(line.trim_end().to_owned())
            }
            _ => Piece::Prose(indent, words.to_owned()),
        };
        match (pieces.last_mut(), piece) {
            (Some(Piece::Prose(before, so_far)), Piece::Prose(indent, words))
                if *before == indent =>
            {
                so_far.push(' ');
                so_far.push_str(&words);
            }
            (_, piece) => pieces.push(piece),
        }
    }
    pieces
}

/// Whether the line is a heading: one word in capitals, or a line that begins with two such words.
fn is_heading(line: &str) -> bool {
    let capital = |word: &str| word.len() > 1 && word.chars().all(|it| it.is_ascii_uppercase());
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some(only), None) => capital(only),
        (Some(first), Some(second)) => capital(first) && capital(second),
        _ => false,
    }
}

/// Folds the text into lines of `width` characters.
pub fn folded(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for piece in pieces(text) {
        match piece {
            Piece::Gap => lines.push(String::new()),
            Piece::Heading(words) => lines.extend(fold::lines("", &words, width)),
            Piece::Prose(indent, words) => {
                lines.extend(fold::lines(&" ".repeat(indent), &words, width))
            }
            Piece::Line(line) => lines.extend(fitted(&line, width)),
        }
    }
    lines.join("\n")
}

/// Splits a line of two columns that is too long: the right column goes on the next line. A command continues after a backslash,
/// so that it can be copied.
fn fitted(line: &str, width: usize) -> Vec<String> {
    const BELOW: &str = "      ";
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let indent = line.len() - line.trim_start().len();
    let words = line.trim_start();
    match words.split_once("  ") {
        Some((left, right)) if !right.trim().is_empty() => {
            let mut lines = continued(&format!("{}{left}", &line[..indent]), width);
            lines.extend(fold::lines(BELOW, right.trim(), width));
            lines
        }
        _ if words.starts_with("locktoll ") || words.starts_with('-') => continued(line, width),
        _ => vec![line.to_owned()],
    }
}

/// Breaks a command into lines of `width` characters as far as its words allow: quoted words stay whole.
fn continued(command: &str, width: usize) -> Vec<String> {
    const BELOW: &str = "      ";
    let indent = command.len() - command.trim_start().len();
    let mut lines = vec![command[..indent].to_owned()];
    let mut is_quoted = false;
    let words = command[indent..].split_inclusive(|character| {
        is_quoted ^= character == '\'';
        character == ' ' && !is_quoted
    });
    let mut begins = true;
    for word in words {
        let line = lines.last_mut().expect("there is always one");
        // A backslash follows the word, unless it is the last one.
        if !begins && line.chars().count() + word.trim_end().chars().count() + 2 > width {
            line.push('\\');
            lines.push(BELOW.to_owned());
        }
        begins = false;
        lines
            .last_mut()
            .expect("there is always one")
            .push_str(word);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "EXAMPLES
  locktoll bench                        a minute
  locktoll bench --quick                the same, under 10 s

Written by hand
in two lines.

WHAT IS COMPARED
  Two results
  of one kind.
  slower          a row";

    #[test]
    fn examples_stand_apart_from_the_rest() {
        let text = HelpText::of(TEXT);
        assert!(text.examples.ends_with("under 10 s"));
        assert!(text.rest.starts_with("Written"));
        assert_eq!(text.first_example(), Some("locktoll bench"));
        assert_eq!(
            text.example_with(&["--quick"]).unwrap(),
            "locktoll bench --quick"
        );
        assert_eq!(text.example_with(&["--quick", "--slow"]), None);
        assert_eq!(HelpText::of("Alone.").examples, "");
    }

    #[test]
    fn paragraphs_are_folded_once_and_tables_stay() {
        let rest = HelpText::of(TEXT).rest;
        assert_eq!(
            folded(&rest, 80),
            "Written by hand in two lines.\n\nWHAT IS COMPARED\n  Two results of one kind.\n  slower          a row"
        );
        assert!(folded(&rest, 12).starts_with("Written by\nhand in two\nlines.\n"));
    }

    #[test]
    fn a_long_command_can_be_copied() {
        let command = "  locktoll try --metric 'a long ([0-9]+) one' --better higher -- ./bench";
        let lines = folded(command, 40);
        assert_eq!(
            lines,
            "  locktoll try --metric \\\n      'a long ([0-9]+) one' --better \\\n      higher -- ./bench"
        );
        assert_eq!(lines.replace("\\\n      ", ""), command);
        assert_eq!(folded(command, 80), command);
    }

    #[test]
    fn what_is_said_of_a_command_goes_below_it_where_there_is_no_room() {
        let text = folded(&HelpText::of(TEXT).examples, 40);
        assert!(
            text.contains("  locktoll bench --quick\n      the same, under 10 s"),
            "{text}"
        );
    }
}
