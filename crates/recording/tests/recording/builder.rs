//! Builds parts in memory with the writer, as the preload library builds them in a mapped file.

use std::ptr::NonNull;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::layout::{
    BirthBy, BirthRecord, BlameRecord, ContentionRecord, CountRecord, EventRecord, EventWords,
    Header, HoldRecord, ModuleRecord, NO_OWNER, Origin, PAGE_BYTES, RangeRecord, Record,
    SiteRecord, StackRecord, StackWaitRecord, ThreadRecord,
};
use locktoll_recording::writer::{
    PartStart, RingSegment, SegmentWriter, begin_part, segment_bytes, store_bytes,
};

/// Stores several fields of a record: `store!(hold, lock = 0x5000, site = 2)`.
macro_rules! store {
    ($record:expr, $($field:ident = $value:expr),+ $(,)?) => {
        {
            $($record.$field.store($value, std::sync::atomic::Ordering::Relaxed);)+
        }
    };
}
pub(crate) use store;

/// Puts `field` into `bytes` at `at`.
pub fn put(bytes: &mut [u8], at: usize, field: &[u8]) {
    bytes[at..at + field.len()].copy_from_slice(field);
}

/// A part in memory. Its invariant, which is the writer's W1 to W3: `pages` is never moved or reached by anything
/// else while a writer into it lives.
pub struct Builder {
    pages: Vec<u64>,
    used: u64,
}

/// A count and the wait that may go with it.
#[derive(Clone, Debug)]
pub struct Event {
    pub slot: u32,
    pub lock: u64,
    pub site: u32,
    pub acquisitions: u64,
    pub waits: Vec<u64>,
}

impl Builder {
    pub fn new(pid: u32, command: &[u8]) -> Self {
        let mut builder = Self {
            pages: vec![0; 1 << 19],
            used: PAGE_BYTES,
        };
        let start = PartStart {
            origin: Origin::Exec,
            pid,
            parent_pid: 1,
            sequence: 0,
            start_realtime_ns: 1_000,
            start_monotonic_ns: 2_000,
            command,
            command_total_bytes: 0,
        };
        begin_part(builder.header(), start);
        builder
    }

    pub fn header(&mut self) -> &Header {
        // SAFETY: the pages begin with one that is a header's size, aligned to 8; any bytes are a valid header.
        unsafe { &*self.pages.as_mut_ptr().cast::<Header>() }
    }

    /// A segment for `records` records with `tail_bytes` bytes behind each.
    pub fn segment<R: Record>(
        &mut self,
        owner: u32,
        records: u32,
        tail_bytes: usize,
    ) -> SegmentWriter<R> {
        let record_bytes = (size_of::<R>() + tail_bytes) as u32;
        let bytes = segment_bytes(records, record_bytes);
        let begin = self.used;
        self.used += bytes;
        assert!(
            self.used <= 8 * self.pages.len() as u64,
            "the test needs more pages"
        );
        self.header().end.store(begin + bytes, Relaxed);
        let memory = &mut self.pages[begin as usize / 8..];
        let memory = NonNull::from(&mut memory[0]).cast();
        // SAFETY: within the pages, and nobody else writes there.
        unsafe { SegmentWriter::begin_long(memory, bytes, owner, record_bytes) }
    }

    /// A ring of at least `records` events, as a thread slot would write these: when it is full, it begins again.
    pub fn ring(&mut self, owner: u32, records: u32, events: &[EventWords]) {
        let bytes = segment_bytes(records, size_of::<EventRecord>() as u32);
        let begin = self.used;
        self.used += bytes;
        self.header().end.store(begin + bytes, Relaxed);
        let memory = NonNull::from(&mut self.pages[begin as usize / 8]).cast();
        // SAFETY: within the pages, and nobody else writes there.
        let ring = unsafe { RingSegment::begin(memory, bytes, owner, 0) };
        for (number, event) in (0_u32..).zip(events) {
            let place = number % ring.capacity();
            if place == 0 && number > 0 {
                ring.restart(number.into());
            }
            // SAFETY: below the capacity.
            event.store(unsafe { ring.record(place) });
            ring.publish(place + 1);
        }
    }

    pub fn module(&mut self, id: u32, path: &[u8]) {
        let tail_bytes = path.len().next_multiple_of(8);
        let mut segment = self.segment::<ModuleRecord>(NO_OWNER, 1, tail_bytes);
        segment.append_with_tail(|module, tail| {
            module.id.store(id, Relaxed);
            module.path_bytes.store(path.len() as u32, Relaxed);
            module.bias.store(0x1000, Relaxed);
            module.bias_known.store(1, Relaxed);
            module.build_id_bytes.store(4, Relaxed);
            store_bytes(&module.build_id, b"ID:1");
            store_bytes(tail, path);
        });
        let mut ranges = self.segment::<RangeRecord>(NO_OWNER, 1, 0);
        ranges.append(|range| {
            range.start.store(0x1000, Relaxed);
            range.end.store(0x9000, Relaxed);
            range.module.store(id, Relaxed);
        });
    }

    pub fn sites(&mut self, count: u32, module: u32) {
        let mut segment = self.segment::<SiteRecord>(NO_OWNER, count, 0);
        for id in 1..=count {
            segment.append(|site| {
                site.id.store(id, Relaxed);
                site.module.store(module, Relaxed);
                site.address.store(0x2000 + u64::from(id), Relaxed);
                site.file_offset.store(u64::from(id), Relaxed);
            });
        }
    }

