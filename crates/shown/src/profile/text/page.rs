//! The page: which sections, in which order.

use std::fmt::{self, Write};

use super::styles::{FAINT, STRONG};
use super::{
    blame, glance, locks, opened, places, preempted, recorder, signals, stacks, threads, unended,
};
use crate::profile::{Selection, View};
use locktoll_results::profile::{Lock, Profile, Source, Use};
use locktoll_terminal::fold;

/// Locks shown where nobody said how many.
const TOP: usize = 10;
/// Signals shown below them.
const SIGNALS: usize = 5;
/// Locks whose blame is shown.
const BLAMED: usize = 3;
/// Entries of the blame of each.
const PAIRS: usize = 4;
/// Rows of each lock where a table of its own was asked for.
const ROWS: usize = 20;

/// Writes the report in lines of `width` characters, styled.
pub fn write(page: &mut String, selection: &Selection<'_>, width: usize) -> fmt::Result {
    Text { selection, width }.write(page)
}

/// A page to be written.
struct Text<'a> {
    selection: &'a Selection<'a>,
    /// Characters in a line.
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
                }
                Ok(())
            }
            View::Locks => self.overview(page),
            View::Threads => {
                glance::write(page, profile, self.width)?;
                writeln!(page)?;
                let top = selection.top.unwrap_or(TOP);
                threads::write(page, profile, top, self.width)?;
                writeln!(page)?;
                recorder::write(page, profile, self.width)
            }
            View::Sites | View::Stacks | View::Blame | View::Preemption => self.each(page),
        }
    }

    fn overview(&self, page: &mut String) -> fmt::Result {
        let selection = self.selection;
        let profile = selection.profile;
        glance::write(page, profile, self.width)?;
        let (locks, told): (Vec<&Lock>, Vec<&Lock>) = selection
            .locks
            .iter()
            .partition(|lock| lock.used_as == Use::Lock);
        writeln!(page)?;
        if locks.is_empty() {
            match profile.dropped.damaged {
                0 => none_seen(page, profile, self.width)?,
                _ => writeln!(page, "The recording is damaged, and no lock is left in it.")?,
            }
        } else {
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
        let top = selection.top.unwrap_or(SIGNALS);
        signals::write(page, &selection.names, &told, top, self.width)?;
        unended::signals(page, profile, self.width)?;
        writeln!(page)?;
        recorder::write(page, profile, self.width)
    }

    /// One table for each of the locks shown.
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
                    writeln!(page, "{STRONG}{name}{STRONG:#} {}", places::verb(lock))?;
                    places::write(page, lock, limit, self.width)?;
                }
                View::Stacks => {
                    writeln!(page, "{STRONG}{name}{STRONG:#} is waited for by")?;
                    stacks::write(page, lock, limit, self.width)?;
                }
                View::Preemption => {
                    writeln!(page, "{STRONG}{name}{STRONG:#}")?;
                    preempted::write(page, lock, limit, self.width)?;
                }
                _ => blame::write(page, &selection.names, lock, limit, self.width)?,
            }
        }
        Ok(())
    }
}

/// What a program without locks may be waiting for instead, and where that shows.
fn none_seen(page: &mut String, profile: &Profile, width: usize) -> fmt::Result {
    writeln!(page, "No lock was seen.")?;
    if profile.source == Source::Attach {
        return Ok(());
    }
    let hint = "Locks that a program makes itself and waits in the kernel are not recorded: `locktoll attach PID` sees those that sleep, \
                `locktoll kernel` the kernel's own locks, and `locktoll top` shows which threads use a processor all the time";
    write!(page, "{FAINT}")?;
    fold::write(page, "", hint, width)?;
    write!(page, "{FAINT:#}")
}

/// Whether there is anything to say about where it is taken.
fn has_places(lock: &Lock) -> bool {
    !lock.blame.is_empty() || !lock.sites.is_empty()
}
