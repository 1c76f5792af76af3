//! Looks at all processes of a folder of parts.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::glimpse::Glimpse;
use super::process::{Process, is_held};
use super::rule::Rule;
use super::seen::{Raised, Seen};
use crate::clock::now_ns;
use locktoll_results::profile::AlertKind;

/// A watch over a recording in progress. It looks nothing up that takes time, so that it misses nothing.
pub struct Watch {
    folder: PathBuf,
    rules: Vec<Rule>,
    processes: HashMap<PathBuf, (Process, Seen)>,
    /// When the first process began.
    start_ns: Option<u64>,
}

/// What a look at one process showed, for the part at a path.
pub struct Event {
    /// The part.
    pub part: PathBuf,
    /// What the look saw.
    pub glimpse: Glimpse,
    /// When the first process began.
    pub start_ns: u64,
    /// What has become too long by this look. If there is nothing, something goes on whose name may be needed soon.
    pub raised: Vec<Raised>,
}

impl Watch {
    /// Watches the processes that write their parts into `folder`.
    pub fn new(folder: &Path, rules: &[Rule]) -> Self {
        Self {
            folder: folder.to_owned(),
            rules: rules.to_vec(),
            processes: HashMap::new(),
            start_ns: None,
        }
    }

    /// Looks at all processes. Returns what is to be named, and how many nanoseconds later the next look is due.
    pub fn look(&mut self) -> (Vec<Event>, u64) {
        let mut new = self.find_processes();
        let begun_ns = now_ns();
        let mut next_ns = begun_ns + Rule::interval_ns(&self.rules);
        let looks_at_holds = Rule::least(&self.rules, AlertKind::Hold).is_some();
        let start_ns = self.start_ns.unwrap_or(begun_ns);
        let mut events = Vec::new();
        self.processes.retain(|path, (process, seen)| {
            let Ok(mut glimpse) = process.look(looks_at_holds) else {
                return false;
            };
            let mut shown = seen.look(&glimpse, &self.rules);
            next_ns = shown.next_ns.map_or(next_ns, |next| next.min(next_ns));
            shown.raised.retain(|raised| match raised {
                Raised::Hold(hold, _) => is_held(glimpse.pid, hold),
                Raised::Wait(..) => true,
            });
            if !looks_at_holds && !shown.raised.is_empty() {
                // The holder may not be the one that the wait began with.
                glimpse.holds = process.look(true).map(|it| it.holds).unwrap_or_default();
            }
            let is_new = new.extract_if(.., |it| it == path).count() > 0;
            if is_new || shown.is_new || !shown.raised.is_empty() {
                events.push(Event {
                    part: path.clone(),
                    glimpse,
                    start_ns,
                    raised: shown.raised,
                });
            }
            true
        });
        (events, next_ns.saturating_sub(now_ns()))
    }

    /// Adds processes that have begun. Returns their parts.
    fn find_processes(&mut self) -> Vec<PathBuf> {
        let mut new = Vec::new();
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return new;
        };
        let there: HashSet<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        // The recorder removes the parts of processes that have ended, and others may get their names.
        self.processes.retain(|path, _| there.contains(path));
        for path in there {
            if path.extension().is_none_or(|it| it != "part") || self.processes.contains_key(&path)
            {
                continue;
            }
            if let Ok(process) = Process::open(&path) {
                let start_ns = process.start_ns();
                self.start_ns = Some(self.start_ns.map_or(start_ns, |it| it.min(start_ns)));
                self.processes
                    .insert(path.clone(), (process, Seen::default()));
                new.push(path);
            }
        }
        new
    }
}
