//! The list of modules, and of their ranges of code.

use core::cell::{Cell, UnsafeCell};
use core::ops::Range;

use locktoll_recording::layout::{DropReason, range_flags};

use super::group::{Group, Stretch};
use super::records::Records;
use crate::maps;
use crate::part::Part;
use crate::sys;
use crate::unwind::{Stretch as UnwindStretch, Tables};

/// The greatest number of code ranges.
const CODE_RANGES: usize = 2048;
/// Long enough for a line of `/proc/self/maps` with the longest path.
const BUFFER_BYTES: usize = 8192;
/// The number of bytes read from the beginning of a mapped file.
const IMAGE_BYTES: usize = 4096;
/// After this many readings that found nothing, only every [`PATIENCE`]th unknown address causes another. Code that is
/// generated at run time lies in no file, however often the mappings are read.
const PATIENCE: u32 = 64;

/// A place in a file.
#[derive(Clone, Copy)]
pub struct FilePlace {
    /// The module's number, or 0 if the address lies in no file.
    pub module: u32,
    pub file_offset: u64,
}

#[derive(Clone, Copy)]
struct Code {
    start: u64,
    end: u64,
    file_offset: u64,
    inode: u64,
    module: u32,
}

/// The files mapped with code.
pub struct Modules {
    code: UnsafeCell<[Code; CODE_RANGES]>,
    code_ranges: Cell<usize>,
    last_module: Cell<u32>,
    in_vain: Cell<u32>,
    buffer: UnsafeCell<[u8; BUFFER_BYTES]>,
    group: UnsafeCell<Group>,
    image: UnsafeCell<[u8; IMAGE_BYTES]>,
    /// The unwinder's tables, which it reads without the lock.
    pub tables: Tables,
    records: Records,
}

