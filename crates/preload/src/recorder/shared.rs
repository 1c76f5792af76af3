//! The data that the recorder's lock protects, and the guard of the lock.

use super::process::Recorder;
use crate::modules::Modules;
use crate::numbers::{Births, Stacks};
use crate::part::Part;
use crate::sites::{SiteAddresses, Sites};
use crate::slots::Slots;
use crate::sys;
use crate::thread::Thread;

/// What the lock protects.
pub struct Shared {
    pub part: Part,
    pub sites: Sites,
    /// Files mapped with code.
    pub modules: Modules,
    pub stacks: Stacks,
    pub births: Births,
    pub slots: Slots,
    /// The tables for hooks whose thread has no tables to add to at that moment.
    pub stand_in: Thread,
}

/// The recorder's lock, held.
pub struct Guard<'a> {
    recorder: &'a Recorder,
    signals: u64,
}

impl Recorder {
    /// Takes the lock: see G3.
    pub fn lock(&self) -> Guard<'_> {
        let signals = sys::block_signals();
        self.lock.acquire();
        Guard {
            recorder: self,
            signals,
        }
    }
}

impl Guard<'_> {
    pub fn shared(&self) -> &Shared {
        &self.recorder.shared
    }

    pub fn addresses(&self) -> &SiteAddresses {
        &self.recorder.addresses
    }

    /// Reads the mappings of the process again: there is code in no known file, or a file has been unmapped.
    pub fn look_for_code(&self) {
        let shared = self.shared();
        // SAFETY: G2, since the guard is the lock.
        unsafe { shared.modules.look_again(&shared.part) };
    }

    /// Makes the file long enough for a process that will not be able to extend it.
    pub fn reserve(&self) {
        self.shared().part.reserve();
    }

    /// Notes that libraries have been unloaded: others may be loaded at their addresses.
    pub fn forget_code_that_has_gone(&self) {
        let shared = self.shared();
        // SAFETY: G2, since the guard is the lock.
        unsafe {
            shared
                .modules
                .forget_gone(|code| shared.sites.retire(self.addresses(), &code));
        }
    }

    /// Returns the number of the site at `address`, or 0.
    pub fn site(&self, address: usize) -> u32 {
        let shared = self.shared();
        // SAFETY: G2, since the guard is the lock.
        unsafe {
            let (modules, part) = (&shared.modules, &shared.part);
            shared
                .sites
                .intern(address, self.addresses(), modules, part)
        }
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.recorder.lock.release();
        sys::restore_signals(self.signals);
    }
}
