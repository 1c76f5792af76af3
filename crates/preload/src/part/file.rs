//! The file as it grows: windows that are mapped, and segments carved from them.

use core::cell::Cell;
use core::ffi::CStr;
use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Acquire, Relaxed};

use locktoll_recording::layout::{
    DropReason, Header, Mode, Origin, PAGE_BYTES, Record, StopReason, flags,
};
use locktoll_recording::writer::{self, PartStart, RingSegment, SegmentWriter, segment_bytes};

use super::command::read_command;
use super::path::PathWriter;
use crate::clock;
use crate::sys::{self, Errno, Fd};
use crate::usage::Usage;

/// The size of the first piece of the file. Small, because every short-lived process of a shell script has one.
const FIRST_WINDOW_BYTES: u64 = 128 << 10;
/// The size of the largest piece, to bound what a part may leave unused.
const LAST_WINDOW_BYTES: u64 = 64 << 20;
/// The size of the piece for a process that will not be able to extend its file. It takes disk space only while the process
/// runs: the unused rest is not copied into the recording.
const RESERVE_BYTES: u64 = 16 << 20;
/// The size of the largest segment, to bound what a thread may leave unused.
const SEGMENT_BYTES: u64 = 256 << 10;
/// The longest path of a part, including its terminating zero: `PATH_MAX`.
const PATH_BYTES: usize = 4096;
/// The number of parts that one process id may have, exec after exec.
const SEQUENCES: u32 = 1 << 16;

/// The file of this process.
pub struct Part {
    header: Cell<*const Header>,
    window: Cell<usize>,
    window_end: Cell<usize>,
    identity: Cell<(u64, u64)>,
    stopped: Cell<bool>,
    path: [Cell<u8>; PATH_BYTES],
}

impl Part {
    /// Creates the file in `directory` and writes its header.
    ///
    /// The memory is all zeros before the call: see the recorder.
    pub fn create(&self, directory: &[u8], origin: Origin, mode: Mode) -> Result<(), Errno> {
        let pid = sys::pid();
        let (file, sequence) = self.create_file(directory, pid)?;
        self.identity.set(file.identity()?);
        if sys::file_size_limit() < FIRST_WINDOW_BYTES {
            return Err(Errno(libc::EFBIG));
        }
        file.allocate(0, FIRST_WINDOW_BYTES)?;
        let memory = file.map_shared(0, FIRST_WINDOW_BYTES)?;

        let mut command = [0; locktoll_recording::layout::COMMAND_BYTES];
        let (known, total) = read_command(&mut command);
        // SAFETY: just mapped, page-aligned and all zeros, which is a valid header.
        let header = unsafe { memory.cast::<Header>().as_ref() };
        // Relaxed: `begin_part` publishes it.
        header.mode.store(mode.number(), Relaxed);
        writer::begin_part(
            header,
            PartStart {
                origin,
                pid,
                parent_pid: sys::parent_pid(),
                sequence,
                start_realtime_ns: clock::realtime_ns(),
                start_monotonic_ns: clock::monotonic_ns(),
                command: &command[..known],
                command_total_bytes: total,
            },
        );
        self.window
            .set(memory.as_ptr() as usize + PAGE_BYTES as usize);
        self.window_end
            .set(memory.as_ptr() as usize + FIRST_WINDOW_BYTES as usize);
        self.stopped.set(false);
        self.header.set(header);
        Ok(())
    }

    fn create_file(&self, directory: &[u8], pid: u32) -> Result<(Fd, u32), Errno> {
        for sequence in 0..SEQUENCES {
            let mut path = PathWriter::new(&self.path);
            path.text(directory);
            path.text(b"/");
            path.number(pid);
            path.text(b"-");
            path.number(sequence);
            path.text(b".part");
            path.end()?;
            let flags = libc::O_RDWR | libc::O_CREAT | libc::O_EXCL | libc::O_NOFOLLOW;
            match sys::open(self.path(), flags, 0o600) {
                Err(Errno(libc::EEXIST)) => {}
                Err(error) => return Err(error),
                Ok(file) => return Ok((file, sequence)),
            }
        }
        Err(Errno(libc::EEXIST))
    }