impl Modules {
    /// Begins with the files that are mapped now. The memory is all zeros.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn start(&self, part: &Part) {
        // SAFETY: M1.
        unsafe {
            self.records.start();
            self.read_maps(part);
        }
    }

    /// Returns the place in a file of the code at `address`.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn locate(&self, address: usize, part: &Part) -> FilePlace {
        let nowhere = FilePlace {
            module: 0,
            file_offset: 0,
        };
        if let Some(place) = self.find(address as u64) {
            return place;
        }
        // SAFETY: M1.
        unsafe { self.look_again(part) };
        self.find(address as u64).unwrap_or(nowhere)
    }

    /// Reads the mappings again, because something has changed. See [`PATIENCE`].
    ///
    /// # Safety
    /// M1.
    pub unsafe fn look_again(&self, part: &Part) {
        let in_vain = self.in_vain.get();
        self.in_vain.set(in_vain.wrapping_add(1));
        if in_vain > PATIENCE && !in_vain.is_multiple_of(PATIENCE) {
            return;
        }
        let known = self.last_module.get();
        // SAFETY: M1.
        unsafe { self.read_maps(part) };
        if self.last_module.get() != known {
            self.in_vain.set(0);
        }
    }

    fn find(&self, address: u64) -> Option<FilePlace> {
        // SAFETY: M1.
        let code = unsafe { &*self.code.get() };
        let code = code.get(..self.code_ranges.get())?;
        let found = code
            .iter()
            .find(|code| (code.start..code.end).contains(&address))?;
        Some(FilePlace {
            module: found.module,
            file_offset: address - found.start + found.file_offset,
        })
    }

    /// # Safety
    /// M1.
    unsafe fn read_maps(&self, part: &Part) {
        let Ok(maps) = sys::open(c"/proc/self/maps", libc::O_RDONLY, 0) else {
            return;
        };
        // SAFETY: M1, and the functions called below use other fields.
        let (buffer, group) = unsafe { (&mut *self.buffer.get(), &mut *self.group.get()) };
        group.clear();
        maps::for_each(&maps, buffer, |mapping| {
            if group.continues_with(&mapping) {
                group.add(&mapping, 0);
            } else if group.is_followed_by_zeros(&mapping) {
                group.add(&mapping, range_flags::ANONYMOUS);
            } else if !group.is_followed_by_a_gap(&mapping) {
                // SAFETY: M1.
                unsafe { self.keep(group, part) };
                group.clear();
                if mapping.path.starts_with(b"/") || mapping.path == b"[vdso]" {
                    group.begin(&mapping);
                    group.add(&mapping, 0);
                }
            }
        });
        // SAFETY: M1.
        unsafe { self.keep(group, part) };
    }

    /// Finds the code ranges that are no longer mapped, and calls `gone` with each.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn forget_gone(&self, mut gone: impl FnMut(Range<usize>)) {
        let Ok(maps) = sys::open(c"/proc/self/maps", libc::O_RDONLY, 0) else {
            return;
        };
        // SAFETY: M1, and the fields are different ones.
        let (buffer, code) = unsafe { (&mut *self.buffer.get(), &mut *self.code.get()) };
        let (known, _) = code.split_at_mut(self.code_ranges.get());
        let mut still_there = [0_u64; CODE_RANGES / 64];
        maps::for_each(&maps, buffer, |mapping| {
            let is_of = |code: &Code| code.inode == mapping.inode && code.start == mapping.start;
            if mapping.executable
                && let Some(place) = known.iter().position(is_of)
            {
                still_there[place / 64] |= 1 << (place % 64);
            }
        });
        for (place, code) in known.iter_mut().enumerate() {
            if code.start < code.end && still_there[place / 64] & 1 << (place % 64) == 0 {
                let range = code.start as usize..code.end as usize;
                code.end = code.start;
                // SAFETY: M1 is the recorder's lock.
                unsafe { self.tables.forget(&range) };
                gone(range);
            }
        }
    }

    /// Writes the module described by `group`, if it has code and is not known yet.
    ///
    /// # Safety
    /// M1.
    unsafe fn keep(&self, group: &Group, part: &Part) {
        let Some(first) = group.code().next() else {
            return;
        };
        // SAFETY: M1.
        let code = unsafe { &mut *self.code.get() };
        let (known, _) = code.split_at_mut(self.code_ranges.get());
        let same = |code: &&Code| code.start == first.start && code.inode == group.inode;
        let before = known.iter().find(same).copied();
        if before.is_some_and(|code| code.start < code.end) {
            return;
        }
        // Anything mapped here before is gone.
        for code in known {
            let gone = |stretch: &Stretch| code.start < stretch.end && stretch.start < code.end;
            if group.code().any(gone) {
                code.end = code.start;
            }
        }
        // SAFETY: M1: nobody else has a reference to it.
        let image = group.image(unsafe { &mut *self.image.get() });
        let module = match before {
            // The file was mapped here before, was unmapped, and is back.
            Some(code) => code.module,
            None => {
                let module = self.last_module.get() + 1;
                // SAFETY: M1.
                if !unsafe { self.records.write(group, image, module, part) } {
                    return;
                }
                self.last_module.set(module);
                module
            }
        };
        let bias = image.and_then(|image| group.bias(image));
        let unwind_index = bias
            .zip(image.and_then(|image| image.unwind_index))
            .map_or(0, |(bias, address)| bias.wrapping_add(address));
        for stretch in group.code() {
            let unwinding = UnwindStretch {
                start: stretch.start as usize,
                end: stretch.end as usize,
                index: unwind_index as usize,
            };
            // SAFETY: M1 is the recorder's lock.
            unsafe { self.tables.add(unwinding) };
            let used = self.code_ranges.get();
            let same = |code: &Code| code.start == stretch.start && code.inode == group.inode;
            let place = code[..used].iter().position(same).unwrap_or(used);
            let Some(code) = code.get_mut(place) else {
                part.drop_one(DropReason::ModuleTableFull);
                return;
            };
            *code = Code {
                start: stretch.start,
                end: stretch.end,
                file_offset: stretch.file_offset,
                inode: group.inode,
                module,
            };
            self.code_ranges.set(used.max(place + 1));
        }
    }
}

#[cfg(test)]
mod tests;
