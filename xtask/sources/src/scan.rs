//! C, JavaScript and CSS, as far as lines and functions go: comments and strings are blanked, braces matched.

use crate::function::{Function, has_reason};

/// Words in front of parentheses and braces that begin no function.
const CONTROL: [&str; 7] = ["if", "for", "while", "switch", "catch", "with", "return"];

#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    C,
    JavaScript,
    Css,
    /// Every line that is not blank counts.
    Html,
}

impl Language {
    pub fn of(extension: &str) -> Option<Language> {
        match extension {
            "c" | "h" | "cc" | "cpp" | "hpp" => Some(Language::C),
            "js" => Some(Language::JavaScript),
            "css" => Some(Language::Css),
            "html" => Some(Language::Html),
            _ => None,
        }
    }
}

pub fn code_lines(language: Language, text: &str) -> usize {
    let blanked = blanked(language, text);
    blanked
        .lines()
        .filter(|line| !line.trim().is_empty())
        .count()
}

/// The text with spaces for comments and `s` for what is in strings, in the same lines.
fn blanked(language: Language, text: &str) -> String {
    if language == Language::Html {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '/' if rest.starts_with("//") && language != Language::Css => {
                rest.find('\n').unwrap_or(rest.len())
            }
            '"' | '\'' => quoted(rest, first),
            '`' if language == Language::JavaScript => template(rest),
            '/' if language == Language::JavaScript && begins_pattern(&out) => quoted(rest, '/'),
            _ => 0,
        };
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let comment = rest.starts_with("/*") || rest.starts_with("//");
        let filler = if comment { ' ' } else { 's' };
        let (taken, after) = rest.split_at(length);
        out.extend(
            taken
                .chars()
                .map(|it| if it.is_whitespace() { it } else { filler }),
        );
        rest = after;
    }
    out
}

/// The length of a string or pattern that ends at the same sign, or at the end of its line.
fn quoted(text: &str, sign: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if character == sign => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a template, with the templates in its expressions.
fn template(text: &str) -> usize {
    let mut at = 1;
    let mut braces = 0_usize;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match character {
            '\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            '$' if rest.starts_with("${") => {
                braces += 1;
                2
            }
            '{' if braces > 0 => {
                braces += 1;
                1
            }
            '}' if braces > 0 => {
                braces -= 1;
                1
            }
            '`' if braces > 0 => template(rest),
            '`' => return at + 1,
            other => other.len_utf8(),
        };
    }
    text.len()
}

/// A slash after an operator begins a pattern; after a value it divides.
fn begins_pattern(before: &str) -> bool {
    let before = before.trim_end();
    before.is_empty()
        || before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';'])
        || before.ends_with("return")
}

/// Every function with a body: braces after a list of parameters or `=>`.
pub fn functions(language: Language, text: &str) -> Vec<Function> {
    if matches!(language, Language::Css | Language::Html) {
        return Vec::new();
    }
    let blanked = blanked(language, text);
    let texts: Vec<&str> = text.lines().collect();
    let line_of = |at: usize| blanked[..at].matches('\n').count() + 1;
    let mut open = Vec::new();
    let mut found = Vec::new();
    for (at, character) in blanked.char_indices() {
        match character {
            '{' => open.push(head(&blanked[..at])),
            '}' => {
                if let Some(Some((start, name))) = open.pop() {
                    let line = line_of(start);
                    found.push(Function {
                        name,
                        line,
                        lines: line_of(at) + 1 - line,
                        reason: has_reason(&texts, line),
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// Where the function begins, and its name, whose body opens after this text.
fn head(before: &str) -> Option<(usize, String)> {
    let before = before.trim_end();
    let parameters = match before.strip_suffix("=>") {
        Some(before) if !before.trim_end().ends_with(')') => {
            return Some((before.len(), "=>".to_owned()));
        }
        Some(before) => before.trim_end(),
        None => before,
    };
    let inside = parameters.strip_suffix(')')?;
    let mut depth = 1_usize;
    let opening = inside.char_indices().rev().find(|(_, character)| {
        match character {
            ')' => depth += 1,
            '(' => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    let before = inside[..opening?.0].trim_end();
    let start = before.len() - last_word(before).len();
    let name = &before[start..];
    if CONTROL.contains(&name) {
        return None;
    }
    // `kit.table = function (...)` is called table, and `line = (...) =>` line.
    let assigned = before[..start].trim_end().strip_suffix('=');
    let name = match assigned {
        Some(target) if name == "function" || name.is_empty() => last_word(target.trim_end()),
        _ => name,
    };
    Some((start, name.to_owned()))
}

fn last_word(text: &str) -> &str {
    let in_word = |it: char| it.is_alphanumeric() || it == '_' || it == '$';
    let without = text.trim_end_matches(in_word);
    &text[without.len()..]
}
