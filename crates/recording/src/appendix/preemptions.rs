//! The kernel's data about threads that held locks while they did not run.

use core::sync::atomic::Ordering::Relaxed;
use std::vec::Vec;

use super::Appendix;
use crate::histogram::BUCKETS;
#[expect(unused_imports, reason = "named in the documentation alone")]
use crate::layout::CountRecord;
use crate::layout::{OffCpu, PreemptedWaitRecord, PreemptionRecord, WatchRecord, WatchedBy};

/// The kernel's data about threads of one process that held locks while they did not run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPreemptions {
    /// See [`WatchRecord`].
    pub watch: Option<NewWatch>,
    /// See [`PreemptionRecord`].
    pub preemptions: Vec<NewPreemption>,
    /// See [`PreemptedWaitRecord`].
    pub waits: Vec<NewPreemptedWait>,
}

/// How it was watched: see [`WatchRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewWatch {
    /// As [`WatchRecord::by`].
    pub by: WatchedBy,
    /// As [`WatchRecord::threads`].
    pub threads: u64,
    /// As [`WatchRecord::unkept`].
    pub unkept: u64,
    /// As [`WatchRecord::waits_unkept`].
    pub waits_unkept: u64,
    /// As [`WatchRecord::unread`].
    pub unread: u64,
    /// As [`WatchRecord::too_many_held`].
    pub too_many_held: u64,
    /// As [`WatchRecord::unregistered`].
    pub unregistered: u64,
    /// As [`WatchRecord::unseen`].
    pub unseen: u64,
}

/// The lock, by the first fields of [`CountRecord`], with the part's own numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NewKey {
    /// As [`CountRecord::lock`].
    pub lock: u64,
    /// As [`CountRecord::site`].
    pub site: u32,
    /// As [`CountRecord::generation`].
    pub generation: u32,
    /// As [`CountRecord::birth`].
    pub birth: u32,
    /// As [`CountRecord::kind`].
    pub kind: u8,
    /// As [`CountRecord::entry`].
    pub entry: u8,
}

/// Times that a holder did not run: see [`PreemptionRecord`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPreemption {
    /// The lock, and where the holder had acquired it.
    pub key: NewKey,
    /// As [`PreemptionRecord::why`].
    pub why: OffCpu,
    /// As [`PreemptionRecord::count`].
    pub count: u64,
    /// As [`PreemptionRecord::total_ns`].
    pub total_ns: u64,
    /// As [`PreemptionRecord::max_ns`].
    pub max_ns: u64,
    /// As [`PreemptionRecord::histogram`].
    pub histogram: [u64; BUCKETS],
}

/// Waiting meanwhile: see [`PreemptedWaitRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewPreemptedWait {
    /// The lock, and where it was waited for.
    pub key: NewKey,
    /// As [`PreemptedWaitRecord::tid`].
    pub tid: u32,
    /// As [`PreemptedWaitRecord::count`].
    pub count: u64,
    /// As [`PreemptedWaitRecord::wait_ns`].
    pub wait_ns: u64,
    /// As [`PreemptedWaitRecord::max_ns`].
    pub max_ns: u64,
}

impl Appendix {
    /// Adds the kernel's data.
    #[must_use]
    pub fn with_preemptions(mut self, new: &NewPreemptions) -> Self {
        let Some(watch) = new.watch else {
            return self;
        };
        self.segment::<WatchRecord, _>(0, &[&watch], |watch, record, _| {
            record.by.store(watch.by.number(), Relaxed);
            record.threads.store(watch.threads, Relaxed);
            record.unkept.store(watch.unkept, Relaxed);
            record.waits_unkept.store(watch.waits_unkept, Relaxed);
            record.unread.store(watch.unread, Relaxed);
            record.too_many_held.store(watch.too_many_held, Relaxed);
            record.unregistered.store(watch.unregistered, Relaxed);
            record.unseen.store(watch.unseen, Relaxed);
        });
        let preemptions: Vec<&NewPreemption> = new.preemptions.iter().collect();
        if !preemptions.is_empty() {
            self.segment::<PreemptionRecord, _>(0, &preemptions, |new, record, _| {
                record.store(new.key);
                record.why.store(new.why.number(), Relaxed);
                record.count.store(new.count, Relaxed);
                record.total_ns.store(new.total_ns, Relaxed);
                record.max_ns.store(new.max_ns, Relaxed);
                for (bucket, count) in record.histogram.iter().zip(new.histogram) {
                    bucket.store(count, Relaxed);
                }
            });
        }
        let waits: Vec<&NewPreemptedWait> = new.waits.iter().collect();
        if !waits.is_empty() {
            self.segment::<PreemptedWaitRecord, _>(0, &waits, |new, record, _| {
                record.store(new.key);
                record.tid.store(new.tid, Relaxed);
                record.count.store(new.count, Relaxed);
                record.wait_ns.store(new.wait_ns, Relaxed);
                record.max_ns.store(new.max_ns, Relaxed);
            });
        }
        self
    }
}

/// A record that begins like [`CountRecord`].
trait BeginsAlike {
    fn store(&self, key: NewKey);
}

macro_rules! begins_alike {
    ($($record:ident)*) => {
        $(impl BeginsAlike for $record {
            fn store(&self, key: NewKey) {
                self.lock.store(key.lock, Relaxed);
                self.site.store(key.site, Relaxed);
                self.generation.store(key.generation, Relaxed);
                self.birth.store(key.birth, Relaxed);
                self.kind.store(key.kind, Relaxed);
                self.entry.store(key.entry, Relaxed);
            }
        })*
    };
}

begins_alike!(PreemptionRecord PreemptedWaitRecord);