    pub fn thread(&mut self, tid: u32, slot: u32) {
        let mut segment = self.segment::<ThreadRecord>(NO_OWNER, 1, 0);
        segment.append(|thread| {
            thread.tid.store(tid, Relaxed);
            thread.slot.store(slot, Relaxed);
            store!(
                thread,
                start_ns = 2_500,
                start_routine = 3,
                kernel_read_ns = 8_000
            );
            store!(
                thread,
                cpu_ns = 1_000,
                run_delay_ns = 200,
                voluntary_switches = 7
            );
            store!(
                thread,
                involuntary_switches = 2,
                lock_wait_ns = 2_400,
                signal_wait_ns = 50
            );
            store_bytes(&thread.name, b"worker\0");
        });
    }

    /// A segment with one record.
    pub fn one<R: Record>(&mut self, owner: u32, fill: impl FnOnce(&R)) {
        self.segment::<R>(owner, 1, 0).append(fill);
    }

    /// A stack of these sites, and a birth with it that has the same id.
    pub fn birth(&mut self, id: u32, by: BirthBy, sites: &[u32]) {
        self.one(NO_OWNER, |stack: &StackRecord| {
            store!(stack, id = id, frames = sites.len() as u32);
            for (place, &site) in stack.sites.iter().zip(sites) {
                place.store(site, Relaxed);
            }
        });
        self.one(NO_OWNER, |birth: &BirthRecord| {
            store!(birth, id = id, stack = id, by = by.number(), kind = 1);
            birth
                .site
                .store(sites.first().copied().unwrap_or(0), Relaxed);
        });
    }

    pub fn event(&mut self, event: &Event) {
        let mut counts = self.segment::<CountRecord>(event.slot, 1, 0);
        counts.append(|count| {
            count.lock.store(event.lock, Relaxed);
            count.site.store(event.site, Relaxed);
            count.acquisitions.store(event.acquisitions, Relaxed);
            count.kind.store(1, Relaxed);
            count.entry.store(1, Relaxed);
        });
        if event.waits.is_empty() {
            return;
        }
        let mut contentions = self.segment::<ContentionRecord>(event.slot, 1, 0);
        contentions.append(|contention| {
            contention.lock.store(event.lock, Relaxed);
            contention.site.store(event.site, Relaxed);
            contention.kind.store(1, Relaxed);
            contention.entry.store(1, Relaxed);
            contention
                .contended
                .store(event.waits.len() as u64, Relaxed);
            contention
                .wait_total_ns
                .store(event.waits.iter().sum(), Relaxed);
            let longest = event.waits.iter().copied().max().unwrap_or(0);
            contention.wait_max_ns.store(longest, Relaxed);
            for (bucket, waits) in histogram(&event.waits).into_iter().enumerate() {
                contention.wait_histogram[bucket].store(waits, Relaxed);
            }
        });
    }

    /// The file as it would be.
    pub fn bytes(self) -> Vec<u8> {
        let words = self.pages.iter().take(self.used as usize / 8);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }
}

/// Waits by their length, counted in another way than the writer's.
pub fn histogram(waits: &[u64]) -> [u64; BUCKETS] {
    let mut histogram = [0; BUCKETS];
    for &wait_ns in waits {
        let bits = (64 - wait_ns.leading_zeros()).max(1) as usize;
        histogram[(bits - 1).min(BUCKETS - 1)] += 1;
    }
    histogram
}

/// A part with one of everything.
pub fn sample(pid: u32) -> Builder {
    let mut builder = Builder::new(pid, b"./server\0--threads\x004\0");
    builder.module(1, b"/usr/bin/server");
    builder.sites(3, 1);
    builder.thread(100, 1);
    builder.event(&Event {
        slot: 1,
        lock: 0x5000,
        site: 2,
        acquisitions: 10,
        waits: vec![1500, 900],
    });
    builder.birth(1, BirthBy::Initialisation, &[3, 1]);
    builder.one(1, |hold: &HoldRecord| {
        store!(
            hold,
            lock = 0x5000,
            site = 2,
            birth = 1,
            kind = 1,
            entry = 1
        );
        store!(
            hold,
            timed = 2,
            timed_total_ns = 300,
            estimated_total_ns = 1_500
        );
        store!(
            hold,
            max_ns = 200,
            examined = 2,
            blocked = 1,
            system_calls = 4
        );
        store!(hold, voluntary_switches = 3, involuntary_switches = 1);
        hold.hold_histogram[6].store(1, Relaxed);
        hold.hold_histogram[7].store(1, Relaxed);
    });
    builder.one(1, |blame: &BlameRecord| {
        store!(
            blame,
            lock = 0x5000,
            site = 2,
            birth = 1,
            kind = 1,
            entry = 1
        );
        store!(
            blame,
            holder_site = 3,
            holder_stack = 1,
            waits = 2,
            wait_ns = 2_400
        );
    });
    builder.one(1, |wait: &StackWaitRecord| {
        store!(
            wait,
            lock = 0x5000,
            site = 2,
            birth = 1,
            kind = 1,
            entry = 1
        );
        store!(wait, stack = 1, waits = 2, wait_ns = 2_400);
    });
    builder
}
