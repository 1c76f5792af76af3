//! The commands that would allow more, each listed once.

use std::fmt::Write;

use super::page::STRONG;
use locktoll_results::doctor::{Effect, Finding, Where};
use locktoll_terminal::fold::folded;

/// Writes the commands. Those that allow most come first, those that only reduce noise last.
pub fn list(page: &mut String, findings: &[Finding], width: usize) -> std::fmt::Result {
    let mut merged: Vec<(Effect, &Finding, Vec<&'static str>)> = Vec::new();
    for finding in findings {
        let worst = finding.concerns.iter().map(|concern| concern.effect).max();
        let (Some(worst), Some(remedy)) = (worst, &finding.remedy) else {
            continue;
        };
        match merged
            .iter_mut()
            .find(|(_, other, _)| other.remedy.as_ref() == Some(remedy))
        {
            Some((effect, _, ids)) => {
                *effect = worst.max(*effect);
                ids.push(finding.id);
            }
            None => merged.push((worst, finding, vec![finding.id])),
        }
    }
    if merged.is_empty() {
        return Ok(());
    }
    merged.sort_by_key(|(effect, ..)| std::cmp::Reverse(*effect));
    writeln!(page)?;
    writeln!(page, "{STRONG}To allow more{STRONG:#}")?;
    for (_, finding, ids) in merged {
        let remedy = finding.remedy.as_ref().expect("only such are merged");
        let place = match remedy.place {
            Where::Here => "",
            Where::Outside => "from outside: ",
            Where::Boot => "at the next boot: ",
            Where::Nowhere => "",
        };
        let note = remedy.note.as_deref();
        match (remedy.commands.as_slice(), note) {
            ([], note) => folded(
                page,
                "  - ",
                &format!("{place}{}", note.unwrap_or_default()),
                width,
            )?,
            (commands, _) => {
                for command in commands {
                    // A command stays on one line, to be copied.
                    writeln!(page, "  {command}")?;
                }
            }
        }
        let note = match (remedy.commands.is_empty(), note) {
            (false, Some(note)) => format!("; {note}"),
            _ => String::new(),
        };
        let place = match remedy.commands.is_empty() {
            true => "",
            false => place,
        };
        folded(
            page,
            "      ",
            &format!("{place}for {}{note}", ids.join(", ")),
            width,
        )?;
    }
    Ok(())
}
