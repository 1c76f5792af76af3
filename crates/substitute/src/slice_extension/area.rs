//! The fields of a thread's area for restartable sequences. Invariants: see the folder.

use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicU8, AtomicU32, compiler_fence};

use crate::thread::caller;

/// The size of an area that has the extension's fields (getauxval(3), `AT_RSEQ_FEATURE_SIZE`). One more than the fields need, so
/// that it differs from the 32 bytes of the original registration.
pub const LEAST_BYTES: u32 = 33;

/// Set in the flags by the kernel: the thread may enable the extension (`RSEQ_CS_FLAG_SLICE_EXT_AVAILABLE`).
const OFFERED: u32 = 1 << 4;
/// Set in the flags by the kernel: the thread has enabled it (`RSEQ_CS_FLAG_SLICE_EXT_ENABLED`).
const ENABLED: u32 = 1 << 5;

/// An area as far as it is used here (`struct rseq`).
#[repr(C)]
#[derive(Debug)]
pub struct Area {
    _ids_and_sequence: [u32; 4],
    flags: AtomicU32,
    _more_ids: [u32; 2],
    /// Set by the thread, cleared by the thread or by the kernel with a grant.
    request: AtomicU8,
    /// Set by the kernel with a grant, cleared by the kernel when the grant ends.
    granted: AtomicU8,
}

const _: () = assert!(core::mem::offset_of!(Area, flags) == 16);
const _: () = assert!(core::mem::offset_of!(Area, request) == 28);
const _: () = assert!(core::mem::offset_of!(Area, granted) == 29);

impl Area {
    /// Returns the calling thread's area, if its size includes the extension's fields.
    ///
    /// # Safety
    /// The arguments are the values of the C library's `__rseq_offset` and `__rseq_size`.
    pub unsafe fn of_caller(offset: isize, size: u32) -> Option<NonNull<Self>> {
        if size < LEAST_BYTES {
            return None;
        }
        let area = (caller() as usize).wrapping_add_signed(offset);
        NonNull::new(core::ptr::with_exposed_provenance_mut(area))
    }

    /// Whether the kernel offers the extension to the area's thread.
    pub fn is_offered(&self) -> bool {
        // Relaxed, here and below: E1.
        self.flags.load(Relaxed) & OFFERED != 0
    }

    /// Whether the area's thread has enabled the extension.
    pub fn is_enabled(&self) -> bool {
        self.flags.load(Relaxed) & ENABLED != 0
    }

    /// Requests an extension from now on.
    #[inline(always)]
    pub fn request(&self) {
        self.request.store(1, Relaxed);
        // The compiler must not move anything in the critical section before it.
        compiler_fence(SeqCst);
    }

    /// Ends the request. Returns whether there has been a grant that has not ended.
    #[inline(always)]
    pub fn withdraw(&self) -> bool {
        // The compiler must not move anything in the critical section behind it, nor the load before the store: a grant in
        // between would be missed.
        compiler_fence(SeqCst);
        self.request.store(0, Relaxed);
        compiler_fence(SeqCst);
        self.granted.load(Relaxed) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An area as the kernel and its thread left it.
    fn area(flags: u32, request: u8, granted: u8) -> Area {
        Area {
            _ids_and_sequence: [0; 4],
            flags: AtomicU32::new(flags),
            _more_ids: [0; 2],
            request: AtomicU8::new(request),
            granted: AtomicU8::new(granted),
        }
    }

    #[test]
    fn the_kernels_flags_say_what_is_offered_and_enabled() {
        for (flags, offered, enabled) in [
            (0, false, false),
            (0b1111, false, false),
            (0b01_0000, true, false),
            (0b11_0000, true, true),
        ] {
            let area = area(flags, 0, 0);
            assert_eq!((area.is_offered(), area.is_enabled()), (offered, enabled));
        }
    }

    #[test]
    fn a_request_lasts_until_it_is_withdrawn() {
        let area = area(0, 0, 0);
        area.request();
        assert_eq!(area.request.load(Relaxed), 1);
        assert!(!area.withdraw());
        assert_eq!(area.request.load(Relaxed), 0);
    }

    #[test]
    fn only_a_grant_that_lasts_is_given_back() {
        assert!(area(0, 0, 1).withdraw());
        assert!(!area(0, 0, 0).withdraw(), "the kernel has ended it");
    }

    #[test]
    fn an_area_of_the_original_size_has_no_such_fields() {
        // SAFETY: nothing is read from the areas.
        unsafe {
            for size in [0, 20, 28, 32] {
                assert!(Area::of_caller(-64, size).is_none(), "{size}");
            }
            let area = Area::of_caller(-64, 33).unwrap();
            assert_eq!(area.addr().get(), caller() as usize - 64);
        }
    }
}
