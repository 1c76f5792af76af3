//! The result of `doctor`: the schema `locktoll.doctor/1`.

use locktoll_lab::machine::Machine;
use serde::Serialize;

use crate::Made;

use super::{Finding, Verb, Verdict, Word};

/// What works here and what does not.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorResult {
    /// `locktoll.doctor/1`.
    pub schema: &'static str,
    /// The program that looked.
    pub version: &'static str,
    /// When, where and by which locktoll it was found out.
    pub made: Option<Made>,
    /// Its path: the one that commands name.
    pub binary: String,
    /// Its effective user.
    pub user_id: Option<u32>,
    /// Where it looked.
    pub machine: Machine,
    /// The verb that was asked about; `None` for all.
    pub asked: Option<Verb>,
    /// How far each verb works.
    pub verbs: Vec<Verdict>,
    /// All that was found out, or what concerns the one verb.
    pub findings: Vec<Finding>,
}

impl DoctorResult {
    /// What [`schema`](Self::schema) says.
    pub const SCHEMA: &str = "locktoll.doctor/1";

    /// How far the verb works, if it was asked about.
    pub fn works(&self, verb: Verb) -> Option<Word> {
        let verdict = self.verbs.iter().find(|verdict| verdict.verb == verb)?;
        Some(verdict.works)
    }
}
