//! The time slice extension of restartable sequences (rseq(2), Linux 7.0).

use locktoll_substitute::slice_extension::Area;

/// What the kernel and the C library say about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SliceExtension {
    /// The bytes of the features that the kernel knows (getauxval(3), `AT_RSEQ_FEATURE_SIZE`); 0 before Linux 6.3.
    pub kernel_bytes: u32,
    /// The bytes of each thread's area, as the C library reports them; 0 if it has registered none.
    pub area_bytes: u32,
    /// Whether the kernel offers it to this thread.
    pub is_offered: bool,
}

impl SliceExtension {
    /// Reads it.
    pub(super) fn read() -> Self {
        const AT_RSEQ_FEATURE_SIZE: libc::c_ulong = 27;
        // SAFETY: getauxval takes no pointer, and a missing entry reads as 0.
        let kernel_bytes = unsafe { libc::getauxval(AT_RSEQ_FEATURE_SIZE) };
        // SAFETY: the names end with a NUL; dlsym looks them up and keeps nothing.
        let (offset, size) = unsafe {
            (
                libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_offset".as_ptr()).cast::<isize>(),
                libc::dlsym(libc::RTLD_DEFAULT, c"__rseq_size".as_ptr()).cast::<u32>(),
            )
        };
        // SAFETY: where the C library has the variables (glibc 2.35 and later), nobody writes to them after start-up.
        let variables = unsafe { offset.as_ref().zip(size.as_ref()) };
        let area = variables.and_then(|(offset, size)| {
            // SAFETY: the variables' values.
            unsafe { Area::of_caller(*offset, *size) }
        });
        Self {
            kernel_bytes: u32::try_from(kernel_bytes).unwrap_or(0),
            area_bytes: variables.map_or(0, |(_, size)| *size),
            // SAFETY: the area of this thread, which lives as long as it does.
            is_offered: area.is_some_and(|area| unsafe { area.as_ref() }.is_offered()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_needs_room_on_both_sides() {
        let read = SliceExtension::read();
        assert!(
            !read.is_offered || read.kernel_bytes >= 33 && read.area_bytes >= 33,
            "{read:?}"
        );
        // The kernel says nothing about areas before Linux 6.3, and 28 bytes or more from then on.
        assert!(
            read.kernel_bytes == 0 || read.kernel_bytes >= 20,
            "{read:?}"
        );
    }
}
