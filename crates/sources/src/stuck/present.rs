//! The present calls of chosen threads, for alerts: what the holder of a lock is doing, and where threads wait for it.
//!
//! Reading and naming are separate, since names can take longer to find than a hold lasts: [`Present::read`] takes the stacks at
//! once, [`Sight::named`] names them later, in another thread.

use std::sync::Arc;
use std::thread;

use super::call;
use super::called;
use super::called::with_names;
use super::facts::Seen;
use super::locks::origin;
use super::look::{Looked, from_afar, one};
use super::space::{Memory, ONLY, Space};
use super::stop::come_first;
use super::threads::shows_calls;
use super::wait::Wait;
use crate::futexes::{Names, Processes, Subject, threads_of};
use crate::mapped::{Mapping, mappings};
use locktoll_results::hang::WaitsFor;
use locktoll_results::profile::{Frame, LockKind, Use, kind_word};
use locktoll_terminal::system::files::open_of_process;

/// A running process whose threads can be read at any time.
pub struct Present {
    subject: Subject,
    space: Arc<Space>,
    code: Vec<Mapping>,
}

impl Present {
    /// Makes the tables of the code of a process. This takes longer than a look at its threads.
    pub fn of(pid: u32) -> Option<Self> {
        let subject = Subject::of(pid).ok()?;
        let code = code_of(pid)?;
        let memory = open_of_process(pid, "mem").ok()?;
        let processes = Processes::begin([(ONLY, subject.clone())]);
        let space = Space::of(processes, Memory::Live(memory), &code);
        Some(Self {
            subject,
            space: Arc::new(space),
            code,
        })
    }

    /// Whether the process still has the code of which the tables were made.
    pub fn is_current(&self) -> bool {
        code_of(self.subject.pid).is_some_and(|it| it == self.code)
    }

    /// Reads threads, by the ids that the process itself sees. Those of `waiters` are read while they sleep. `holder` is stopped
    /// for as long as it takes to read its stack, unless it sleeps and its stack can be read without a stop.
    pub fn read(&self, holder: Option<u32>, waiters: &[u32]) -> Sight {
        let here = self.ids();
        let (space, pid) = (&*self.space, self.subject.pid);
        // A thread of its own reads: if it fails, the kernel lets the holder go at its end.
        let threads = thread::scope(|scope| {
            let reading = scope.spawn(|| {
                come_first();
                let holder = holder.and_then(|own| holder_of(space, pid, (here(own)?, own)));
                let waiters = waiters
                    .iter()
                    .filter_map(|&own| from_afar(space, pid, (here(own)?, own)));
                let mut all: Vec<Seen> = holder.into_iter().chain(waiters).collect();
                called::note(space, &mut all);
                all
            });
            reading.join().unwrap_or_default()
        });
        Sight {
            space: Arc::clone(&self.space),
            threads,
        }
    }

    /// Returns the mutex at an address.
    pub fn mutex_at(&self, address: u64) -> AwaitedLock {
        mutex_at(&self.space, address)
    }

    /// Returns a function from the ids that the process itself sees to those here.
    fn ids(&self) -> impl Fn(u32) -> Option<u32> + Sync {
        // Threads of a process in another pid namespace have two ids.
        let is_elsewhere = self.subject.own_pid != self.subject.pid;
        let pairs = is_elsewhere.then(|| threads_of(self.subject.pid));
        move |own| match &pairs {
            None => Some(own),
            Some(pairs) => pairs.iter().find(|it| it.1 == own).map(|it| it.0),
        }
    }
}

fn code_of(pid: u32) -> Option<Vec<Mapping>> {
    let all = mappings(pid).ok()?;
    Some(all.into_iter().filter(|it| it.executable).collect())
}

