//! The page: which sections, in which order.

use std::fmt::{self, Write};

use super::styles::STRONG;
use super::{
    blame, glance, locks, opened, places, preempted, recorder, signals, stacks, threads, unended,
};
use crate::cli::SortKey;
use crate::profile::{Lock, Profile, Use};
use crate::report::profile::{Content, Document, Form, Selection, View};

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

/// Text for a terminal.
pub struct Text {
    /// Which table.
    pub view: View,
    /// Characters in a line.
    pub width: usize,
}

impl Form for Text {
    fn documents(&self, selection: &Selection<'_>) -> anyhow::Result<Vec<Document>> {
        let mut page = String::new();
        self.write(&mut page, selection)?;
        Ok(Document::only(Content::Styled(page)))
    }
}

/// What to show of a profile.
#[derive(Clone, Copy, Debug)]
pub struct TextOptions {
    /// What puts a lock first.
    pub sort: SortKey,
    /// How many locks to show.
    pub top: usize,
}

/// The report in lines of `width` characters, styled; whoever prints it takes the styles out where they are not wanted.
pub fn text_within(profile: &Profile, options: TextOptions, width: usize) -> String {
    let mut page = String::new();
    let view = View::Locks;
    let selection = Selection::new(profile, options.sort, Some(options.top));
    Text { view, width }
        .write(&mut page, &selection)
        .expect("writing to a string does not fail");
    page
}

impl Text {
    fn write(&self, page: &mut String, selection: &Selection<'_>) -> fmt::Result {
        let profile = selection.profile;
        match self.view {
            View::Locks if selection.opened => {
                for lock in &selection.locks {
                    opened::write(page, selection, lock, self.width)?;
                }
                Ok(())
            }
            View::Locks => self.overview(page, selection),
            View::Threads => {
                glance::write(page, profile, self.width)?;
                writeln!(page)?;
                let top = selection.top.unwrap_or(TOP);
                threads::write(page, profile, top, self.width)?;
                writeln!(page)?;
                recorder::write(page, profile, self.width)
            }
            View::Sites | View::Stacks | View::Blame | View::Preemption => {
                self.each(page, selection)
            }
        }
    }

    fn overview(&self, page: &mut String, selection: &Selection<'_>) -> fmt::Result {
        let profile = selection.profile;
        glance::write(page, profile, self.width)?;
        let (locks, told): (Vec<&Lock>, Vec<&Lock>) = selection
            .locks
            .iter()
            .partition(|lock| lock.used_as == Use::Lock);
        writeln!(page)?;
        if locks.is_empty() {
            match profile.dropped.damaged {
                0 => writeln!(page, "No lock was seen.")?,
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
                blame::write(page, &selection.names, lock, Some(PAIRS), self.width)?;
            }
        }
        let top = selection.top.unwrap_or(SIGNALS);
        signals::write(page, &selection.names, &told, top, self.width)?;
        unended::signals(page, profile, self.width)?;
        writeln!(page)?;
        recorder::write(page, profile, self.width)
    }

    /// One table for each of the locks shown.
    fn each(&self, page: &mut String, selection: &Selection<'_>) -> fmt::Result {
        let limit = (!selection.opened).then_some(ROWS);
        let top = selection.top.unwrap_or(TOP).min(selection.locks.len());
        for (position, lock) in selection.locks[..top].iter().enumerate() {
            if position > 0 {
                writeln!(page)?;
            }
            let name = selection.names.name(lock);
            match self.view {
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

/// Whether there is anything to say about where it is taken.
fn has_places(lock: &Lock) -> bool {
    !lock.blame.is_empty() || !lock.sites.is_empty()
}
