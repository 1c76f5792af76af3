//! Reads what threads are doing at the moment of an alert.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::stuck::{Present, Sight};

/// The most processes whose tables are kept.
const KEPT: usize = 16;
/// The most waiting threads whose calls are read for one alert.
pub const WAITERS: usize = 64;
/// The most holders per second that may be stopped to read their calls.
const PER_SECOND: u32 = 10;
/// The shortest time between two checks for new code in a process.
const CHECK: Duration = Duration::from_millis(200);

/// Reads the present calls of threads.
pub struct Witness {
    processes: Arc<Mutex<HashMap<u32, Known>>>,
    second: Instant,
    in_second: u32,
}

/// What is known of a process.
struct Known {
    present: Option<Arc<Present>>,
    /// When its code was last compared.
    checked: Instant,
    is_being_read: bool,
}

impl Default for Witness {
    fn default() -> Self {
        Self {
            processes: Arc::default(),
            second: Instant::now(),
            in_second: 0,
        }
    }
}

impl Witness {
    /// Gets ready to read threads of this process, in a thread of its own: reading the program's code takes longer than some holds.
    pub fn prepare(&mut self, pid: u32) {
        let mut processes = lock(&self.processes);
        if let Some(known) = processes.get_mut(&pid) {
            if known.is_being_read || known.checked.elapsed() < CHECK {
                return;
            }
            known.checked = Instant::now();
            if known.present.as_ref().is_some_and(|it| it.is_current()) {
                return;
            }
        }
        if processes.len() >= KEPT && !processes.contains_key(&pid) {
            processes.retain(|_, it| it.is_being_read);
        }
        // The tables of the earlier code serve until the new ones are there.
        let present = processes.remove(&pid).and_then(|it| it.present);
        processes.insert(
            pid,
            Known {
                present,
                checked: Instant::now(),
                is_being_read: true,
            },
        );
        drop(processes);
        let shared = Arc::clone(&self.processes);
        thread::spawn(move || {
            let present = Present::of(pid).map(Arc::new);
            let known = Known {
                present,
                checked: Instant::now(),
                is_being_read: false,
            };
            lock(&shared).insert(pid, known);
        });
    }

    /// Reads a holder and threads that wait, by the ids that the process itself sees. `holds` says whether the holder still holds
    /// the lock: its calls are kept only if it does so before and after they are read.
    pub fn read(
        &mut self,
        pid: u32,
        holder: Option<u32>,
        waiters: &[u32],
        holds: impl Fn() -> bool,
    ) -> Witnessed {
        let (present, is_being_read) = match lock(&self.processes).get(&pid) {
            Some(known) => (known.present.clone(), known.is_being_read),
            None => (None, true),
        };
        let holder = holder.filter(|_| holds());
        let may_stop = present.is_some() && holder.is_some() && self.may_stop();
        let waiters = &waiters[..waiters.len().min(WAITERS)];
        let sight = present
            .as_ref()
            .map(|it| it.read(holder.filter(|_| may_stop), waiters));
        let why_no_holder = match (&sight, holder) {
            (None, _) if is_being_read => Some("the program's code had not been read yet"),
            (None, _) => Some("the process cannot be read"),
            (_, None) => Some("the hold had ended before its calls could be read"),
            _ if !may_stop => Some("the calls of at most 10 holders per second are read"),
            _ if !holds() => Some("the hold ended while its calls were read"),
            _ => None,
        };
        // The next alert needs the code that the process has by then.
        self.prepare(pid);
        Witnessed {
            sight,
            why_no_holder,
        }
    }

    fn may_stop(&mut self) -> bool {
        if self.second.elapsed() >= Duration::from_secs(1) {
            (self.second, self.in_second) = (Instant::now(), 0);
        }
        self.in_second += 1;
        self.in_second <= PER_SECOND
    }
}

fn lock(processes: &Mutex<HashMap<u32, Known>>) -> MutexGuard<'_, HashMap<u32, Known>> {
    // An entry is replaced as a whole.
    processes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What was read at an alert.
pub struct Witnessed {
    /// The threads; `None` if the process cannot be read.
    pub sight: Option<Sight>,
    /// Why the holder's calls are not known, if they are not.
    pub why_no_holder: Option<&'static str>,
}

impl Witnessed {
    /// Nothing could be read, for this reason.
    pub fn nothing(why: &'static str) -> Self {
        Self {
            sight: None,
            why_no_holder: Some(why),
        }
    }
}
