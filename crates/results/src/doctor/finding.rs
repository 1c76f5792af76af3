//! The finding about one subject.

use serde::Serialize;

use super::remedy::Remedy;
use super::verb::Verb;

/// The state of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As required.
    Works,
    /// Present, but not to the required extent.
    Limited,
    /// Absent, or not permitted.
    Missing,
    /// Not readable.
    Unknown,
}

/// What a subject in a bad state does to a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// All figures are available, but wider or shifted.
    Disturbs,
    /// Some figures are missing.
    Limits,
    /// No figure is available.
    Blocks,
}

/// What a finding means for a verb.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Concern {
    /// The verb.
    pub verb: Verb,
    /// How serious it is.
    pub effect: Effect,
    /// The figures that are missing, or how they are disturbed.
    pub what: String,
}

/// The finding about one subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Finding {
    /// A stable name for scripts.
    pub id: &'static str,
    /// The state of the subject.
    pub state: State,
    /// The value that was read, in the words of its source if there are some; `None` if it could not be read.
    pub value: Option<String>,
    /// What one has to know to understand the value.
    pub note: Option<String>,
    /// The verbs that it concerns, and how; empty if the state is good.
    pub concerns: Vec<Concern>,
    /// What would change the state; `None` if it is good, or nothing depends on it.
    pub remedy: Option<Remedy>,
}

impl Finding {
    /// Creates a finding about a subject in this state, without concerns.
    pub fn new(id: &'static str, state: State, value: impl Into<Option<String>>) -> Self {
        Self {
            id,
            state,
            value: value.into(),
            note: None,
            concerns: Vec::new(),
            remedy: None,
        }
    }

    /// Adds what one has to know to understand the value.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Adds what it does to a verb.
    pub fn concerns(mut self, verb: Verb, effect: Effect, what: impl Into<String>) -> Self {
        self.concerns.push(Concern {
            verb,
            effect,
            what: what.into(),
        });
        self
    }

    /// Adds the same effect on several verbs.
    pub fn concerns_all(mut self, verbs: &[Verb], effect: Effect, what: &str) -> Self {
        for verb in verbs {
            self = self.concerns(*verb, effect, what);
        }
        self
    }

    /// Adds a remedy.
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }
}
