//! A remedy.

use serde::Serialize;

/// Where a remedy can be carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Where {
    /// In this session.
    Here,
    /// By the person who starts the container or the session; nothing that is done inside it helps.
    Outside,
    /// At the next start of the machine, or with another kernel.
    Boot,
    /// Nowhere: the machine does not have the feature.
    Nowhere,
}

/// What would allow something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Remedy {
    /// Where it can be carried out.
    #[serde(rename = "where")]
    pub place: Where,
    /// Commands to run, one after the other. The reader replaces the words in capitals.
    pub commands: Vec<String>,
    /// What the commands do not say.
    pub note: Option<String>,
}

impl Remedy {
    /// Returns a remedy with a command for this session.
    pub fn here(command: impl Into<String>) -> Self {
        Self::command(Where::Here, command)
    }

    /// Returns a remedy with a command.
    pub fn command(place: Where, command: impl Into<String>) -> Self {
        Self {
            place,
            commands: vec![command.into()],
            note: None,
        }
    }

    /// Returns a remedy in words alone, where there is no single command for it.
    pub fn words(place: Where, note: impl Into<String>) -> Self {
        Self {
            place,
            commands: Vec::new(),
            note: Some(note.into()),
        }
    }

    /// Adds what the commands do not say.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
