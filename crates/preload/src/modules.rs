//! Which file the code at an address came from.
//!
//! The mappings of the process are read at the start, and again whenever a call comes from code in no known file,
//! as after dlopen(3). They are not asked from the dynamic linker, whose list is behind a lock (dl_iterate_phdr(3)).
//!
//! # Invariants
//!
//! - **M1** All of it is touched only by the holder of the recorder's lock.

use core::cell::{Cell, UnsafeCell};
use core::ops::Range;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{DropReason, ModuleRecord, NO_OWNER, RangeRecord, range_flags};
use locktoll_recording::writer::{SegmentWriter, store_bytes};

use crate::clock;
use crate::elf;
use crate::maps::{self, Mapping};
use crate::part::Part;
use crate::sys;
use crate::unwind::{Stretch as UnwindStretch, Tables};

/// How many stretches of code are known at most.
const CODE_RANGES: usize = 2048;
/// Long enough for a line of `/proc/self/maps` with the longest path.
const BUFFER_BYTES: usize = 8192;
/// How much is read of a mapped file's beginning.
const IMAGE_BYTES: usize = 4096;
/// Room for a path in a module's record; a longer path gets a longer record.
const USUAL_PATH_BYTES: usize = 192;
/// After this many readings in vain, only every [`PATIENCE`]th unknown address makes another: code that is generated
/// at run time lies in no file, however often one looks.
const PATIENCE: u32 = 64;

/// A place in a file.
#[derive(Clone, Copy)]
pub struct FilePlace {
    /// The module's number, or 0 if the address lies in no file.
    pub module: u32,
    /// Offset in the file.
    pub file_offset: u64,
}

/// A stretch of code.
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
    /// For the unwinder, which reads it without the lock.
    pub tables: Tables,
    module_segment: UnsafeCell<Option<SegmentWriter<ModuleRecord>>>,
    range_segment: UnsafeCell<Option<SegmentWriter<RangeRecord>>>,
}

/// Mappings of one file that follow each other, as they are gathered.
struct Group {
    path: [u8; libc::PATH_MAX as usize],
    path_bytes: usize,
    inode: u64,
    stretches: [Stretch; Group::STRETCHES],
    count: usize,
}

/// One mapping of a group.
#[derive(Clone, Copy)]
struct Stretch {
    start: u64,
    end: u64,
    file_offset: u64,
    flags: u32,
}

impl Group {
    /// Linkers make four or five, and protection changes may split them; more than this are not kept.
    const STRETCHES: usize = 16;

    fn begin(&mut self, mapping: &Mapping<'_>) {
        self.count = 0;
        self.inode = mapping.inode;
        let kept = mapping.path.len().min(self.path.len());
        self.path[..kept].copy_from_slice(&mapping.path[..kept]);
        self.path_bytes = kept;
    }

    fn path(&self) -> &[u8] {
        &self.path[..self.path_bytes]
    }

    fn stretches(&self) -> &[Stretch] {
        &self.stretches[..self.count]
    }

    fn add(&mut self, mapping: &Mapping<'_>, more_flags: u32) {
        let Some(place) = self.stretches.get_mut(self.count) else {
            return;
        };
        let flag = |is: bool, flag: u32| if is { flag } else { 0 };
        *place = Stretch {
            start: mapping.start,
            end: mapping.end,
            file_offset: mapping.file_offset,
            flags: flag(mapping.readable, range_flags::READABLE)
                | flag(mapping.writable, range_flags::WRITABLE)
                | flag(mapping.executable, range_flags::EXECUTABLE)
                | more_flags,
        };
        self.count += 1;
    }

    /// Whether `mapping` is of the same file as the group, and follows it.
    fn continues_with(&self, mapping: &Mapping<'_>) -> bool {
        self.count > 0 && mapping.inode == self.inode && mapping.path == self.path()
    }

    /// Whether `mapping` is the zero-initialised data of the group's file: anonymous, writable, and right behind it.
    fn is_followed_by_zeros(&self, mapping: &Mapping<'_>) -> bool {
        mapping.path.is_empty()
            && mapping.writable
            && self.stretches().last().is_some_and(|last| {
                last.end == mapping.start && last.flags & range_flags::ANONYMOUS == 0
            })
    }

