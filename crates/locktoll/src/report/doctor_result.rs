//! What `doctor` hands to its reports: the schema `locktoll.doctor/1`.

use locktoll_lab::machine::Machine;
use serde::Serialize;

use super::{Shown, doctor_text};
use crate::doctor::{Finding, Reading, Verb, Verdict, Word, examine, verdicts};

/// What works here and what does not.
#[derive(Clone, Debug, Serialize)]
pub struct DoctorResult {
    /// `locktoll.doctor/1`.
    pub schema: &'static str,
    /// The program that looked.
    pub version: &'static str,
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

    /// Judges a reading.
    pub fn of(reading: &Reading, asked: Option<Verb>) -> Self {
        let mut findings = examine(reading, asked);
        let mut verbs = verdicts(&findings);
        if let Some(asked) = asked {
            verbs.retain(|verdict| verdict.verb == asked);
            for finding in &mut findings {
                finding.concerns.retain(|concern| concern.verb == asked);
            }
            findings.retain(|finding| !finding.concerns.is_empty());
        }
        Self {
            schema: Self::SCHEMA,
            version: env!("LOCKTOLL_VERSION"),
            binary: reading.program().to_owned(),
            user_id: reading.user_id(),
            machine: reading.machine.clone(),
            asked,
            verbs,
            findings,
        }
    }

    /// How far the verb works, if it was asked about.
    pub fn works(&self, verb: Verb) -> Option<Word> {
        let verdict = self.verbs.iter().find(|verdict| verdict.verb == verb)?;
        Some(verdict.works)
    }
}

impl Shown for DoctorResult {
    fn title(&self) -> String {
        "locktoll doctor".to_owned()
    }

    fn text(&self) -> String {
        doctor_text(self)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}
