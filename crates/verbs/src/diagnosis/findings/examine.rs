//! All groups, one after the other.

use super::kernel::TRIAL_ID;
use super::{
    calls, confinement, counters, kernel, locking, others, preload, privileges, processors, times,
};
use crate::diagnosis::Reading;
use crate::diagnosis::reading::Trial;
use crate::diagnosis::remedy::{FOR_TRACING, for_verb};
use locktoll_results::doctor::{Finding, State, Verb};

/// Returns all findings. The most serious ones come first: a refusal names the first one that applies.
///
/// Commands that give capabilities name those that the one verb can use, or those for all verbs, since such commands replace each
/// other.
pub fn examine(reading: &Reading, for_one: Option<Verb>) -> Vec<Finding> {
    let wanted = for_one.map_or(FOR_TRACING, for_verb);
    let groups = [
        kernel::findings(reading, for_one),
        privileges::lockdown(reading),
        confinement::findings(reading, wanted),
        privileges::findings(reading, wanted),
        kernel::uprobes(reading, wanted),
        kernel::trial(reading),
        others::findings(reading, wanted),
        counters::findings(reading),
        times::findings(reading),
        processors::findings(reading),
        preload::findings(reading),
        locking::findings(reading),
        calls::findings(reading),
    ];
    let mut findings: Vec<Finding> = groups.into_iter().flatten().collect();
    square_with_trial(&mut findings, &reading.trial);
    findings
}

/// Reconciles the findings with the trial. A trial counts for more than what was read, except about features that the tiny
/// program does not use; and a refusal that another finding explains is not an obstacle by itself.
fn square_with_trial(findings: &mut [Finding], trial: &Trial) {
    let explained = findings
        .iter()
        .any(|it| it.id != TRIAL_ID && it.keeps_any_out());
    for finding in findings.iter_mut().filter(|it| it.keeps_any_out()) {
        let note = match (trial, finding.id) {
            (Trial::Loaded, "bpf-features" | "uprobes") => continue,
            (Trial::Loaded, _) => "although a program could be loaded",
            (Trial::Refused { .. }, TRIAL_ID) if explained => "follows from the findings above",
            _ => continue,
        };
        if *trial == Trial::Loaded {
            finding.state = State::Works;
        }
        finding.concerns.clear();
        finding.remedy = None;
        finding.note = Some(match finding.note.take() {
            Some(before) => format!("{before}; {note}"),
            None => note.to_owned(),
        });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::diagnosis::made_up;

    #[test]
    fn every_finding_has_a_name_of_its_own() {
        for (name, reading) in made_up::all() {
            let findings = examine(&reading, None);
            let ids: HashSet<_> = findings.iter().map(|finding| finding.id).collect();
            assert_eq!(ids.len(), findings.len(), "{name}");
        }
    }

    #[test]
    fn what_works_concerns_nobody_and_what_concerns_somebody_has_a_remedy() {
        for (name, reading) in made_up::all() {
            for finding in examine(&reading, None) {
                let works = finding.state == State::Works;
                assert!(
                    !works || (finding.concerns.is_empty() && finding.remedy.is_none()),
                    "{name}: {finding:?}"
                );
                assert!(
                    finding.concerns.is_empty() || finding.remedy.is_some(),
                    "{name}: {finding:?}"
                );
                let verbs: HashSet<Verb> = finding.concerns.iter().map(|it| it.verb).collect();
                assert_eq!(verbs.len(), finding.concerns.len(), "{name}: {finding:?}");
            }
        }
    }
}
