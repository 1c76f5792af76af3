//! The unobtrusive last line of a report: what was run, when, where, and with which locktoll.

use std::fmt::{self, Write};

use anstyle::{Effects, Style};
use locktoll_lab::machine::Machine;
use locktoll_results::Made;
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

use crate::machine_line;
use crate::machine_line::in_one_line;

const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// The origin of a result.
#[derive(Clone, Copy, Default)]
pub struct Provenance<'a> {
    /// When, where and with which locktoll it was made; results of early versions do not have this.
    pub made: Option<&'a Made>,
    /// The machine, if the result describes it.
    pub machine: Option<&'a Machine>,
    /// The locktoll that measured, if the result has it elsewhere.
    pub version: Option<&'a str>,
}

impl Provenance<'_> {
    /// Writes `settings`, if there are any, and the origin of the result, as the last line of a report.
    pub fn write(&self, page: &mut String, settings: &str, width: usize) -> fmt::Result {
        let mut line = settings.to_owned();
        let from = self.sentence();
        if !from.is_empty() {
            if !line.is_empty() {
                line.push_str("; ");
            }
            line.push_str(&from);
        }
        if line.is_empty() {
            return Ok(());
        }
        for line in fold::lines("", &line, width) {
            writeln!(page, "{FAINT}{line}{FAINT:#}")?;
        }
        Ok(())
    }

    /// `2026-11-24 11:30 UTC on build-1 (Some CPU, 8 usable CPUs, Linux 6.1.0, glibc 2.36), locktoll 0.1.0`
    pub fn sentence(&self) -> String {
        let mut text = String::new();
        if let Some(date) = self.made.and_then(|made| made.date.as_deref()) {
            text.push_str(&day_and_minute(date));
        }
        let host = self.made.and_then(|made| made.host.as_deref());
        let machine = self.machine.map(machine_line).or_else(|| {
            let machine = self.made?.machine.as_ref()?;
            Some(in_one_line(machine))
        });
        let mut add = |before: &str, what: &str| {
            let before = if text.is_empty() { "" } else { before };
            let _ = write!(text, "{before}{what}");
        };
        match (host, machine) {
            (Some(host), Some(machine)) => {
                add(" on ", &format!("{} ({machine})", shown_text(host)))
            }
            (Some(host), None) => add(" on ", &shown_text(host)),
            (None, Some(machine)) => add(", ", &machine),
            (None, None) => {}
        }
        let version = self.version.or_else(|| self.made?.locktoll.as_deref());
        if let Some(version) = version {
            add(", ", &format!("locktoll {}", shown_text(version)));
        }
        text
    }
}

/// Cuts a date to the minute: seconds are of no use to a reader. Text that is not a date is left unchanged.
fn day_and_minute(date: &str) -> String {
    let date = shown_text(date);
    match date.split_once('T') {
        Some((day, time)) if time.len() == 9 && time.is_ascii() && time.ends_with('Z') => {
            format!("{day} {} UTC", &time[..5])
        }
        _ => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use locktoll_made_up::made_up::computer::{computer, made};

    #[test]
    fn what_is_known_is_said_and_nothing_else() {
        let (made, machine) = (made(), computer());
        let whole = Provenance {
            made: Some(&made),
            machine: Some(&machine),
            version: Some("0.1.0"),
        };
        assert_eq!(
            whole.sentence(),
            "2026-11-24 11:30 UTC on imagined (Imagined CPU, 8 usable CPUs, Linux 6.1.0, glibc 2.36), locktoll 0.1.0"
        );
        let old = Provenance {
            made: None,
            ..whole
        };
        assert_eq!(
            old.sentence(),
            "Imagined CPU, 8 usable CPUs, Linux 6.1.0, glibc 2.36, locktoll 0.1.0"
        );
        assert_eq!(Provenance::default().sentence(), "");
    }

    #[test]
    fn a_hostile_date_is_shown_as_it_is() {
        assert_eq!(day_and_minute("2026\x1b[2J"), r"2026\u{1b}[2J");
        assert_eq!(day_and_minute("yesterday"), "yesterday");
    }
}
