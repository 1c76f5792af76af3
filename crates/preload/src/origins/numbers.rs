//! The numbers of the calling thread's stack, and of the births there.

use locktoll_recording::layout::{BirthBy, LockKind, STACK_FRAMES};

use super::births::{BirthKey, Inherited};
use crate::numbers::{StackCache, hash};
use crate::recorder::Recorder;
use crate::unwind::{Beginning, Calls, Frame, Knowledge, KnownPages, Walk};

impl Recorder {
    /// Returns the number of the stack of calls that led to `site`, the return address in the program of this thread's present
    /// call. Returns 0 if there is no room for it.
    ///
    /// To be called from a hook by a thread that does not hold the recorder's lock. `cache` is the calling thread's; without
    /// one it is slower. Takes the lock if the stack is not remembered.
    pub fn stack_id(&self, cache: Option<&StackCache>, site: usize) -> u32 {
        self.stack_of(cache, site, STACK_FRAMES)
    }

    /// Does the same for the innermost `frames` of these calls.
    #[inline(never)]
    pub(super) fn stack_of(&self, cache: Option<&StackCache>, site: usize, frames: usize) -> u32 {
        let nothing_known = KnownPages::none();
        let known_pages = cache.map_or(&nothing_known, |cache| &cache.known_pages);
        let beginning = Beginning {
            here: Frame::here(),
            site,
            frames,
            generation: self.tables().generation(),
        };
        let Some(cache) = cache else {
            return self.walked(None, &beginning, known_pages, None);
        };
        if let Some(id) = cache.walks.find(&beginning, known_pages) {
            return id;
        }
        let walk = cache.walks.begin(&beginning);
        let id = self.walked(Some(cache), &beginning, known_pages, walk);
        if let Some(walk) = walk {
            cache.walks.end(walk, &beginning, id);
        }
        id
    }

    /// Returns the number of the stack that a walk finds.
    #[inline(never)]
    fn walked(
        &self,
        cache: Option<&StackCache>,
        beginning: &Beginning,
        known_pages: &KnownPages,
        walk: Option<&Walk>,
    ) -> u32 {
        let knowledge = Knowledge {
            rules: &self.rules,
            tables: self.tables(),
            look_for_code: &|| self.lock().look_for_code(),
        };
        let mut calls = Calls::NONE;
        calls.find(beginning, knowledge, known_pages, walk);
        let truncated = u64::from(calls.is_truncated);
        let addresses = calls.addresses().iter().map(|&address| address as u64);
        // The same addresses may hold other code later.
        let generation = u64::from(self.tables().generation());
        let hash = hash(addresses.chain([truncated, generation]));
        if let Some(id) = cache.and_then(|cache| cache.stack(hash)) {
            return id;
        }
        let id = self.lock().stack(&calls);
        if let Some(cache) = cache {
            cache.remember_stack(hash, id);
        }
        id
    }

    /// Returns the number of the birth of a lock of `kind`, at a call that returns to `site`. Returns 0 if there is no room
    /// for it.
    ///
    /// In all else it is like [`stack_id`](Self::stack_id).
    #[inline(never)]
    pub fn birth_id(
        &self,
        cache: Option<&StackCache>,
        site: usize,
        by: BirthBy,
        kind: LockKind,
        inherited: Option<Inherited>,
    ) -> u32 {
        let stack = self.stack_id(cache, site);
        let key = BirthKey { stack, by, kind };
        // The cache identifies a birth by its stack alone, so it is not used without a stack, or for an inherited birth.
        let cache = cache.filter(|_| stack != 0 && inherited.is_none());
        if let Some(id) = cache.and_then(|cache| cache.birth(key.word())) {
            return id;
        }
        let id = self.lock().birth(key, site, inherited);
        if let Some(cache) = cache {
            cache.remember_birth(key.word(), id);
        }
        id
    }
}
