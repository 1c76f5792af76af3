//! All processes of a folder of parts, with the names of their locks.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::Recording;

use super::glimpse::{Glimpse, Hold, Wait};
use super::process::{Process, is_held};
use super::rule::Rule;
use super::seen::{Raised, Seen};
use crate::clock::now_ns;
use crate::recording::{Places, Symbols, places};
use locktoll_results::profile::{Alert, AlertKind, AlertThread, LockKind, Use, caller};
use locktoll_terminal::system::files::open_regular;

/// A watch over a recording in progress.
pub struct Watch {
    folder: PathBuf,
    rules: Vec<Rule>,
    processes: HashMap<PathBuf, Watched>,
    symbols: Symbols,
    /// When the first process began.
    start_ns: Option<u64>,
}

struct Watched {
    process: Process,
    seen: Seen,
    /// The names of its locks and places as they were found last. They are looked up when something new goes on, before it is too
    /// long, so that an alert need not wait for them.
    places: Option<Places>,
}

impl Watch {
    /// Watches the processes that write their parts into `folder`.
    pub fn new(folder: &Path, rules: &[Rule]) -> Self {
        Self {
            folder: folder.to_owned(),
            rules: rules.to_vec(),
            processes: HashMap::new(),
            symbols: Symbols::default(),
            start_ns: None,
        }
    }

    /// Looks at all processes. Returns the alerts, and how many nanoseconds later the next look is due.
    pub fn look(&mut self) -> (Vec<Alert>, u64) {
        self.find_processes();
        let begun_ns = now_ns();
        let mut next_ns = begun_ns + Rule::interval_ns(&self.rules);
        let looks_at_holds = Rule::least(&self.rules, AlertKind::Hold).is_some();
        let start_ns = self.start_ns.unwrap_or(begun_ns);
        let mut alerts = Vec::new();
        self.processes.retain(|_, watched| {
            let Ok(glimpse) = watched.process.look(looks_at_holds) else {
                return false;
            };
            let shown = watched.seen.look(&glimpse, &self.rules);
            next_ns = shown.next_ns.map_or(next_ns, |next| next.min(next_ns));
            // The first look-up reads the program's files, which takes longest: it is made before anything lasts.
            if watched.places.is_none() || shown.is_new || !shown.raised.is_empty() {
                watched.learn_names(&glimpse, &mut self.symbols);
            }
            for raised in shown.raised {
                alerts.extend(watched.alert(raised, &glimpse, start_ns));
            }
            true
        });
        (alerts, next_ns.saturating_sub(now_ns()))
    }

    fn find_processes(&mut self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.extension().is_none_or(|it| it != "part") || self.processes.contains_key(&path)
            {
                continue;
            }
            if let Ok(process) = Process::open(&path) {
                let start_ns = process.start_ns();
                self.start_ns = Some(self.start_ns.map_or(start_ns, |it| it.min(start_ns)));
                let watched = Watched {
                    process,
                    seen: Seen::default(),
                    places: None,
                };
                self.processes.insert(path, watched);
            }
        }
    }
}

impl Watched {
    /// Looks the names up again if one is missing.
    fn learn_names(&mut self, glimpse: &Glimpse, symbols: &mut Symbols) {
        let known = |places: &Places| {
            let holds = glimpse
                .holds
                .iter()
                .all(|it| places.knows(it.lock, it.site));
            holds
                && glimpse
                    .waits
                    .iter()
                    .all(|it| places.knows(it.lock, it.site))
        };
        if self.places.as_ref().is_some_and(known) {
            return;
        }
        let file = open_regular(self.process.path());
        if let Ok(recording) = file
            .map_err(Into::into)
            .and_then(|file| Recording::read(&file))
        {
            self.places = Some(places(&recording, symbols));
        }
    }

    fn alert(&self, raised: Raised, glimpse: &Glimpse, start_ns: u64) -> Option<Alert> {
        match raised {
            Raised::Hold(hold, ns) => self.hold(&hold, ns, glimpse, start_ns),
            Raised::Wait(wait, ns) => self.wait(&wait, ns, glimpse, start_ns),
        }
    }

    fn hold(&self, hold: &Hold, ns: u64, glimpse: &Glimpse, start_ns: u64) -> Option<Alert> {
        let kind = self.named(hold.lock).map_or(LockKind::Mutex, |it| it.kind);
        if !is_held(glimpse.pid, hold, kind) {
            return None;
        }
        Some(Alert {
            holder: Some(self.thread(hold.tid, hold.site)),
            ..self.of_lock(AlertKind::Hold, hold.lock, ns, glimpse, start_ns)
        })
    }

    fn wait(&self, wait: &Wait, ns: u64, glimpse: &Glimpse, start_ns: u64) -> Option<Alert> {
        // A wait for a signal is not one for a lock.
        if self
            .named(wait.lock)
            .is_some_and(|it| it.used_as == Use::Signal)
        {
            return None;
        }
        let held_now = glimpse.holds.iter().find(|it| it.lock == wait.lock);
        let holder = held_now.map(|it| (it.tid, it.site)).or(wait.holder);
        Some(Alert {
            holder: holder.map(|(tid, site)| self.thread(tid, site)),
            ..self.of_lock(AlertKind::Wait, wait.lock, ns, glimpse, start_ns)
        })
    }

    fn of_lock(
        &self,
        kind: AlertKind,
        lock: u64,
        ns: u64,
        glimpse: &Glimpse,
        start_ns: u64,
    ) -> Alert {
        let named = self.named(lock);
        let waits = || glimpse.waits.iter().filter(|it| it.lock == lock);
        let longest = waits().min_by_key(|it| it.since_ns);
        Alert {
            at_ns: glimpse.at_ns.saturating_sub(start_ns),
            kind,
            lock: named.map_or_else(|| format!("{lock:#x}"), |it| it.id.clone()),
            name: named.map_or_else(|| format!("{lock:#x}"), |it| it.name.clone()),
            ns,
            pid: glimpse.pid,
            holder: None,
            waiter: longest.map(|it| self.thread(it.tid, it.site)),
            waiters: waits().count() as u64,
        }
    }

    fn named(&self, lock: u64) -> Option<&locktoll_results::profile::Lock> {
        self.places.as_ref()?.lock(lock)
    }

    fn thread(&self, tid: u32, site: u32) -> AlertThread {
        let frames = self.places.as_ref().and_then(|it| it.site(site));
        AlertThread {
            tid,
            site: frames.and_then(|it| caller(it)).cloned(),
            stack: Vec::new(),
        }
    }
}
