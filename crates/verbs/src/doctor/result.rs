//! A reading of the system, judged.

use locktoll_results::doctor::{DoctorResult, Verb, verdict, verdicts};

use crate::diagnosis::{Reading, examine};

/// Judges a reading.
pub fn judged(reading: &Reading, asked: Option<Verb>) -> DoctorResult {
    let findings = examine(reading, asked);
    let (verbs, findings) = match asked {
        None => (verdicts(&findings), findings),
        Some(asked) => {
            let findings = findings.into_iter().map(|it| it.of_verb(asked));
            let findings = Vec::from_iter(findings.filter(|it| !it.concerns.is_empty()));
            (vec![verdict(asked, &findings)], findings)
        }
    };
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
