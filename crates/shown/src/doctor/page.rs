//! The page from top to bottom.

use std::fmt::Write;

use anstyle::{AnsiColor, Effects, Style};

use super::{commands, findings, verbs};
use crate::{Provenance, Shown, sentence};
use locktoll_results::doctor::{DoctorResult, Verdict, Word};

/// Headings.
pub(super) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// For things that are as they should be.
pub(super) const GOOD: Style = AnsiColor::Green.on_default();
/// For things that are missing.
pub(super) const BAD: Style = AnsiColor::Red.on_default();
/// For things that are partly there.
pub(super) const HALF: Style = AnsiColor::Yellow.on_default();

impl Shown for DoctorResult {
    fn title(&self) -> String {
        "locktoll doctor".to_owned()
    }

    fn write(&self, page: &mut String, width: usize) -> std::fmt::Result {
        render(page, self, width)
    }

    fn json(&self) -> anyhow::Result<serde_json::Value> {
        Ok(serde_json::to_value(self)?)
    }
}

fn render(page: &mut String, result: &DoctorResult, width: usize) -> std::fmt::Result {
    sentence::answer(page, &answer(&result.verbs), width)?;
    writeln!(page)?;
    verbs::table(page, &result.verbs)?;
    commands::list(page, &result.findings)?;
    findings::list(page, result)?;
    writeln!(page)?;
    let user = match result.user_id {
        Some(0) => "as root".to_owned(),
        Some(user) => format!("as user {user}"),
        None => String::new(),
    };
    let from = Provenance {
        made: result.made.as_ref(),
        machine: Some(&result.machine),
        version: Some(result.version),
    };
    from.write(page, &user, width)
}

/// Says which verbs work here, and which do not.
fn answer(verdicts: &[Verdict]) -> String {
    let of = |word: Word| {
        let verbs = verdicts.iter().filter(|verdict| verdict.works == word);
        let names: Vec<&str> = verbs.map(|verdict| verdict.verb.words()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    if let [only] = verdicts {
        let verb = only.verb.words();
        return match only.works {
            Word::Full => format!("{verb} works here without limits."),
            Word::Limited => format!("{verb} works here in part: {}.", only.limited_by.join(", ")),
            Word::Not => format!("{verb} does not work here: {}.", only.blocked_by.join(", ")),
        };
    }
    match (of(Word::Full), of(Word::Limited), of(Word::Not)) {
        (Some(_), None, None) => "Every verb works here without limits.".to_owned(),
        (full, limited, not) => {
            let parts = [
                ("Works here", full),
                ("Works in part", limited),
                ("Does not work", not),
            ];
            let parts = parts
                .into_iter()
                .filter_map(|(words, names)| Some(format!("{words}: {}.", names?)));
            parts.collect::<Vec<_>>().join(" ")
        }
    }
}
