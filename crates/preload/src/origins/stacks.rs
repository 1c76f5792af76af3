//! Numbers of stacks.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{STACK_FRAMES, StackRecord};

use crate::numbers::{Wanted, hash};
use crate::recorder::Guard;
use crate::unwind::Calls;

impl Guard<'_> {
    /// Returns the number of the stack made of `calls`, or 0 if there is no room for it.
    // Not inlined into its caller: otherwise the stack space it needs would be used during the walk too.
    #[inline(never)]
    pub(super) fn stack(&self, calls: &Calls) -> u32 {
        let mut sites = [0; STACK_FRAMES];
        let mut frames = 0;
        for (site, &address) in sites.iter_mut().zip(calls.addresses()) {
            *site = self.site(address);
            if *site == 0 {
                // The table of sites is full: the calls further out are lost.
                break;
            }
            frames += 1;
        }
        if frames == 0 {
            return 0;
        }
        let is_truncated = u32::from(calls.is_truncated || frames < calls.count);
        let sites = &sites[..frames];
        let wanted = Wanted {
            hash: hash(sites.iter().map(|&site| u64::from(site))) ^ u64::from(is_truncated) << 63,
            is: |record: &StackRecord| {
                record.frames.load(Relaxed) as usize == frames
                    && record.truncated.load(Relaxed) == is_truncated
                    && sites
                        .iter()
                        .zip(&record.sites)
                        .all(|(site, field)| field.load(Relaxed) == *site)
            },
            fill: |record: &StackRecord, id| {
                record.id.store(id, Relaxed);
                record.frames.store(frames as u32, Relaxed);
                record.truncated.store(is_truncated, Relaxed);
                for (site, field) in sites.iter().zip(&record.sites) {
                    field.store(*site, Relaxed);
                }
            },
            first_records: 15,
        };
        let shared = self.shared();
        // SAFETY: N1, since the guard is the lock.
        unsafe { shared.stacks.intern(wanted, &shared.part) }
    }
}
