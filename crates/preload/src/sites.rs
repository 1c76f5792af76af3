//! Call sites of the process: each return address gets a small number, once.
//!
//! # Invariants
//!
//! - **C1** `addresses[id]` is written once, before `id` is handed out, and never again, except with
//!   [`RETIRED`].
//! - **C2** All else is touched only by the holder of the recorder's lock.

use core::cell::{Cell, UnsafeCell};
use core::ops::Range;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicUsize};

use locktoll_recording::layout::{DropReason, NO_OWNER, SiteRecord};
use locktoll_recording::writer::SegmentWriter;

use crate::modules::Modules;
use crate::part::Part;

/// The number of sites that are kept. Beyond it, acquisitions are counted without a site.
const SITES: usize = 1 << 16;

/// Counts how often code has been unloaded.
static EPOCH: AtomicU32 = AtomicU32::new(0);

/// Returns the epoch. While it stays the same, no code has been unloaded, and an address means the same site as before.
#[inline(always)]
pub fn epoch() -> u32 {
    // Relaxed: a thread that runs code loaded in the place of other code has synchronised with the thread that loaded it.
    EPOCH.load(Relaxed)
}

/// The address of a site whose code has been unloaded. No call returns there.
const RETIRED: usize = 1;

/// The return address of each site by its number. Number 0 is not a site; its address is 0.
pub struct SiteAddresses([AtomicUsize; SITES]);

impl SiteAddresses {
    /// Returns the address of site `id`, which was handed out by [`Sites::intern`] and is therefore less than `SITES`.
    #[inline(always)]
    pub fn get(&self, id: u32) -> usize {
        // Relaxed: the thread that was given `id` took the recorder's lock for it, after C1's writer had held it. The
        // remainder does not change `id`, and saves a bounds check on every acquisition.
        self.0[id as usize % SITES].load(Relaxed)
    }

    /// Gives a site its address without a recorder.
    #[cfg(test)]
    pub fn set_for_test(&self, id: u32, address: usize) {
        self.0[id as usize].store(address, Relaxed);
    }
}

/// The numbers of sites by their address, and the segment where they are written.
pub struct Sites {
    /// Open addressing, at most half full; 0 is free.
    numbers: [Cell<u32>; 2 * SITES],
    last: Cell<u32>,
    segment: UnsafeCell<Option<SegmentWriter<SiteRecord>>>,
}

impl Sites {
    /// Forgets what another process may have left.
    ///
    /// # Safety
    /// C2, and the memory is all zeros except `segment`.
    pub unsafe fn start(&self) {
        // SAFETY: C2.
        unsafe { self.segment.get().write(None) };
    }

    /// Returns the number of the site at `address`, or 0 if there is no room for it.
    ///
    /// # Safety
    /// C2.
    pub unsafe fn intern(
        &self,
        address: usize,
        addresses: &SiteAddresses,
        modules: &Modules,
        part: &Part,
    ) -> u32 {
        let mask = self.numbers.len() - 1;
        let mut place = address.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32 & mask;
        loop {
            let number = self.numbers[place & mask].get();
            if number == 0 {
                break;
            }
            if addresses.get(number) == address {
                return number;
            }
            place = (place + 1) & mask;
        }
        let number = self.last.get() + 1;
        // SAFETY: C2 is the callee's condition.
        if number as usize >= SITES || !unsafe { self.write(number, address, modules, part) } {
            part.drop_one(DropReason::SiteTableFull);
            return 0;
        }
        self.last.set(number);
        addresses.0[number as usize].store(address, Relaxed);
        self.numbers[place & mask].set(number);
        number
    }

    /// Retires the sites in `code`, which has been unloaded: later code at the same addresses gets other numbers.
    ///
    /// # Safety
    /// C2.
    pub unsafe fn retire(&self, addresses: &SiteAddresses, code: &Range<usize>) {
        EPOCH.fetch_add(1, Relaxed);
        for number in 1..=self.last.get() {
            // The number stays in the table, but no search finds it. C1 holds for what records refer to, not for what searches
            // look for.
            if code.contains(&addresses.get(number)) {
                addresses.0[number as usize].store(RETIRED, Relaxed);
            }
        }
    }

    /// # Safety
    /// C2.
    unsafe fn write(&self, number: u32, address: usize, modules: &Modules, part: &Part) -> bool {
        // SAFETY: C2 for both callees.
        let place = unsafe { modules.locate(address, part) };
        // SAFETY: C2: nobody else has a reference to the segment.
        let segment = unsafe { &mut *self.segment.get() };
        // SAFETY: C2.
        let record = unsafe {
            part.append(segment, NO_OWNER, 8, |record: &SiteRecord| {
                record.address.store(address as u64, Relaxed);
                record.file_offset.store(place.file_offset, Relaxed);
                record.module.store(place.module, Relaxed);
                record.id.store(number, Relaxed);
            })
        };
        record.is_some()
    }
}
