//! A reading of the system, judged.

use locktoll_results::doctor::{DoctorResult, Verb, verdicts};

use crate::diagnosis::{Reading, examine};

/// Judges a reading.
pub fn judged(reading: &Reading, asked: Option<Verb>) -> DoctorResult {
    let mut findings = examine(reading, asked);
    let mut verbs = verdicts(&findings);
    if let Some(asked) = asked {
        verbs.retain(|verdict| verdict.verb == asked);
        for finding in &mut findings {
            finding.concerns.retain(|concern| concern.verb == asked);
        }
        findings.retain(|finding| !finding.concerns.is_empty());
    }
    DoctorResult {
        schema: DoctorResult::SCHEMA,
        version: locktoll_terminal::version::version(),
        made: None,
        binary: reading.program().to_owned(),
        user_id: reading.user_id(),
        machine: reading.machine.clone(),
        asked,
        verbs,
        findings,
    }
}
