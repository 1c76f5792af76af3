//! The threads of a look, what each waits for, and for whom.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::called::with_names;
use super::facts::Seen;
use super::graph;
use super::locks::Locks;
use super::object::{Holder, holder};
use super::recorded::Recorded;
use super::space::{ONLY, Space};
use super::threads::InCall;
use super::wait::Wait;
use crate::futexes::Names;
use locktoll_results::hang::{
    Deadlock, Edge, HangResult, HangThread, ObjectKind, SystemCall, WaitsFor,
};
use locktoll_results::profile::Frame;

/// The threads of a look.
pub struct Described<'a> {
    space: &'a Space,
    names: &'a Names,
    seen: &'a [Seen],
    frames: Vec<Vec<Frame>>,
    waits: Vec<Wait>,
    locks: Locks,
    edges: Vec<Edge>,
    /// For each edge, the index of the thread that waits.
    waiters: Vec<usize>,
    recorded_waits: HashMap<u32, (u64, u64)>,
    /// Ids here by the ids that the process itself sees.
    ids: HashMap<u32, u32>,
}

/// For each thread, by its index, the threads for which it waits, by their ids here.
pub type Owners = BTreeMap<usize, Vec<u32>>;

impl<'a> Described<'a> {
    /// Finds out what each thread waits for, and for whom.
    pub fn of(
        space: &'a Space,
        names: &'a Names,
        seen: &'a [Seen],
        recorded: Option<&Recorded>,
    ) -> Self {
        let ids: HashMap<u32, u32> = seen.iter().map(|it| (it.own_tid, it.tid)).collect();
        let frames_of = |address: u64| names.frames((ONLY, address)).to_vec();
        let frames: Vec<Vec<Frame>> = seen.iter().map(|it| with_names(it, frames_of)).collect();
        let is_thread = |own: u32| ids.contains_key(&own);
        let waits: Vec<Wait> = seen
            .iter()
            .zip(&frames)
            .map(|(it, frames)| match &it.call {
                Some(call) => Wait::of(call, frames, space, &is_thread),
                None => Wait::nothing(),
            })
            .collect();
        let mut described = Self {
            space,
            names,
            seen,
            frames,
            waits,
            locks: Locks::default(),
            edges: Vec::new(),
            waiters: Vec::new(),
            recorded_waits: recorded.map(|it| it.waits.clone()).unwrap_or_default(),
            ids,
        };
        described.find_holders(recorded);
        described
    }

    /// Notes each object with its holder, and an edge for each thread that waits for another.
    fn find_holders(&mut self, recorded: Option<&Recorded>) {
        for index in 0..self.seen.len() {
            let wait = &self.waits[index];
            if let Some((address, kind)) = wait.object {
                let found = self.holder_of(index, recorded);
                let is_new = self.locks.meet(address, kind);
                if is_new {
                    let frames = &self.frames[index];
                    let site = |address: u64| self.names.frames((ONLY, address)).first().cloned();
                    self.locks
                        .describe(address, self.space, frames, &found, site, &self.ids);
                }
            }
            let owners = self.owners_of(index, recorded);
            let lock = wait.object.map(|(address, _)| Locks::id(address));
            for to_tid in owners {
                self.edges.push(Edge {
                    from_tid: self.seen[index].tid,
                    lock: lock.clone(),
                    to_tid,
                    confirmed: false,
                    has_deadline: wait.has_deadline,
                });
                self.waiters.push(index);
            }
        }
    }

    /// Returns the holder of the object for which the thread waits, by its memory, or else by the recording.
    fn holder_of(&self, index: usize, recorded: Option<&Recorded>) -> Found {
        let wait = &self.waits[index];
        let by_memory = holder(self.space, wait, &self.frames[index]);
        let Some((address, kind)) = wait.object else {
            return Found::default();
        };
        let mut holds: Vec<super::recorded::Hold> = Vec::new();
        if let Some(recorded) = recorded {
            holds.extend(recorded.holders(address));
            if recorded.is_signal(address) {
                return Found {
                    memory: Some(Holder::Unknown(
                        "threads notify each other by this semaphore, so no thread holds it"
                            .to_owned(),
                    )),
                    ..Found::default()
                };
            }
        }
        if matches!(kind, ObjectKind::Condvar | ObjectKind::Barrier) {
            holds.clear();
        }
        if let Some(Holder::Thread(own)) = by_memory {
            holds.retain(|it| it.own_tid == own);
        }
        Found {
            memory: by_memory,
            holds,
        }
    }

    /// Returns the threads for which a thread waits, by their ids here.
    fn owners_of(&self, index: usize, recorded: Option<&Recorded>) -> Vec<u32> {
        let wait = &self.waits[index];
        if wait.waits_for == WaitsFor::Join {
            return self.joined(index).into_iter().collect();
        }
        let found = self.holder_of(index, recorded);
        let own: Vec<u32> = match (found.memory, &found.holds[..]) {
            (Some(Holder::Thread(own)), _) => vec![own],
            (Some(Holder::Nobody), _) => Vec::new(),
            // Any one of several threads may give a semaphore back, so none of them alone keeps the waiter.
            (_, holds) if wait.waits_for == WaitsFor::Semaphore && holds.len() != 1 => Vec::new(),
            (_, holds) => holds.iter().map(|it| it.own_tid).collect(),
        };
        let mut here: Vec<u32> = own
            .iter()
            .filter_map(|own| self.ids.get(own).copied())
            .collect();
        here.sort_unstable();
        here.dedup();
        here
    }

