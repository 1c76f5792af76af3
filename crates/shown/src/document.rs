//! A result in its final form.

/// One document of a result.
#[derive(Debug)]
pub struct Document {
    /// Distinguishes it from the main document of the same report. `None` for the main document.
    pub part: Option<Part>,
    /// The contents.
    pub content: Content,
}

/// A document in addition to the main one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A document next to the main one; this goes into its file name.
    Beside(&'static str),
    /// A picture of the main one, by its file name in the folder of pictures ([`crate::Place::pictures`]).
    Picture(String),
}

/// The contents of a document.
#[derive(Debug)]
pub enum Content {
    /// Text with terminal styles, which the printer removes if they are not wanted.
    Styled(String),
    /// Text to be printed as it is.
    Plain(String),
    /// Not for terminals.
    Binary(Vec<u8>),
}

impl Document {
    /// Makes the only document of a report.
    pub fn only(content: Content) -> Vec<Self> {
        vec![Self {
            part: None,
            content,
        }]
    }
}

#[cfg(test)]
impl Document {
    /// Returns the text of the only document.
    pub fn text_of(documents: Vec<Self>) -> String {
        let [document] = <[Self; 1]>::try_from(documents).expect("one document");
        match document.content {
            Content::Styled(text) | Content::Plain(text) => text,
            Content::Binary(_) => panic!("this is not text"),
        }
    }
}
