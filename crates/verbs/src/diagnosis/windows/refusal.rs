//! The one line that a verb ends with when it cannot work here.

use super::{Reading, examine};
use locktoll_results::doctor::{Effect, Verb};

/// Why `verb` has no figure at all here; `None` if nothing is known to be in the way.
pub fn refusal(verb: Verb, reading: &Reading) -> Option<String> {
    let findings = examine(reading, Some(verb)).into_iter();
    let mut concerns = findings.flat_map(|finding| finding.of_verb(verb).concerns);
    let lost = concerns.find(|it| it.effect == Effect::Blocks)?;
    Some(format!("`{}` needs Linux: {}", verb.words(), lost.what))
}
