//! A result in its written form.

/// One document of a result.
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

#[cfg(test)]
impl Document {
    /// The text of the only document.
    pub fn text_of(documents: Vec<Self>) -> String {
        let [document] = <[Self; 1]>::try_from(documents).expect("one document");
        match document.content {
            Content::Styled(text) | Content::Plain(text) => text,
            Content::Binary(_) => panic!("this is not text"),
        }
    }
}
