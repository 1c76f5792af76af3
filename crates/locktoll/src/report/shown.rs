//! What every result has in common, whatever it is a result of.

use serde_json::Value;

/// A result that can be shown in every form.
pub trait Shown {
    /// What it is, in a few words: the title of its page.
    fn title(&self) -> String;

    /// The report for people, styled; whoever prints it takes the styles out where they are not wanted.
    fn text(&self) -> String;

    /// The same in lines of so many characters, where it can be laid out for them.
    fn text_within(&self, _width: usize) -> String {
        self.text()
    }

    /// The document for scripts, `schema` first.
    ///
    /// # Errors
    /// If a figure cannot be written as JSON.
    fn json(&self) -> anyhow::Result<Value>;

    /// The document that the page is drawn from: the one for scripts, unless a page takes more.
    ///
    /// # Errors
    /// As [`Shown::json`].
    fn page_document(&self) -> anyhow::Result<Value> {
        self.json()
    }
}
