//! From findings to one word for each verb.

use serde::Serialize;

use super::finding::{Effect, Finding};
use super::verb::Verb;

/// How far a verb works here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Word {
    /// All its figures are available.
    Full,
    /// Some figures are missing.
    Limited,
    /// No figure is available.
    Not,
}

/// How far a verb works here, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The verb.
    pub verb: Verb,
    /// How far it works.
    pub works: Word,
    /// Findings that prevent all figures.
    pub blocked_by: Vec<&'static str>,
    /// Findings that prevent some figures.
    pub limited_by: Vec<&'static str>,
    /// Findings that make figures noisy or shift them.
    pub disturbed_by: Vec<&'static str>,
}

/// Returns the verdicts on all verbs.
pub fn verdicts(findings: &[Finding]) -> Vec<Verdict> {
    Verb::ALL.map(|verb| verdict(verb, findings)).to_vec()
}

/// Returns the verdict on one verb.
pub fn verdict(verb: Verb, findings: &[Finding]) -> Verdict {
    let due_to = |effect: Effect| -> Vec<&'static str> {
        let concerned = findings.iter().filter(|finding| {
            finding
                .concerns
                .iter()
                .any(|concern| concern.verb == verb && concern.effect == effect)
        });
        concerned.map(|finding| finding.id).collect()
    };
    let (blocked_by, limited_by) = (due_to(Effect::Blocks), due_to(Effect::Limits));
    Verdict {
        verb,
        works: match (blocked_by.is_empty(), limited_by.is_empty()) {
            (false, _) => Word::Not,
            (true, false) => Word::Limited,
            (true, true) => Word::Full,
        },
        blocked_by,
        limited_by,
        disturbed_by: due_to(Effect::Disturbs),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::State;

    #[test]
    fn the_worst_effect_decides_and_noise_does_not() {
        let finding = |id, effect| {
            Finding::new(id, State::Limited, None).concerns(Verb::Machine, effect, "x")
        };
        let noise = finding("noise", Effect::Disturbs);
        let limit = finding("limit", Effect::Limits);
        let block = finding("block", Effect::Blocks);
        let of = |findings: &[Finding]| verdict(Verb::Machine, findings);
        assert_eq!(of(std::slice::from_ref(&noise)).works, Word::Full);
        assert_eq!(of(&[noise.clone(), limit.clone()]).works, Word::Limited);
        let worst = of(&[noise.clone(), block, limit]);
        assert_eq!(worst.works, Word::Not);
        assert_eq!(worst.blocked_by, ["block"]);
        assert_eq!(worst.disturbed_by, ["noise"]);
        assert_eq!(verdict(Verb::Top, &[noise]).works, Word::Full);
    }
}
