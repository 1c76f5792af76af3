//! The records of modules in the recording's file.

use core::cell::UnsafeCell;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{ModuleRecord, NO_OWNER, RangeRecord};
use locktoll_recording::writer::{SegmentWriter, store_bytes};

use super::group::Group;
use crate::clock;
use crate::elf;
use crate::part::Part;

/// Room for a path in a module's record; a longer path gets a longer record.
const USUAL_PATH_BYTES: usize = 192;

/// The segments where the next records go.
pub struct Records {
    modules: UnsafeCell<Option<SegmentWriter<ModuleRecord>>>,
    ranges: UnsafeCell<Option<SegmentWriter<RangeRecord>>>,
}

impl Records {
    /// Forgets what another process may have left.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn start(&self) {
        // SAFETY: M1.
        unsafe {
            self.modules.get().write(None);
            self.ranges.get().write(None);
        }
    }

    /// Writes the module described by `group`. Returns `false` if there is no room.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn write(
        &self,
        group: &Group,
        image: Option<elf::Image>,
        module: u32,
        part: &Part,
    ) -> bool {
        // SAFETY: M1: nobody else has references to them.
        let (modules, ranges) = unsafe { (&mut *self.modules.get(), &mut *self.ranges.get()) };
        let path = group.path();
        let fits = modules
            .as_ref()
            .is_some_and(|segment| segment.room() > 0 && segment.tail_bytes() >= path.len());
        if !fits {
            // SAFETY: M1 is the recorder's lock, which is P1.
            *modules = unsafe { part.long_segment(NO_OWNER, path.len().max(USUAL_PATH_BYTES)) };
        }
        let written = modules.as_mut().and_then(|segment| {
            segment.append_with_tail(|record: &ModuleRecord, tail| {
                record.id.store(module, Relaxed);
                record.path_bytes.store(path.len() as u32, Relaxed);
                record.first_seen_ns.store(clock::monotonic_ns(), Relaxed);
                if let Some((image, bias)) =
                    image.and_then(|image| Some((image, group.bias(image)?)))
                {
                    record.bias.store(bias, Relaxed);
                    record.bias_known.store(1, Relaxed);
                    record.build_id_bytes.store(image.build_id_bytes, Relaxed);
                    store_bytes(&record.build_id, &image.build_id);
                }
                store_bytes(tail, path);
            })
        });
        for stretch in group.stretches() {
            // SAFETY: as above.
            unsafe {
                part.append(ranges, NO_OWNER, 126, |record: &RangeRecord| {
                    record.start.store(stretch.start, Relaxed);
                    record.end.store(stretch.end, Relaxed);
                    record.file_offset.store(stretch.file_offset, Relaxed);
                    record.module.store(module, Relaxed);
                    record.flags.store(stretch.flags, Relaxed);
                })
            };
        }
        written.is_some()
    }
}
