//! A function, whatever its language.

/// A function with a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// Where it begins.
    pub line: usize,
    /// From its name to its closing brace.
    pub lines: usize,
    /// Whether a comment at its head says why it is long.
    pub reason: bool,
}

/// Whether a comment right above that line says why something is long: `// Long: the reason`.
pub fn has_reason(texts: &[&str], line: usize) -> bool {
    let above = texts[..line - 1].iter().rev().map(|text| text.trim());
    above
        .take_while(|text| !text.is_empty() && !text.ends_with(['}', ';']) || is_comment(text))
        .any(|text| {
            let words = text.trim_start_matches(['/', '*', '!', ' ']);
            is_comment(text) && words.strip_prefix("Long:").is_some_and(|it| it.len() > 5)
        })
}

fn is_comment(text: &str) -> bool {
    ["//", "/*", "*"].iter().any(|mark| text.starts_with(mark))
}
