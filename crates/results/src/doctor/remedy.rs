//! A remedy.

use serde::Serialize;

/// Where a remedy can be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Where {
    /// In this session.
    Here,
    /// By whoever starts the container or the session; nothing that is done inside of it helps.
    Outside,
    /// At the next start of the machine, or with another kernel.
    Boot,
    /// Nowhere: the machine has it not.
    Nowhere,
}

/// What would allow something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Remedy {
    /// Where it can be carried out.
    #[serde(rename = "where")]
    pub place: Where,
    /// Commands to run, one after the other. Words in capitals are the reader's own.
    pub commands: Vec<String>,
    /// What no command says.
    pub note: Option<String>,
}

impl Remedy {
    /// A command for this session.
    pub fn here(command: impl Into<String>) -> Self {
        Self::command(Where::Here, command)
    }

    /// A command.
    pub fn command(place: Where, command: impl Into<String>) -> Self {
        Self {
            place,
            commands: vec![command.into()],
            note: None,
        }
    }

    /// Words alone, where there is no one command.
    pub fn words(place: Where, note: impl Into<String>) -> Self {
        Self {
            place,
            commands: Vec::new(),
            note: Some(note.into()),
        }
    }

    /// With what no command says.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
