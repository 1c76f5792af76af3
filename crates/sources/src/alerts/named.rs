//! From what a look showed to alerts with the names of locks and places.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use locktoll_recording::reader::Recording;

use super::glimpse::{Glimpse, Hold, Wait};
use super::seen::Raised;
use super::seized::Seized;
use super::waiters::{grouped, present};
use super::witness::Witnessed;
use crate::futexes;
use crate::recording::{Places, Symbols, places};
use crate::stuck::Calls;
use locktoll_results::profile::{Alert, AlertKind, AlertThread, Frame, Lock, Use, caller};
use locktoll_terminal::system::files::open_regular;

/// The names of all processes, as they were found last. Names are looked up when a process begins and when something new goes on,
/// before it is too long: the first look-up reads the program's files, which may take longer than a hold.
#[derive(Default)]
pub struct Names {
    symbols: Symbols,
    places: HashMap<PathBuf, Places>,
    /// The names of calls, by process.
    calls: HashMap<u32, futexes::Names>,
}

/// Longest time spent on debug information for one alert.
const NAMES: Duration = Duration::from_millis(1_300);

impl Names {
    /// Returns the alerts of an event.
    pub fn alerts(&mut self, seized: &Seized) -> Vec<Alert> {
        let event = &seized.event;
        self.learn(&event.part, &event.glimpse);
        let unknown = Places::default();
        let of_process = OfProcess {
            places: self.places.get(&event.part).unwrap_or(&unknown),
            glimpse: &event.glimpse,
            start_ns: event.start_ns,
        };
        let names = self.calls.entry(event.glimpse.pid).or_default();
        let raised = event.raised.iter().zip(&seized.witnessed);
        raised
            .filter_map(|(raised, witnessed)| {
                let alert = of_process.alert(raised)?;
                Some(with_calls(alert, witnessed, names))
            })
            .collect()
    }

    /// Looks the names up again if one is missing.
    fn learn(&mut self, part: &Path, glimpse: &Glimpse) {
        let known = |places: &Places| {
            let holds = glimpse.holds.iter().map(|it| (it.lock, it.site));
            let mut all = holds.chain(glimpse.waits.iter().map(|it| (it.lock, it.site)));
            all.all(|(lock, site)| places.knows(lock, site))
        };
        if self.places.get(part).is_some_and(known) {
            return;
        }
        let file = open_regular(part).map_err(Into::into);
        if let Ok(recording) = file.and_then(|file| Recording::read(&file)) {
            let places = places(&recording, &mut self.symbols);
            self.places.insert(part.to_owned(), places);
        }
    }
}

/// What is known of one process.
struct OfProcess<'a> {
    places: &'a Places,
    glimpse: &'a Glimpse,
    start_ns: u64,
}

impl OfProcess<'_> {
    fn alert(&self, raised: &Raised) -> Option<Alert> {
        match raised {
            Raised::Hold(hold, ns) => Some(self.hold(hold, *ns)),
            Raised::Wait(wait, ns) => self.wait(wait, *ns),
        }
    }

    fn hold(&self, hold: &Hold, ns: u64) -> Alert {
        Alert {
            holder: Some(self.thread(hold.tid, hold.site)),
            ..self.of_lock(AlertKind::Hold, hold.lock, ns)
        }
    }

    fn wait(&self, wait: &Wait, ns: u64) -> Option<Alert> {
        // A wait for a signal is not one for a lock.
        let named = self.named(wait.lock);
        if named.is_some_and(|it| it.used_as == Use::Signal) {
            return None;
        }
        let held_now = self.glimpse.holds.iter().find(|it| it.lock == wait.lock);
        let holder = held_now.map(|it| (it.tid, it.site)).or(wait.holder);
        Some(Alert {
            holder: holder.map(|(tid, site)| self.thread(tid, site)),
            waiter: Some(self.thread(wait.tid, wait.site)),
            ..self.of_lock(AlertKind::Wait, wait.lock, ns)
        })
    }

    fn of_lock(&self, kind: AlertKind, lock: u64, ns: u64) -> Alert {
        let named = self.named(lock);
        let waits = || self.glimpse.waits.iter().filter(|it| it.lock == lock);
        let longest = waits().min_by_key(|it| it.since_ns);
        let text = |of: fn(&Lock) -> &String| {
            named.map_or_else(|| format!("{lock:#x}"), |it| of(it).clone())
        };
        Alert {
            at_ns: self.glimpse.at_ns.saturating_sub(self.start_ns),
            kind,
            lock: text(|it| &it.id),
            name: text(|it| &it.name),
            ns,
            pid: self.glimpse.pid,
            holder: None,
            waiter: longest.map(|it| self.thread(it.tid, it.site)),
            waiters: waits().count() as u64,
            waiting: grouped(
                waits().map(|it| (it.tid, self.site(it.site), it.since_ns)),
                self.glimpse.at_ns,
            ),
        }
    }

    fn named(&self, lock: u64) -> Option<&Lock> {
        self.places.lock(lock)
    }

    fn thread(&self, tid: u32, site: u32) -> AlertThread {
        AlertThread::at(tid, self.site(site))
    }

    fn site(&self, site: u32) -> Option<Frame> {
        self.places.site(site).and_then(caller).cloned()
    }
}

/// Adds what the threads of an alert were doing.
fn with_calls(alert: Alert, witnessed: &Witnessed, names: &mut futexes::Names) -> Alert {
    let sight = witnessed.sight.as_ref();
    let calls = sight.map(|it| it.named(names, Instant::now() + NAMES));
    let calls: HashMap<u32, Calls> = calls
        .into_iter()
        .flatten()
        .map(|it| (it.own_tid, it))
        .collect();
    let of = |tid: u32| calls.get(&tid);
    let holder = alert.holder.map(|holder| match witnessed.why_no_holder {
        None => {
            let calls = of(holder.tid);
            present(holder, calls)
        }
        Some(why) => AlertThread {
            cut: Some(why.to_owned()),
            ..holder
        },
    });
    let waiter = alert.waiter.map(|waiter| {
        let calls = of(waiter.tid);
        present(waiter, calls)
    });
    Alert {
        holder,
        waiter,
        ..alert
    }
}