    /// Returns the thread whose end a thread waits for: its id is in the word until it ends.
    fn joined(&self, index: usize) -> Option<u32> {
        let wait = self.waits[index].futex?;
        let own = self
            .space
            .word(wait.word)
            .filter(|&own| own == wait.value)?;
        self.ids.get(&own).copied()
    }

    /// Returns the calls of the threads that wait for others.
    pub fn waits_of_edges(&self) -> HashMap<u32, InCall> {
        let of = |&index: &usize| Some((self.seen[index].tid, self.seen[index].call?));
        self.waiters.iter().filter_map(of).collect()
    }

    /// Returns the threads for which each waits, now.
    pub fn owners_now(&self, recorded: Option<&Recorded>) -> Owners {
        let waiters: HashSet<usize> = self.waiters.iter().copied().collect();
        let owners = waiters.into_iter();
        owners
            .map(|index| (index, self.owners_of(index, recorded)))
            .collect()
    }

    /// Confirms the waits of these threads for the same threads as before, unless another look has confirmed as many: what one look
    /// confirms was true at one moment. Returns whether yet another look could confirm more.
    pub fn confirm(&mut self, still: &HashSet<u32>, owners: &Owners) -> bool {
        let is_same = |(edge, index): (&Edge, &usize)| {
            let owners = owners.get(index);
            still.contains(&edge.from_tid) && owners.is_some_and(|it| it.contains(&edge.to_tid))
        };
        let edges = self.edges.iter().zip(&self.waiters);
        let same: Vec<bool> = edges.map(is_same).collect();
        let confirmed = |same: &[bool]| same.iter().filter(|it| **it).count();
        let known: Vec<bool> = self.edges.iter().map(|it| it.confirmed).collect();
        if confirmed(&same) > confirmed(&known) {
            for (edge, same) in self.edges.iter_mut().zip(same) {
                edge.confirmed = same;
            }
        }
        let mut open = self.edges.iter().zip(&self.waiters);
        open.any(|(edge, &index)| !edge.confirmed && self.waits[index].naps)
    }

    /// Confirms all waits: nothing moves in a core file.
    pub fn confirm_all(&mut self) {
        for edge in &mut self.edges {
            edge.confirmed = true;
        }
    }

    /// Returns the result so far.
    pub fn result(mut self) -> HangResult {
        // A wait that was not confirmed may have ended, and then no thread waits for another.
        self.edges.retain(|it| it.confirmed);
        let mut deadlocks = graph::deadlocks(&self.edges);
        let given_up = self.seen.iter().zip(&self.waits);
        deadlocks.extend(
            given_up
                .filter(|(_, wait)| wait.is_given_up())
                .map(|(seen, _)| Deadlock {
                    threads: vec![seen.tid],
                    locks: Vec::new(),
                }),
        );
        let chains = graph::chains(&self.edges);
        let awaited: HashSet<u32> = self.edges.iter().map(|it| it.to_tid).collect();
        let threads = (0..self.seen.len())
            .map(|index| self.thread(index, &awaited))
            .collect();
        HangResult {
            schema: HangResult::SCHEMA.to_owned(),
            version: locktoll_terminal::version::version().to_owned(),
            made: None,
            pid: None,
            command: Vec::new(),
            core: None,
            looked: None,
            threads,
            locks: self.locks.finish(),
            edges: self.edges,
            deadlocks,
            chains,
            notes: Vec::new(),
        }
    }

    fn thread(&self, index: usize, awaited: &HashSet<u32>) -> HangThread {
        let (seen, wait) = (&self.seen[index], &self.waits[index]);
        let idle = seen
            .call
            .is_some_and(|call| wait.is_for_work(&call, seen.file.as_deref()));
        let recorded = self.recorded_waits.get(&seen.own_tid);
        let since = recorded.filter(|(lock, _)| {
            let object = wait.object.map(|(address, _)| address);
            object.is_none_or(|address| address == *lock) && wait.waits_for != WaitsFor::Nothing
        });
        HangThread {
            tid: seen.tid,
            name: seen.name.clone(),
            waits_for: wait.waits_for,
            lock: wait.object.map(|(address, _)| Locks::id(address)),
            since_ns: since.map(|&(_, ns)| ns),
            unmoved_ns: None,
            joins_tid: (wait.waits_for == WaitsFor::Join)
                .then(|| self.joined(index))
                .flatten(),
            call: seen.call.map(|call| {
                let (name, fd) = super::call::described(&call);
                SystemCall {
                    name,
                    fd,
                    file: seen.file.clone(),
                }
            }),
            has_deadline: wait.has_deadline,
            is_idle: idle && !awaited.contains(&seen.tid),
            stack: self.frames[index].clone(),
            stack_cut: seen.cut.map(|it| it.words().to_owned()),
        }
    }
}

/// What is known of an object's holder.
#[derive(Debug, Default)]
pub struct Found {
    /// By the object's memory.
    pub memory: Option<Holder>,
    /// By the recording.
    pub holds: Vec<super::recorded::Hold>,
}
