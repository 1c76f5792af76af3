//! The processes whose futex calls are watched: all, or the chosen one.

use std::io::Write;
use std::sync::Arc;

use locktoll_lab::machine::Machine;

use super::all_processes::waits;
use super::one_process::One;
use crate::diagnosis::explained;
use crate::top::model::{Reading, Waits};
use crate::top::source::{Form, Source};
use locktoll_results::Made;
use locktoll_results::doctor::Verb;
use locktoll_results::top::SeenBy;
use locktoll_sources::clock::now_ns;
use locktoll_sources::ebpf::in_outermost_namespace;
use locktoll_sources::futexes::{Capacity, Gathered, Watch, Whom};
use locktoll_terminal::quantity::counted;

/// Room for the kernel's data: the default of `locktoll attach`.
const CAPACITY: Capacity = Capacity {
    entries: 16384,
    rules: 16_777_216,
};

/// Futex calls of all processes, or of one.
#[derive(Default)]
pub struct Futexes {
    all: Option<Watch>,
    one: Option<One>,
    /// Why it was refused, so that it is not asked for again and again.
    refused: Option<String>,
}

impl Futexes {
    /// Creates the source; nothing is watched yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches this process from now on.
    ///
    /// # Errors
    /// Returns why it cannot be watched, in a sentence.
    pub fn begin_one(&mut self, pid: u32) -> Result<(), String> {
        if self.one.as_ref().is_some_and(|one| one.pid() == pid) {
            return Ok(());
        }
        if let Some(refused) = &self.refused {
            return Err(refused.clone());
        }
        match One::begin(pid, CAPACITY) {
            Ok(one) => {
                self.one = Some(one);
                Ok(())
            }
            Err(failure) => {
                let why = failure.to_string();
                self.refused = Some(why.clone());
                Err(why)
            }
        }
    }

    fn read_one(&mut self, pid: u32, reading: &mut Reading) {
        let Some(chosen) = &mut reading.chosen else {
            return;
        };
        // The recorder sees more.
        if chosen.locks.is_ok() {
            return;
        }
        if !chosen.ended {
            if self.one.as_ref().is_some_and(One::is_replaced) {
                self.one = None;
            }
            // The reason for a failure is reported where the program is chosen.
            let _ = self.begin_one(pid);
        }
        let Some(one) = self.one.as_mut().filter(|one| one.pid() == pid) else {
            return;
        };
        let seen = one.profile(!chosen.ended);
        chosen.locks = match seen {
            Ok(profile) => Ok((profile, SeenBy::Kernel)),
            Err(error) => Err(format!("{error:#}")),
        };
        if let Ok((profile, _)) = &chosen.locks {
            let waits = Waits::of(chosen.name.clone(), profile, SeenBy::Kernel);
            reading.notes.extend(profile.warnings.iter().cloned());
            reading.waits.insert(pid, waits);
        }
    }

    fn read_all(&mut self, reading: &mut Reading) {
        // There, processes have the numbers of the outermost namespace.
        if self.all.is_none() && self.refused.is_none() && in_outermost_namespace() {
            match Watch::begin(Whom::All, CAPACITY).map_err(explained(Verb::Top)) {
                Ok(watch) => self.all = Some(watch),
                Err(failure) => self.refused = Some(failure.to_string()),
            }
        }
        let at_ns = now_ns();
        let Some(Ok(gathered)) = self.all.as_mut().map(Watch::gathered) else {
            return;
        };
        reading.sees_all_ns = Some(at_ns);
        reading.notes.extend(dropped(&gathered));
        for (pid, waits) in waits(&gathered, at_ns, crate::running::name_of) {
            // The recorder's figures are better.
            reading.waits.entry(pid).or_insert(waits);
        }
    }
}

/// Returns a note about waits for which the kernel had no room.
fn dropped(gathered: &Gathered) -> Option<String> {
    let dropped = &gathered.dropped;
    let waits = dropped.waits.saturating_add(dropped.threads);
    (waits > 0).then(|| {
        let waits = counted(waits, "wait", "waits");
        format!("the kernel had no room for {waits} since this began: programs may wait more than is shown")
    })
}

impl Source for Futexes {
    fn read(&mut self, reading: &mut Reading) {
        match reading.chosen.as_ref().map(|chosen| chosen.pid) {
            Some(pid) => self.read_one(pid, reading),
            None => self.read_all(reading),
        }
    }

    fn choose(&mut self, pid: Option<u32>) {
        // A program that is not being looked at costs nothing.
        self.refused = None;
        self.all = None;
        self.one = self.one.take().filter(|one| Some(one.pid()) == pid);
    }

    fn save(&mut self, file: &mut dyn Write) -> Option<anyhow::Result<Form>> {
        let one = self.one.as_mut()?;
        Some(one.whole().and_then(|profile| {
            let mut profile = Arc::unwrap_or_clone(profile);
            profile.made = Some(Made::now_on(&Machine::observe()));
            file.write_all(locktoll_shown::json(&profile)?.as_bytes())?;
            Ok(Form::Profile)
        }))
    }
}
