//! Regular expressions of the command line, and the number that a metric's expression finds.

use regex::bytes::{Regex, RegexBuilder};

use locktoll_terminal::escape::shown_text;

/// A regular expression for the output of a program; `^` and `$` match at the start and the end of a line.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// Parses an expression.
    ///
    /// # Errors
    /// A description of what is wrong with it, in one line.
    pub fn new(text: &str) -> Result<Self, String> {
        let built = RegexBuilder::new(text).multi_line(true).build();
        built.map(Self).map_err(|error| {
            // The regex crate draws an arrow below the expression; the last line says what is wrong.
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or_default();
            let reason = reason.strip_prefix("error: ").unwrap_or(reason).trim_end_matches('.');
            format!(
                "'{}' is not a valid regular expression: {reason}; accepted: an expression such as 'took ([0-9.]+) s'",
                shown_text(text)
            )
        })
    }

    /// As [`new`](Self::new), but requires a group that finds the number.
    ///
    /// # Errors
    /// As [`new`](Self::new), and if there is no group.
    pub fn with_group(text: &str) -> Result<Self, String> {
        let pattern = Self::new(text)?;
        match pattern.0.captures_len() {
            0 | 1 => Err(format!(
                "'{}' has no group; put parentheses around the number, as in 'took ([0-9.]+) s'",
                shown_text(text)
            )),
            _ => Ok(pattern),
        }
    }

    /// Returns the expression as the user gave it.
    pub fn text(&self) -> &str {
        self.0.as_str()
    }

    /// Whether the expression matches anywhere.
    pub fn matches(&self, output: &[u8]) -> bool {
        self.0.is_match(output)
    }

    /// Returns the text that the first group of the last match found.
    pub fn last<'o>(&self, output: &'o [u8]) -> Option<&'o [u8]> {
        let groups = self.0.captures_iter(output);
        let found = groups.filter_map(|groups| groups.get(1)).last()?;
        Some(found.as_bytes())
    }
}

/// Parses the number in `found`: `1234.5`, `1e6`. Ratios need a number above zero.
///
/// # Errors
/// A description of what is wrong with it.
pub fn number(found: &[u8]) -> Result<f64, String> {
    let text = String::from_utf8_lossy(found);
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        Ok(_) => Err(format!(
            "{text} cannot be compared: a ratio needs a number above 0"
        )),
        Err(_) => Err(format!(
            "'{}' is not a number; a number is written like 1234.5 or 1e6, without a unit and without separators of thousands",
            shown_text(text)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_expression_or_has_no_group_is_told_in_a_line() {
        for (text, expected) in [
            ("took (", "unclosed group"),
            ("took [0-9]+", "no group"),
            ("(?:took) 1", "no group"),
            ("a{999999999}", "not a valid regular expression"),
        ] {
            let error = Pattern::with_group(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
        assert!(Pattern::new("ready").is_ok());
    }

    #[test]
    fn the_first_group_of_the_last_match_is_the_number() {
        let pattern = Pattern::with_group(r"^(?:GET|SET): ([0-9.e]+) (\w+)").unwrap();
        let output = b"SET: 17.5 req\nGET: 1e6 req\n\xffGET: 3 x\n";
        assert_eq!(number(pattern.last(output).unwrap()), Ok(1e6));
        assert_eq!(pattern.last(b"nothing"), None);
    }

    #[test]
    fn what_is_no_number_above_zero_is_refused() {
        for text in ["", "1,234", "12ms", "0", "-3", "inf", "NaN", "\x1b[2J"] {
            let error = number(text.as_bytes()).unwrap_err();
            assert!(!error.contains('\x1b') && !error.contains('\n'), "{error}");
        }
        assert_eq!(number(b" 12 "), Ok(12.0));
    }
}
