//! All programs that are being recorded and whose files this user may read.

use std::collections::{BTreeMap, HashMap};

use crate::running::{Followed, name_of};
use crate::top::model::{Reading, Waits};
use crate::top::source::{Form, Source};
use locktoll_results::top::SeenBy;

/// A process that was not recorded is checked again after this many readings: it may have become another program since.
const LOOK_AGAIN: u32 = 8;
/// In how many successive readings a new process is checked at first: a recorder needs a moment to begin.
const LOOK_AT_FIRST: u32 = 4;

/// Programs under `locktoll record`.
#[derive(Default)]
pub struct Recorded {
    chosen: Option<(u32, Followed)>,
    all: BTreeMap<u32, Followed>,
    /// How often each process that is not recorded has been seen.
    others: HashMap<u32, u32>,
}

impl Recorded {
    /// Creates the source; nothing is followed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether this process is recorded and this user may look at it.
    pub fn sees_locks_of(&self, pid: u32) -> bool {
        match &self.chosen {
            Some((of, _)) if *of == pid => true,
            _ => Followed::start(pid).is_some(),
        }
    }

    fn read_chosen(&mut self, pid: u32, reading: &mut Reading) {
        let alive = reading.chosen.as_ref().is_some_and(|it| !it.ended);
        let same = self
            .chosen
            .as_ref()
            .is_some_and(|(of, followed)| *of == pid && (!alive || followed.is_of(pid)));
        if !same
            && alive
            && let Some(followed) = Followed::start(pid)
        {
            self.chosen = Some((pid, followed));
        }
        let Some((of, followed)) = &mut self.chosen else {
            return;
        };
        let Some(chosen) = reading.chosen.as_mut().filter(|_| *of == pid) else {
            return;
        };
        chosen.locks = followed.profile(alive).map(|it| (it, SeenBy::Recorder));
        if let Ok((profile, _)) = &chosen.locks {
            let waits = Waits::of(chosen.name.clone(), profile, SeenBy::Recorder);
            reading.waits.insert(pid, waits);
        }
    }

    fn read_all(&mut self, reading: &mut Reading) {
        let running = processes();
        self.all
            .retain(|pid, followed| running.contains(pid) && followed.is_of(*pid));
        self.others.retain(|pid, _| running.contains(pid));
        for pid in running {
            if !self.all.contains_key(&pid) {
                let seen = self.others.entry(pid).or_default();
                *seen = seen.saturating_add(1);
                if *seen > LOOK_AT_FIRST && !seen.is_multiple_of(LOOK_AGAIN) {
                    continue;
                }
                let Some(followed) = Followed::start(pid) else {
                    continue;
                };
                self.others.remove(&pid);
                self.all.insert(pid, followed);
            }
            let profile = self.all.get_mut(&pid).map(|it| it.profile(true));
            if let Some(Ok(profile)) = profile {
                let waits = Waits::of(name_of(pid), &profile, SeenBy::Recorder);
                reading.waits.insert(pid, waits);
            }
        }
    }
}

impl Source for Recorded {
    fn read(&mut self, reading: &mut Reading) {
        match reading.chosen.as_ref().map(|chosen| chosen.pid) {
            Some(pid) => self.read_chosen(pid, reading),
            None => self.read_all(reading),
        }
    }

    fn choose(&mut self, pid: Option<u32>) {
        // Names looked up in the overview are also useful on the program's own page, and vice versa.
        if let Some((pid, followed)) = self.chosen.take() {
            self.all.insert(pid, followed);
        }
        self.chosen = pid.and_then(|pid| Some((pid, self.all.remove(&pid)?)));
    }

    fn save(&mut self, file: &mut dyn std::io::Write) -> Option<anyhow::Result<Form>> {
        let (_, followed) = self.chosen.as_ref()?;
        Some(followed.copy(file).map(|()| Form::Recording))
    }
}

fn processes() -> std::collections::BTreeSet<u32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}
