//! What every form of a report has in common.

use super::Selection;

/// One form that a profile can take.
pub trait Form {
    /// The documents that the report consists of, the main one first. Never empty.
    ///
    /// # Errors
    /// If what was selected cannot be shown in this form.
    fn documents(&self, selection: &Selection<'_>) -> anyhow::Result<Vec<Document>>;
}

/// One document of a report.
#[derive(Debug)]
pub struct Document {
    /// What sets it apart from the main document of the same report: goes into the name of its file. `None` for the main
    /// one.
    pub part: Option<&'static str>,
    /// What is in it.
    pub content: Content,
}

/// What is in a document.
#[derive(Debug)]
pub enum Content {
    /// Text with terminal styles, which whoever prints it takes out where they are not wanted.
    Styled(String),
    /// Text as it is.
    Plain(String),
    /// Not for terminals.
    Binary(Vec<u8>),
}

impl Document {
    /// The only document of a report.
    pub fn only(content: Content) -> Vec<Self> {
        vec![Self {
            part: None,
            content,
        }]
    }
}
