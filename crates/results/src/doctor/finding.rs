//! The finding about one subject.

use serde::Serialize;

use super::remedy::Remedy;
use super::verb::Verb;

/// How a thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it is wanted.
    Works,
    /// There, but not as far as it is wanted.
    Limited,
    /// Not there, or not permitted.
    Missing,
    /// It could not be read.
    Unknown,
}

/// What a thing that does not stand well does to a verb.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// All figures are there, and wider or shifted.
    Disturbs,
    /// Some figures are not there.
    Limits,
    /// There is no figure at all.
    Blocks,
}

/// What a finding means for a verb.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Concern {
    /// The verb.
    pub verb: Verb,
    /// How bad it is.
    pub effect: Effect,
    /// What is not there, or how it is disturbed.
    pub what: String,
}

/// What was found out about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A stable name for scripts.
    pub id: &'static str,
    /// How it stands.
    pub state: State,
    /// What was read, in the words of its source where there are some; `None` where nothing could be.
    pub value: Option<String>,
    /// What has to be known to understand the value.
    pub note: Option<String>,
    /// Which verbs it concerns, and how; empty where all is well.
    pub concerns: Vec<Concern>,
    /// What would allow it; `None` where all is well or nothing depends on it.
    pub remedy: Option<Remedy>,
}

impl Finding {
    /// Something that is as it is wanted, as far as it is read here.
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

    /// With something that has to be known.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// With what it does to a verb.
    pub fn concerns(mut self, verb: Verb, effect: Effect, what: impl Into<String>) -> Self {
        self.concerns.push(Concern {
            verb,
            effect,
            what: what.into(),
        });
        self
    }

    /// With the same effect on several verbs.
    pub fn concerns_all(mut self, verbs: &[Verb], effect: Effect, what: &str) -> Self {
        for verb in verbs {
            self = self.concerns(*verb, effect, what);
        }
        self
    }

    /// With what would allow it.
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = Some(remedy);
        self
    }
}
