//! What every result has in common, whatever it is a result of.

use serde_json::Value;

/// A result that can be shown in every form.
pub trait Shown {
    /// What it is, in a few words: the title of its page.
    fn title(&self) -> String;

    /// The report for people, styled; whoever prints it takes the styles out where they are not wanted.
    fn text(&self) -> String;

    /// The document for scripts, `schema` first; a page is drawn from it, too.
    ///
    /// # Errors
    /// If a figure cannot be written as JSON.
    fn json(&self) -> anyhow::Result<Value>;
}
