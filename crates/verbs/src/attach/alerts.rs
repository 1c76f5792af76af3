//! The watchdog of processes that are watched from the kernel.

use std::collections::HashMap;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::alarm::{Alarm, Delivery};
use locktoll_results::profile::{Alert, Profile};
use locktoll_sources::alerts::{
    AttachedAlert, Blocked, Case, CaseNames, Lasting, Notifications, Rule, Witness,
};
use locktoll_sources::clock::now_ns;
use locktoll_sources::futexes::{Processes, Watch};

/// Looks at waits at most this often compared with the time that a look takes, so that it uses a tenth of a CPU at most.
const SHARE: u32 = 10;

/// The watch over what lasts too long.
pub struct Watchdog {
    rules: Vec<Rule>,
    lasting: Lasting,
    notifications: Notifications,
    began_ns: u64,
    due: Instant,
    cases: mpsc::Sender<Ask>,
    delivering: JoinHandle<Vec<AttachedAlert>>,
}

/// What the thread that reads calls is asked for.
enum Ask {
    /// To get ready for a process.
    Prepare(u32),
    /// To read the threads of a case: the process, what has lasted too long, and when.
    Read(u32, Blocked, (u64, u64)),
}

impl Watchdog {
    /// Begins to watch. Threads of their own read calls and look up names, so that no hold is missed in the meantime.
    pub fn begin(alarm: Alarm<'_>) -> Self {
        let (cases, asked) = mpsc::channel();
        let (sender, read) = mpsc::channel();
        let notifications = Notifications::default();
        thread::spawn(move || {
            let mut witness = Witness::default();
            for ask in asked {
                match ask {
                    Ask::Prepare(pid) => witness.prepare(pid),
                    Ask::Read(pid, blocked, at_ns) => {
                        // The receiver is there until this thread ends.
                        let _ = sender.send(Case::of(&mut witness, pid, blocked, at_ns));
                    }
                }
            }
        });
        let (rules, file) = (alarm.rules.to_vec(), alarm.file);
        let noted = notifications.clone();
        let delivering = thread::spawn(move || {
            let mut names = CaseNames::new(noted);
            let mut delivery = Delivery::begin(file, "profile");
            for case in read {
                if let Some(found) = names.alert(&case) {
                    let alert = found.alert.clone();
                    delivery.put(&alert, found);
                }
            }
            delivery.end()
        });
        Self {
            rules,
            lasting: Lasting::default(),
            notifications,
            began_ns: now_ns(),
            due: Instant::now(),
            cases,
            delivering,
        }
    }

    /// Gets ready for these processes.
    pub fn prepare(&self, processes: &Processes) {
        for (_, observed) in processes.all().filter(|(_, it)| it.end_ns.is_none()) {
            let _ = self.cases.send(Ask::Prepare(observed.subject.pid));
        }
    }

    /// Looks at the waits if it is time. Returns how long later the next look is due.
    ///
    /// # Errors
    /// If the kernel does not let us read the waits.
    pub fn look(&mut self, watch: &Watch, processes: &Processes) -> anyhow::Result<Duration> {
        let began = Instant::now();
        if began < self.due {
            return Ok(self.due - began);
        }
        // A time before the waits are read.
        let now = now_ns();
        let waits = watch.waits_now()?;
        let (raised, next_ns) = self.lasting.look(now, &waits, &self.rules);
        for blocked in raised {
            let number = blocked.process;
            let pid = processes.get(number).map_or(number, |it| it.subject.pid);
            let is_known = self.notifications.has(pid, blocked.word);
            if blocked.owner.is_some() || !is_known {
                let at_ns = (now.saturating_sub(self.began_ns), now);
                // The thread that reads is there as long as this watchdog.
                let _ = self.cases.send(Ask::Read(pid, blocked, at_ns));
            }
        }
        let interval = Duration::from_nanos(Rule::interval_ns(&self.rules));
        let next = next_ns.map(|next| Duration::from_nanos(next.saturating_sub(now_ns())));
        let wait = next.map_or(interval, |next| next.min(interval));
        self.due = Instant::now() + wait.max(began.elapsed() * SHARE);
        Ok(self.due - Instant::now())
    }

    /// Ends the watch. Returns the alerts.
    pub fn end(self) -> Vec<AttachedAlert> {
        drop(self.cases);
        self.delivering.join().unwrap_or_default()
    }
}

/// Puts the alerts into the profile. A lock that is known by its place alone has the name of the row that contains it.
pub fn keep(profile: &mut Profile, alerts: Vec<AttachedAlert>) {
    let mut rows: HashMap<(u32, u64), (&str, &str)> = HashMap::new();
    for lock in &profile.locks {
        for member in &lock.members {
            rows.insert((member.pid, member.address), (&lock.id, &lock.name));
        }
    }
    let named = alerts.into_iter().map(|it| {
        let row = it.address.and_then(|at| rows.get(&(it.alert.pid, at)));
        let Some(&(id, name)) = row else {
            return it.alert;
        };
        Alert {
            lock: id.to_owned(),
            name: name.to_owned(),
            ..it.alert
        }
    });
    let alerts: Vec<Alert> = named.collect();
    profile.alerts = alerts;
}