    /// Whether `mapping` is a gap between the group's code and data: room for larger pages than these (64 KiB on Arm), which
    /// some loaders, qemu's among them, leave reserved and inaccessible.
    fn is_followed_by_a_gap(&self, mapping: &Mapping<'_>) -> bool {
        let accessible = mapping.readable || mapping.writable || mapping.executable;
        mapping.path.is_empty()
            && !accessible
            && self
                .stretches()
                .last()
                .is_some_and(|last| last.end == mapping.start)
    }

    fn code(&self) -> impl Iterator<Item = &Stretch> {
        let executable = |stretch: &&Stretch| stretch.flags & range_flags::EXECUTABLE != 0;
        self.stretches().iter().filter(executable)
    }

    /// What to add to an address in the file to get one in memory.
    fn bias(&self, image: elf::Image) -> Option<u64> {
        let first = self.stretches().first()?;
        Some(first.start.wrapping_sub(image.first_address))
    }

    /// What the ELF header says, read into `buffer`: enough for the tables that linkers put right behind it.
    fn image(&self, buffer: &mut [u8]) -> Option<elf::Image> {
        let first = self.stretches().first()?;
        if first.file_offset != 0 || first.flags & range_flags::READABLE == 0 {
            return None;
        }
        // Not read in place: since the kernel listed it, another thread may have unmapped it, as dlclose(3) does.
        let wanted = buffer.len().min((first.end - first.start) as usize);
        let read = sys::read_memory(first.start, buffer.get_mut(..wanted)?).ok()?;
        elf::read(buffer.get(..read)?)
    }
}

impl Modules {
    /// Begins with what is mapped now. The memory is zeros.
    ///
    /// # Safety
    /// M1.
    pub unsafe fn start(&self, part: &Part) {
        // SAFETY: M1.
        unsafe {
            self.module_segment.get().write(None);
            self.range_segment.get().write(None);
            self.read_maps(part);
        }
    }

    /// Where the code at `address` came from.
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

    /// Reads the mappings again, because something is not as it was. See [`PATIENCE`].
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
        group.count = 0;
        maps::for_each(&maps, buffer, |mapping| {
            if group.continues_with(&mapping) {
                group.add(&mapping, 0);
            } else if group.is_followed_by_zeros(&mapping) {
                group.add(&mapping, range_flags::ANONYMOUS);
            } else if !group.is_followed_by_a_gap(&mapping) {
                // SAFETY: M1.
                unsafe { self.keep(group, part) };
                group.count = 0;
                if mapping.path.starts_with(b"/") || mapping.path == b"[vdso]" {
                    group.begin(&mapping);
                    group.add(&mapping, 0);
                }
            }
        });
        // SAFETY: M1.
        unsafe { self.keep(group, part) };
    }

    /// Looks which stretches of code are not mapped any more, and tells of each.
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

    /// Writes the module that `group` is, if it has code and is not known.
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
        // Whatever was mapped here before has gone.
        for code in known {
            let gone = |stretch: &Stretch| code.start < stretch.end && stretch.start < code.end;
            if group.code().any(gone) {
                code.end = code.start;
            }
        }
        // SAFETY: M1: nobody else has a reference to it.
        let image = group.image(unsafe { &mut *self.image.get() });
        let module = match before {
            // It was here before, went, and has come back.
            Some(code) => code.module,
            None => {
                let module = self.last_module.get() + 1;
                // SAFETY: M1.
                if !unsafe { self.write(group, image, module, part) } {
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

    /// # Safety
    /// M1.
    unsafe fn write(
        &self,
        group: &Group,
        image: Option<elf::Image>,
        module: u32,
        part: &Part,
    ) -> bool {
        // SAFETY: M1: nobody else has references to them.
        let (modules, ranges) = unsafe {
            (
                &mut *self.module_segment.get(),
                &mut *self.range_segment.get(),
            )
        };
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
