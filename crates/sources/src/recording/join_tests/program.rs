//! A program whose names are known without its files.

use locktoll_recording::appendix::{Appendix, NewSymbol, NewVariable};
use locktoll_recording::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, LockKind, StackWaitRecord,
};
use locktoll_recording::reader::{Recording, append_part_with};

use super::builder::{Builder, histogram, store};
use crate::recording::adds_up::contradictions;
use crate::recording::join;
use locktoll_results::profile::{Frame, Lock, Profile};

/// The address of the data of the builder's module.
pub const DATA: u64 = 0x8000;
/// An address outside of any module.
pub const HEAP: u64 = 0x7f00_0000_0000;

/// The functions at its call sites, by site id: site 1 is in the first function.
pub const FUNCTIONS: &[&str] = &[
    "push",
    "pop",
    "make_queue",
    "main",
    "std::mutex::lock()",
    "std::sys::sync::mutex::futex::Mutex::lock_contended",
    "std::sys::sync::condvar::futex::Condvar::wait",
    "worker",
];

/// One process.
pub struct Program {
    /// Its part.
    pub part: Builder,
    variables: Vec<NewVariable>,
}

/// The subject of a record.
#[derive(Clone, Copy)]
pub struct Key {
    /// Address.
    pub lock: u64,
    /// The kind.
    pub kind: LockKind,
    /// The function.
    pub entry: EntryPoint,
    /// The call site.
    pub site: u32,
    /// The birth.
    pub birth: u32,
    /// The thread slot.
    pub slot: u32,
    /// The generation of the lock at the address.
    pub generation: u32,
}

/// Returns the key of a mutex at `lock`, locked at `site`.
pub const fn mutex(lock: u64, site: u32) -> Key {
    Key {
        lock,
        kind: LockKind::Mutex,
        entry: EntryPoint::Lock,
        site,
        birth: 0,
        slot: 1,
        generation: 0,
    }
}

impl Key {
    /// Returns the key with another entry point.
    pub const fn by(self, entry: EntryPoint) -> Self {
        Self { entry, ..self }
    }

    /// Returns the key with another kind.
    pub const fn of(self, kind: LockKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the key with a birth.
    pub const fn born(self, birth: u32) -> Self {
        Self { birth, ..self }
    }
}

/// Stores the fields that all records about locks begin with.
macro_rules! store_key {
    ($record:expr, $key:expr) => {
        store!(
            $record,
            lock = $key.lock,
            site = $key.site,
            birth = $key.birth,
            generation = $key.generation,
            kind = $key.kind.number(),
            entry = $key.entry.number(),
        )
    };
}

impl Program {
    /// Creates a process with sites for all of [`FUNCTIONS`], and without locks.
    pub fn new(pid: u32) -> Self {
        let mut part = Builder::new(pid, b"./server\0");
        part.module(1, b"/opt/server");
        part.sites(FUNCTIONS.len() as u32, 1);
        Self {
            part,
            variables: Vec::new(),
        }
    }

    /// Adds a variable of the module.
    pub fn variable(&mut self, name: &str, address: u64, bytes: u64) {
        self.variables.push(NewVariable {
            address,
            bytes,
            name: name.to_owned(),
            module_id: 1,
        });
    }

    /// Adds acquisitions, or calls.
    pub fn count(&mut self, key: Key, acquisitions: u64) {
        self.part.one(key.slot, |count: &CountRecord| {
            store_key!(count, key);
            store!(count, acquisitions = acquisitions);
        });
    }

    /// Adds acquisitions that waited this long; `more` fills in what else is known of the waits.
    pub fn waits(&mut self, key: Key, waits: &[u64], more: impl FnOnce(&ContentionRecord)) {
        self.part.one(key.slot, |contention: &ContentionRecord| {
            store_key!(contention, key);
            let longest = waits.iter().copied().max().unwrap_or(0);
            store!(
                contention,
                contended = waits.len() as u64,
                wait_max_ns = longest
            );
            store!(contention, wait_total_ns = waits.iter().sum());
            for (bucket, count) in contention.wait_histogram.iter().zip(histogram(waits)) {
                bucket.store(count, std::sync::atomic::Ordering::Relaxed);
            }
            more(contention);
        });
    }

    /// Adds holds, each of which represents `period` holds.
    pub fn holds(&mut self, key: Key, holds: &[u64], period: u64) {
        self.part.one(key.slot, |hold: &HoldRecord| {
            store_key!(hold, key);
            let total: u64 = holds.iter().sum();
            let longest = holds.iter().copied().max().unwrap_or(0);
            store!(hold, timed = holds.len() as u64, max_ns = longest);
            store!(
                hold,
                timed_total_ns = total,
                estimated_total_ns = total * period
            );
            for (bucket, count) in hold.hold_histogram.iter().zip(histogram(holds)) {
                bucket.store(count, std::sync::atomic::Ordering::Relaxed);
            }
        });
    }

    /// Adds waiting that is charged to a holder.
    pub fn blame(&mut self, key: Key, holder_site: u32, waits: u64, wait_ns: u64) {
        self.part.one(key.slot, |blame: &BlameRecord| {
            store_key!(blame, key);
            store!(
                blame,
                holder_site = holder_site,
                waits = waits,
                wait_ns = wait_ns
            );
        });
    }

    /// Adds waits with a stack; the builder gives the stack the number of its birth.
    pub fn stack_waits(&mut self, key: Key, stack: u32, waits: u64, wait_ns: u64) {
        self.part.one(key.slot, |wait: &StackWaitRecord| {
            store_key!(wait, key);
            store!(wait, stack = stack, waits = waits, wait_ns = wait_ns);
        });
    }

    /// Returns the part with its names.
    pub fn bytes(self) -> Vec<u8> {
        let symbols: Vec<NewSymbol> = (1..)
            .zip(FUNCTIONS)
            .map(|(site_id, function)| NewSymbol {
                site_id,
                depth: 0,
                function: Some((*function).to_owned()),
                file: Some("src/server.cc".to_owned()),
                line: Some(10 * site_id),
                address: 0x100 + u64::from(site_id),
            })
            .collect();
        let appendix = Appendix::new(&symbols, &self.variables);
        let mut bytes = Vec::new();
        append_part_with(&mut bytes, &self.part.bytes()[..], &appendix).unwrap();
        bytes
    }

    /// Returns the profile of this process alone.
    pub fn profile(self) -> Profile {
        profile(&self.bytes())
    }
}

/// Returns the profile of a recording, and checks its sums.
pub fn profile(bytes: &[u8]) -> Profile {
    let recording = Recording::from_bytes(bytes).unwrap();
    assert_eq!(recording.warnings, []);
    let profile = join::profile(&recording);
    assert_eq!(contradictions(&profile), Vec::<String>::new());
    // Nothing depends on the order of a hash map.
    assert_eq!(join::profile(&recording), profile);
    profile
}

/// Returns the row with this name.
pub fn lock<'p>(profile: &'p Profile, name: &str) -> &'p Lock {
    let mut found = profile.locks.iter().filter(|lock| lock.name == name);
    match (found.next(), found.next()) {
        (Some(lock), None) => lock,
        _ => {
            let names: Vec<&str> = profile.locks.iter().map(|it| it.name.as_str()).collect();
            panic!("not one {name} among {names:?}")
        }
    }
}

/// Returns the innermost function.
pub fn function(frames: &[Frame]) -> &str {
    frames[0].function.as_deref().unwrap()
}
