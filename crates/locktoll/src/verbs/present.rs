//! How every verb's result reaches its reader: text, JSON or a page, on standard output or in a file.

use crate::cli::{OutputArgs, ResultFormat};
use crate::exit::{Failure, Outcome};
use crate::report::{Content, Document, Shown, html, stand_in_line};
use crate::target::{Goes, Target};

/// Why `--top` is refused with the other forms of a comparison.
pub const TOP_IS_FOR_TEXT: &str = "--top is for text: json and html have all rows";

/// Looks at the place before anything is measured, so that a wrong one costs nothing.
///
/// # Errors
/// [`Failure::Usage`] for a place that would not do.
pub fn check(output: &OutputArgs) -> Result<(), Failure> {
    Target::of(output.output.as_deref()).check(None, Goes::default())
}

/// Puts the result where it was asked for.
///
/// # Errors
/// If it cannot be written there.
pub fn put(output: &OutputArgs, result: &impl Shown) -> Outcome {
    let target = Target::of(output.output.as_deref());
    let content = match output.format() {
        ResultFormat::Text => Content::Styled(format!(
            "{}{}",
            stand_in_line(&result.json()?),
            result.text_within(target.line_width())
        )),
        ResultFormat::Json => Content::Plain(format!("{:#}\n", result.json()?)),
        ResultFormat::Html => {
            Content::Plain(html::page(&result.title(), &[result.page_document()?])?)
        }
    };
    target.put(Document::only(content))
}
