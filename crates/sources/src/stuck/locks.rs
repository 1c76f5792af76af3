//! The objects for which threads wait.

use std::collections::{BTreeMap, HashMap};

use super::described::Found;
use super::object::{Holder, is_recursive};
use super::space::{ONLY, Space};
use super::substituted;
use crate::futexes::{Identity, Statics};
use crate::joiner::Origin;
use locktoll_results::hang::{HangLock, HolderKnownBy, ObjectKind};
use locktoll_results::profile::{Frame, LockKind, Use, caller, described};
use locktoll_terminal::quantity::counted;

/// All of them, by address.
#[derive(Debug, Default)]
pub struct Locks(BTreeMap<u64, HangLock>);

impl Locks {
    /// Returns the id of the object at an address.
    pub fn id(address: u64) -> String {
        format!("{address:#x}")
    }

    /// Counts a thread that waits for the object. Returns whether it is the first one.
    pub fn meet(&mut self, address: u64, kind: ObjectKind) -> bool {
        let known = self.0.len();
        let lock = self.0.entry(address).or_insert_with(|| HangLock {
            id: Self::id(address),
            name: String::new(),
            kind,
            owner_tid: None,
            owner_site: None,
            owner_known_by: None,
            held_ns: None,
            acquisition: None,
            note: None,
            waiting: 0,
        });
        lock.waiting += 1;
        self.0.len() > known
    }

    /// Names the object, and notes its holder. `frames` are the calls of a thread that waits for it; `site` has the function at a
    /// return address, `ids` the ids here of the ids that the process itself sees.
    pub fn describe(
        &mut self,
        address: u64,
        space: &Space,
        frames: &[Frame],
        found: &Found,
        site: impl Fn(u64) -> Option<Frame>,
        ids: &HashMap<u32, u32>,
    ) {
        let Some(lock) = self.0.get_mut(&address) else {
            return;
        };
        lock.name = name(space, address, lock.kind, frames);
        let by_recording = found.holds.first();
        match (&found.memory, by_recording) {
            (Some(Holder::Thread(own)), _) => match ids.get(own) {
                Some(&tid) => {
                    lock.owner_tid = Some(tid);
                    lock.owner_known_by = Some(HolderKnownBy::Lock);
                }
                None => {
                    lock.note = Some(format!(
                        "held by thread {own}, which has ended or belongs to another process"
                    ));
                }
            },
            (Some(Holder::Nobody), _) => {
                lock.note = Some("no thread holds it: it is being handed over".to_owned());
            }
            (_, Some(hold)) if found.holds.len() == 1 => {
                lock.owner_tid = ids.get(&hold.own_tid).copied();
                lock.owner_known_by = Some(HolderKnownBy::Recording);
            }
            (_, Some(_)) => {
                let tids: Vec<String> = found
                    .holds
                    .iter()
                    .filter_map(|it| Some(ids.get(&it.own_tid)?.to_string()))
                    .collect();
                lock.note = Some(format!("held by several threads: {}", tids.join(", ")));
            }
            (Some(Holder::Readers(readers)), None) => {
                lock.note = Some(format!(
                    "held by {}, which the lock does not name; `locktoll record` notes the threads",
                    counted(u64::from(*readers), "reader", "readers")
                ));
            }
            (Some(Holder::Unknown(why)), None) => lock.note = Some(why.clone()),
            (None, None) => {}
        }
        if let (Some(hold), Some(_)) = (by_recording, lock.owner_tid) {
            lock.owner_site = hold.site.and_then(site);
            lock.held_ns = hold.held_ns;
            // A recursive mutex is acquired further times during one hold.
            let is_recursive = lock.kind == ObjectKind::Mutex && is_recursive(space, address);
            lock.acquisition = hold.acquisition.filter(|_| !is_recursive);
        }
    }

    /// Returns all of them, the ones with the most waiting threads first.
    pub fn finish(self) -> Vec<HangLock> {
        let mut all: Vec<HangLock> = self.0.into_values().collect();
        all.sort_by_key(|it| std::cmp::Reverse(it.waiting));
        all
    }
}

/// Returns the variable that contains the object, or the place that waits for it.
fn name(space: &Space, address: u64, kind: ObjectKind, frames: &[Frame]) -> String {
    // A word of the library itself, on which a thread sleeps, is not the lock.
    let is_of_library = kind == ObjectKind::Futex && substituted::is_waited_for(frames);
    match origin(space, address, frames) {
        origin @ (Origin::Variable { .. } | Origin::Unnamed { .. }) if !is_of_library => {
            origin.name(LockKind::Mutex, Use::Lock)
        }
        _ => match caller(frames) {
            Some(frame) => format!("{} waited for in {}", kind.words(), described(frame)),
            None => format!("{} at {address:#x}", kind.words()),
        },
    }
}

/// Returns where the object at `address` lies: in a variable, or else it is known by the calls that wait for it.
pub fn origin(space: &Space, address: u64, frames: &[Frame]) -> Origin {
    let mut statics = Statics::of(&space.processes);
    match statics.find(ONLY, address) {
        Some(identity @ (Identity::Variable(..) | Identity::Unnamed(..))) => {
            statics.origin(&identity, &[])
        }
        _ => Origin::WaitedFor(frames.to_vec()),
    }
}