/// Reads the holder without a stop if it sleeps and its whole stack can be read that way.
fn holder_of(space: &Space, pid: u32, ids: (u32, u32)) -> Option<Seen> {
    let asleep = from_afar(space, pid, ids)?;
    if asleep.call.is_some() && asleep.cut.is_none() {
        return Some(asleep);
    }
    one(space, pid, ids, shows_calls(), &mut Looked::default())
}

/// Threads at one moment, without names.
pub struct Sight {
    space: Arc<Space>,
    threads: Vec<Seen>,
}

/// The calls of a thread.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// The thread, by the id that the process itself sees.
    pub own_tid: u32,
    /// Its calls, innermost first.
    pub stack: Vec<Frame>,
    /// Why the stack is empty or ends early.
    pub cut: Option<String>,
    /// The system call in which it was, with the file.
    pub call: Option<String>,
    /// The lock for which it waited.
    pub lock: Option<AwaitedLock>,
    /// Whether it waited for a futex that is not a lock.
    pub waits_for_no_lock: bool,
}

/// A lock for which a thread waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AwaitedLock {
    /// Its address.
    pub address: u64,
    /// Its id in profiles.
    pub id: String,
    /// Its name.
    pub name: String,
}

impl Sight {
    /// Returns the addresses that need names.
    fn addresses(&self) -> Vec<(u32, u64)> {
        let threads = self.threads.iter();
        let mut all: Vec<(u32, u64)> = threads
            .flat_map(|it| {
                let entered = it.entered.map(|it| it.address);
                it.addresses.iter().copied().chain(entered)
            })
            .map(|address| (ONLY, address))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Names the calls. `names` belongs to this process, and keeps what was looked up before; debug information is read until
    /// `deadline`.
    pub fn named(&self, names: &mut Names, deadline: std::time::Instant) -> Vec<Calls> {
        names.look_up(&self.space.processes, &self.addresses(), deadline);
        let threads = self.threads.iter();
        threads.map(|it| self.calls(it, names)).collect()
    }

    /// Returns the mutex at an address.
    pub fn mutex_at(&self, address: u64) -> AwaitedLock {
        mutex_at(&self.space, address)
    }

    fn calls(&self, seen: &Seen, names: &Names) -> Calls {
        let frames = with_names(seen, |address| names.frames((ONLY, address)).to_vec());
        let call = seen.call.map(|it| call::described(&it).0);
        let call = call.map(|name| match &seen.file {
            Some(file) => format!("{name} on {file}"),
            None => name,
        });
        let wait = seen
            .call
            .map(|call| Wait::of(&call, &frames, &self.space, &|_| false));
        let lock = wait.as_ref().and_then(|it| self.lock(it, &frames));
        Calls {
            own_tid: seen.own_tid,
            waits_for_no_lock: lock.is_none() && wait.is_some_and(|it| it.futex.is_some()),
            lock,
            cut: seen.cut.map(|it| it.words().to_owned()),
            call,
            stack: frames,
        }
    }

    /// Returns the lock of a wait, if threads exclude each other by it.
    fn lock(&self, wait: &Wait, frames: &[Frame]) -> Option<AwaitedLock> {
        let kind = match wait.waits_for {
            WaitsFor::Mutex => LockKind::Mutex,
            WaitsFor::Rwlock => LockKind::RwLock,
            WaitsFor::Semaphore => LockKind::Semaphore,
            WaitsFor::Futex => LockKind::Futex,
            _ => return None,
        };
        let (address, _) = wait.object.filter(|_| wait.is_for_a_lock == Some(true))?;
        Some(lock_at(&self.space, address, kind, frames))
    }
}

fn mutex_at(space: &Space, address: u64) -> AwaitedLock {
    lock_at(space, address, LockKind::Mutex, &[])
}

fn lock_at(space: &Space, address: u64, kind: LockKind, frames: &[Frame]) -> AwaitedLock {
    let origin = origin(space, address, frames);
    AwaitedLock {
        address,
        id: origin.id(kind_word(kind)),
        name: origin.name(kind, Use::Lock),
    }
}
