//! The page: its sections and their order.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use super::{
    alerts, blame, findings, glance, locks, opened, order, places, preempted, recorder, signals,
    spinning, stacks, threads, unended,
};
use crate::Provenance;
use crate::profile::words::{cut_right, fit_name};
use crate::profile::{Selection, View};
use locktoll_results::profile::{Lock, Profile, Source, Use};
use locktoll_terminal::escape::shown_text;
use locktoll_terminal::fold;

/// The default number of locks shown.
const TOP: usize = 10;
/// The number of signals shown below them.
const SIGNALS: usize = 5;
/// The number of locks whose blame is shown.
const BLAMED: usize = 3;
/// The number of entries in the blame of each.
const PAIRS: usize = 4;
/// The most characters of the command line that are shown.
const COMMAND: usize = 200;
/// The number of rows for each lock if a separate table was asked for.
const ROWS: usize = 20;

/// Writes the report in lines of `width` characters, styled.
pub fn write(page: &mut String, selection: &Selection<'_>, width: usize) -> fmt::Result {
    Text { selection, width }.write(page)
}

/// A page that is being written.
struct Text<'a> {
    selection: &'a Selection<'a>,
    /// The number of characters in a line.
    width: usize,
}

impl Text<'_> {
    fn write(&self, page: &mut String) -> fmt::Result {
        let selection = self.selection;
        let profile = selection.profile;
        match self.selection.view {
            View::Locks if selection.opened => {
                for lock in &selection.locks {
                    opened::write(page, selection, lock, self.width)?;
                    findings::write(page, profile, Some(&lock.id), self.width)?;
                }
                Ok(())
            }
            View::Locks => self.overview(page),
            View::Threads => {
                glance::write(page, selection, self.width)?;
                writeln!(page)?;
                let top = selection.top.unwrap_or(TOP);
                threads::write(page, profile, top, self.width)?;
                writeln!(page)?;
                recorder::write(page, profile, self.width)?;
                provenance(page, profile, self.width)
            }
            View::Alerts => alerts::write(page, profile, selection.top, self.width),
            View::Order => order::write(page, selection, self.width),
            View::Sites | View::Stacks | View::Blame | View::Preemption => self.each(page),
        }
    }

    fn overview(&self, page: &mut String) -> fmt::Result {
        let selection = self.selection;
        let profile = selection.profile;
        glance::write(page, selection, self.width)?;
        let (locks, others): (Vec<&Lock>, Vec<&Lock>) = selection
            .locks
            .iter()
            .partition(|lock| lock.used_as == Use::Lock);
        if locks.is_empty() {
            if profile.dropped.damaged == 0 {
                none_seen(page, profile, self.width)?;
            }
        } else {
            writeln!(page)?;
            let top = selection.top.unwrap_or(TOP);
            locks::write(page, selection, &locks, top, self.width)?;
            unended::locks(page, selection, &locks, self.width)?;
            for lock in locks
                .iter()
                .take(top.min(BLAMED))
                .filter(|lock| has_places(lock))
            {
                writeln!(page)?;
                blame::in_short(page, &selection.names, lock, PAIRS, self.width)?;
            }
        }
        findings::write(page, profile, None, self.width)?;
        order::in_short(page, selection, self.width)?;
        spinning::write(page, profile, self.width)?;
        let top = selection.top.unwrap_or(SIGNALS);
        signals::write(page, &selection.names, &others, top, self.width)?;
        unended::signals(page, profile, self.width)?;
        writeln!(page)?;
        recorder::write(page, profile, self.width)?;
        provenance(page, profile, self.width)
    }

    /// Writes one table for each of the locks shown.
    fn each(&self, page: &mut String) -> fmt::Result {
        let selection = self.selection;
        let limit = (!selection.opened).then_some(ROWS);
        let top = selection.top.unwrap_or(TOP).min(selection.locks.len());
        for (position, lock) in selection.locks[..top].iter().enumerate() {
            if position > 0 {
                writeln!(page)?;
            }
            let name = selection.names.name(lock);
            match self.selection.view {
                View::Sites => {
                    titled(page, &name, places::verb(lock), self.width)?;
                    places::write(page, lock, limit, self.width)?;
                }
                View::Stacks => {
                    titled(page, &name, "is waited for by", self.width)?;
                    stacks::write(page, lock, limit, self.width)?;
                }
                View::Preemption => {
                    titled(page, &name, "", self.width)?;
                    preempted::write(page, lock, limit, self.width)?;
                }
                _ => blame::write(page, &selection.names, lock, limit, self.width)?,
            }
        }
        Ok(())
    }
}

/// Says what a program without locks may be waiting for instead, and which verb shows it.
fn none_seen(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    if profile.source == Source::Attach {
        return Ok(());
    }
    let hint = "Locks that a program builds itself, and waits inside the kernel, are not recorded. `locktoll attach PID` sees \
                the locks that sleep, `locktoll kernel` sees the kernel's own locks, and `locktoll top` shows which threads \
                keep a CPU busy.";
    writeln!(page)?;
    write!(page, "{FAINT}")?;
    fold::write(page, "", hint, width)?;
    write!(page, "{FAINT:#}")
}

/// Writes the command, when and where it ran, and which locktoll observed it.
fn provenance(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    let command = shown_text(&profile.command.join(" "));
    let from = Provenance {
        made: profile.made.as_ref(),
        ..Provenance::default()
    };
    from.write(page, &cut_right(&command, COMMAND), width)
}

/// Writes a lock's name as a heading, followed by `rest`.
fn titled(page: &mut String, name: &str, rest: &str, width: usize) -> fmt::Result {
    let name = fit_name(name, width.saturating_sub(rest.len() + 1));
    writeln!(
        page,
        "{}",
        format!("{STRONG}{name}{STRONG:#} {rest}").trim_end()
    )
}

/// Whether the lock has places to show.
fn has_places(lock: &Lock) -> bool {
    !lock.blame.is_empty() || !lock.sites.is_empty()
}
