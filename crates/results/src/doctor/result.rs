//! The result of `doctor`: the schema `locktoll.doctor/1`.

use locktoll_lab::machine::Machine;
use serde::Serialize;

use crate::Made;

use super::{Finding, Verb, Verdict, Word};

/// What works here and what does not.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DoctorResult {
    /// `locktoll.doctor/1`.
    pub schema: &'static str,
    /// The program that looked.
    pub version: &'static str,
    /// When, where and by which version of locktoll it was made.
    pub made: Option<Made>,
    /// Its path, which is also used in commands.
    pub binary: String,
    /// Its effective user.
    pub user_id: Option<u32>,
    /// Where it looked.
    pub machine: Machine,
    /// The requested verb; `None` for all.
    pub asked: Option<Verb>,
    /// How far each verb works.
    pub verbs: Vec<Verdict>,
    /// All findings, or those that concern the requested verb.
    pub findings: Vec<Finding>,
}

impl DoctorResult {
    /// The value of [`schema`](Self::schema).
    pub const SCHEMA: &str = "locktoll.doctor/1";

    /// Returns how far the verb works, if the result contains it.
    pub fn works(&self, verb: Verb) -> Option<Word> {
        let verdict = self.verbs.iter().find(|verdict| verdict.verb == verb)?;
        Some(verdict.works)
    }
}
