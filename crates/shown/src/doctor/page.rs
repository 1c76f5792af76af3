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
    sentence::answer(page, &answer(result), width)?;
    writeln!(page)?;
    verbs::table(page, &result.verbs, width)?;
    commands::list(page, &result.findings, width)?;
    findings::list(page, result, width)?;
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

/// Says which verbs work here, which do not, and which finding prevents most.
fn answer(result: &DoctorResult) -> String {
    let verdicts = &result.verbs;
    let of = |word: Word| {
        let verbs = verdicts.iter().filter(|verdict| verdict.works == word);
        let names: Vec<&str> = verbs.map(|verdict| verdict.verb.words()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let mut sentences = match &verdicts[..] {
        [only] => {
            let verb = only.verb.words();
            match only.works {
                Word::Full => return format!("{verb} works here without limits."),
                Word::Limited => vec![format!("{verb} works here in part.")],
                Word::Not => vec![format!("{verb} does not work here.")],
            }
        }
        _ => match (of(Word::Full), of(Word::Limited), of(Word::Not)) {
            (Some(_), None, None) => return "Every verb works here without limits.".to_owned(),
            (full, limited, not) => [
                ("Works here", full),
                ("Works in part", limited),
                ("Does not work", not),
            ]
            .into_iter()
            .filter_map(|(words, names)| Some(format!("{words}: {}.", names?)))
            .collect(),
        },
    };
    sentences.extend(obstacle(result));
    sentences.join(" ")
}

/// Names the finding that stops most verbs or, where none is stopped, limits most.
fn obstacle(result: &DoctorResult) -> Option<String> {
    let count = |id: &str, of: fn(&Verdict) -> &[&str]| {
        let verbs = result.verbs.iter();
        verbs.filter(|it| of(it).contains(&id)).count()
    };
    // The first of several that are equal: findings stand in the order in which they are of use.
    let worst = result.findings.iter().rev().max_by_key(|finding| {
        let blocked = count(finding.id, |it| &it.blocked_by);
        (blocked, count(finding.id, |it| &it.limited_by))
    })?;
    let detail = worst.note.as_ref().or(worst.value.as_ref());
    let detail = detail.map_or(String::new(), |it| format!(" ({it})"));
    Some(format!("Main obstacle: {}{detail}.", worst.id))
}
