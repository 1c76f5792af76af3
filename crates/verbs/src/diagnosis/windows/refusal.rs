//! The one line with which a verb ends when it cannot work here.

use super::{Reading, examine};
use locktoll_results::doctor::{Effect, Verb};

/// Says why `verb` has no figures at all here; `None` if no obstacle is known.
pub fn refusal(verb: Verb, reading: &Reading) -> Option<String> {
    let findings = examine(reading, Some(verb)).into_iter();
    let mut concerns = findings.flat_map(|finding| finding.of_verb(verb).concerns);
    let lost = concerns.find(|it| it.effect == Effect::Blocks)?;
    Some(format!("`{}` needs Linux: {}", verb.words(), lost.what))
}