    fn path(&self) -> &CStr {
        // SAFETY: `Cell<u8>` has the layout of `u8`; `create_file` has ended the path with a zero byte within the
        // array, and by P1 nobody writes it while the reference lives.
        unsafe { CStr::from_ptr(self.path.as_ptr().cast()) }
    }

    /// Returns the header of the part, once it has been created.
    pub fn header(&self) -> Option<&'static Header> {
        // SAFETY: P2.
        unsafe { self.header.get().as_ref() }
    }

    /// Returns the time when the part began, by the monotonic clock.
    pub fn start_ns(&self) -> u64 {
        self.header()
            .map_or(0, |header| header.start_monotonic_ns.load(Relaxed))
    }

    /// Counts one item that was not recorded. Any thread may call it: the counter is shared and rarely touched.
    pub fn drop_one(&self, reason: DropReason) {
        if let Some(header) = self.header() {
            // Relaxed: a counter that publishes no other memory.
            header.dropped[usize::from(reason.number())].fetch_add(1, Relaxed);
        }
    }

    /// Adds the lifetime of a thread whose record is used again. Only the holder of the recorder's lock calls it.
    pub fn add_unlisted(&self, lived_ns: u64) {
        if let Some(header) = self.header() {
            // Relaxed: a figure of its own. Readers see each value whole.
            let sum = header.unlisted_ns.load(Relaxed).saturating_add(lived_ns);
            header.unlisted_ns.store(sum, Relaxed);
        }
    }

    /// Notes that the process runs its exit handlers, without asking the kernel for anything.
    pub fn end_quietly(&self) {
        if let Some(header) = self.header() {
            writer::end_part(header, clock::monotonic_ns());
        }
    }

    /// Notes that the process runs its exit handlers, and what the kernel knows about the process.
    pub fn end(&self) {
        let Some(header) = self.header() else {
            return;
        };
        if let Some(usage) = Usage::of_process() {
            // Relaxed: independent figures, which `end_part` publishes.
            header.user_ns.store(usage.user_ns, Relaxed);
            header.system_ns.store(usage.system_ns, Relaxed);
            let (voluntary, involuntary) = (usage.voluntary_switches, usage.involuntary_switches);
            header.voluntary_switches.store(voluntary, Relaxed);
            header.involuntary_switches.store(involuntary, Relaxed);
        }
        self.end_quietly();
    }

    /// Returns the errno(3) value that explains why recording stopped before the process ended, if it did.
    pub fn stopped_by(&self) -> Option<i32> {
        let header = self.header()?;
        // Acquire: pairs with the release in `stop_part`.
        let stopped = header.flags.load(Acquire) & flags::STOPPED != 0;
        stopped.then(|| header.stop_errno.load(Relaxed).cast_signed())
    }

    /// Notes that no more records will be added. Existing ones go on counting.
    pub fn stop(&self, reason: StopReason, errno: Errno) {
        if !self.stopped.replace(true)
            && let Some(header) = self.header()
        {
            writer::stop_part(header, reason, errno.0, clock::monotonic_ns());
        }
    }

    /// Appends a record to `segment`, and begins a new segment when that is full. `first_records` is the length of the first
    /// segment; each is twice as long as the one before, up to a bound.
    ///
    /// # Safety
    /// P1, and `segment` is `None` or a segment of this part.
    pub unsafe fn append<R: Record>(
        &self,
        segment: &mut Option<SegmentWriter<R>>,
        owner: u32,
        first_records: u32,
        fill: impl FnOnce(&R),
    ) -> Option<NonNull<R>> {
        let full = segment.as_ref().is_none_or(|segment| segment.room() == 0);
        if full {
            let before = segment.as_ref().map_or(0, SegmentWriter::bytes);
            let wanted = (before * 2).min(SEGMENT_BYTES);
            let least = segment_bytes(1, size_of::<R>() as u32);
            let first = segment_bytes(first_records, size_of::<R>() as u32);
            let (memory, bytes) = self.carve(wanted.max(first), least)?;
            // SAFETY: `carve` returns memory that is mapped, zero, page-aligned and this part's (P3), and stays so.
            *segment = Some(unsafe { SegmentWriter::begin(memory, bytes, owner) });
        }
        segment.as_mut()?.append(fill)
    }

    /// Begins a segment for one record of `R` and `tail_bytes` bytes after it.
    ///
    /// # Safety
    /// P1.
    pub unsafe fn long_segment<R: Record>(
        &self,
        owner: u32,
        tail_bytes: usize,
    ) -> Option<SegmentWriter<R>> {
        let record_bytes = (size_of::<R>() + tail_bytes).next_multiple_of(8) as u32;
        let bytes = segment_bytes(1, record_bytes);
        let (memory, bytes) = self.carve(bytes, bytes)?;
        // SAFETY: as in `append`; the length is a multiple of 8.
        Some(unsafe { SegmentWriter::begin_long(memory, bytes, owner, record_bytes) })
    }

    /// Begins a segment of about `wanted` bytes for events of the thread slot `owner`, the first of which is event number `first`.
    /// Returns it with its length in bytes.
    ///
    /// # Safety
    /// P1.
    pub unsafe fn ring(&self, owner: u32, first: u64, wanted: u64) -> Option<(RingSegment, u64)> {
        let (memory, bytes) = self.carve(wanted, PAGE_BYTES)?;
        // SAFETY: as in `append`.
        let ring = unsafe { RingSegment::begin(memory, bytes, owner, first) };
        Some((ring, bytes))
    }

    /// Takes `wanted` bytes of the file, or what is left of the window if that is at least `least`.
    fn carve(&self, wanted: u64, least: u64) -> Option<(NonNull<u8>, u64)> {
        let header = self.header()?;
        if self.stopped.get() {
            return None;
        }
        let mut left = (self.window_end.get() - self.window.get()) as u64;
        if left < least {
            // The rest stays zero, and a reader skips it.
            let end = header.end.load(Relaxed) + left;
            if let Err((reason, errno)) = self.open_window(end, wanted) {
                self.stop(reason, errno);
                return None;
            }
            header.end.store(end, Relaxed);
            left = (self.window_end.get() - self.window.get()) as u64;
        }
        let bytes = wanted.min(left);
        let memory = NonNull::new(self.window.get() as *mut u8)?;
        self.window.set(self.window.get() + bytes as usize);
        // Relaxed: a reader that sees the new end before the segment's header sees zeros there, and skips them.
        header.end.store(header.end.load(Relaxed) + bytes, Relaxed);
        Some((memory, bytes))
    }

    /// Extends the file by all that may be needed once it can no longer be opened. If that fails, it is tried again when space
    /// is needed.
    ///
    /// P1.
    pub fn reserve(&self) {
        let left = (self.window_end.get() - self.window.get()) as u64;
        if let Some(header) = self.header()
            && !self.stopped.get()
            && left < RESERVE_BYTES / 2
        {
            // The rest stays zero, and a reader skips it.
            let end = header.end.load(Relaxed) + left;
            if self.open_window(end, RESERVE_BYTES).is_ok() {
                header.end.store(end, Relaxed);
            }
        }
    }

    /// Extends the file from `offset` on, and makes the new piece the window.
    fn open_window(&self, offset: u64, wanted: u64) -> Result<(), (StopReason, Errno)> {
        let bytes = (offset / 4)
            .next_power_of_two()
            .clamp(FIRST_WINDOW_BYTES, LAST_WINDOW_BYTES)
            .max(wanted.next_multiple_of(FIRST_WINDOW_BYTES));
        // Checked first, because the kernel would not only refuse but also send SIGXFSZ.
        if offset + bytes > sys::file_size_limit() {
            return Err((StopReason::FileSizeLimit, Errno(libc::EFBIG)));
        }
        let file = sys::open(self.path(), libc::O_RDWR | libc::O_NOFOLLOW, 0)
            .map_err(|errno| (StopReason::Unreachable, errno))?;
        match file.identity() {
            Ok(identity) if identity == self.identity.get() => {}
            Ok(_) => return Err((StopReason::Unreachable, Errno(libc::ESTALE))),
            Err(errno) => return Err((StopReason::Unreachable, errno)),
        }
        file.allocate(offset, bytes)
            .map_err(|errno| (StopReason::NoSpace, errno))?;
        let memory = file
            .map_shared(offset, bytes)
            .map_err(|errno| (StopReason::NoMemory, errno))?;
        self.window.set(memory.as_ptr() as usize);
        self.window_end
            .set(memory.as_ptr() as usize + bytes as usize);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
