//! Joins the parts of a recording: threads and processes by lock, locks by where they come from.

use std::collections::HashMap;

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::layout;
use locktoll_recording::reader::{Count, Part, Recording};

use super::identity::{Identities, Identity};
use super::symbols::{Place, Symbols};
use super::{
    Blame, Dropped, Frame, Lock, LockKind, Process, Profile, Recorder, RecorderMode, SCHEMA, Site,
    WaitTimes, quantile, remarks,
};

/// Waits and failed attempts, added up.
#[derive(Clone)]
struct Sums {
    acquisitions: u64,
    contended: u64,
    try_failed: u64,
    timed_out: u64,
    wait_total_ns: u64,
    wait_max_ns: u64,
    histogram: [u64; BUCKETS],
}

impl Sums {
    const ZERO: Self = Self {
        acquisitions: 0,
        contended: 0,
        try_failed: 0,
        timed_out: 0,
        wait_total_ns: 0,
        wait_max_ns: 0,
        histogram: [0; BUCKETS],
    };

    /// Saturates where a damaged recording would overflow.
    fn add(&mut self, count: &Count) {
        let plus = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        plus(&mut self.acquisitions, count.acquisitions);
        if let Some(waited) = &count.contention {
            plus(&mut self.contended, waited.contended);
            plus(&mut self.try_failed, waited.try_failed);
            plus(&mut self.timed_out, waited.timed_out);
            plus(&mut self.wait_total_ns, waited.wait_total_ns);
            self.wait_max_ns = self.wait_max_ns.max(waited.wait_max_ns);
            for (sum, more) in self.histogram.iter_mut().zip(waited.wait_histogram) {
                plus(sum, more);
            }
        }
    }

    fn wait_times(&self) -> WaitTimes {
        let waited = self.histogram.iter().any(|&count| count > 0);
        let used = BUCKETS - self.histogram.iter().rev().take_while(|&&n| n == 0).count();
        let at = |share| quantile::quantile_ns(&self.histogram, share, self.wait_max_ns);
        WaitTimes {
            total: self.wait_total_ns,
            max: waited.then_some(self.wait_max_ns),
            p50: at(0.5),
            p99: at(0.99),
            log2: self.histogram[..used].to_vec(),
        }
    }
}

/// One row of the profile while it is being added up.
struct Row {
    sums: Sums,
    instances: u64,
    still_waiting: u64,
    first_site: Vec<Frame>,
    sites: HashMap<SiteKey, (Sums, Vec<Frame>)>,
}

/// What call sites of a lock are told apart by: what is shown of them.
///
/// A loop that the compiler unrolled has several addresses for one line of the source.
#[derive(PartialEq, Eq, Hash, PartialOrd, Ord)]
enum SiteKey {
    /// Functions and lines, where there are names.
    Named(Vec<(Option<String>, Option<String>, Option<u32>)>),
    /// The address, where there are none.
    Bare(Option<Place>),
}

impl SiteKey {
    fn of(place: Option<Place>, frames: &[Frame]) -> Self {
        if frames.iter().any(|frame| frame.line.is_none()) || frames.is_empty() {
            return Self::Bare(place);
        }
        let named = |frame: &Frame| (frame.function.clone(), frame.file.clone(), frame.line);
        Self::Named(frames.iter().map(named).collect())
    }
}

/// The profile that a recording holds.
pub fn profile(recording: &Recording) -> Profile {
    let mut parts: Vec<&Part> = recording.parts.iter().collect();
    parts.sort_by_key(|part| (part.process.start_monotonic_ns, part.process.sequence));
    let times = super::times::Times::of(&parts);

    let mut symbols = Symbols::new();
    let mut rows: HashMap<Identity, Row> = HashMap::new();
    for part in &parts {
        add_part(part, &mut symbols, &mut rows);
    }

    let mut rows: Vec<(Identity, Row)> = rows.into_iter().collect();
    // By cost, and by name where the cost is the same, so that the order never depends on hashing.
    rows.sort_by(|(a, left), (b, right)| {
        let cost = |row: &Row| {
            (
                row.sums.wait_total_ns,
                row.sums.contended,
                row.sums.acquisitions,
            )
        };
        cost(right).cmp(&cost(left)).then_with(|| a.cmp(b))
    });
    let mut identities = Identities::default();
    let locks: Vec<Lock> = rows
        .into_iter()
        .map(|(identity, row)| lock(&identity, row, &mut identities))
        .collect();

    let mut warnings = remarks::about(recording, &parts, &times, &locks);
    warnings.extend(symbols.into_warnings());
    Profile {
        schema: SCHEMA.to_owned(),
        command: parts.first().map(|part| command(part)).unwrap_or_default(),
        duration_ns: times.duration_ns,
        threads: parts.iter().map(|part| part.threads.len() as u64).sum(),
        thread_time_ns: times.thread_time_ns,
        wait_ns: locks
            .iter()
            .fold(0, |sum: u64, lock| sum.saturating_add(lock.wait_ns.total)),
        processes: parts.iter().map(|part| process(part, &times)).collect(),
        recorder: Recorder {
            mode: RecorderMode::Waits,
            ns_per_pair: None,
            share_of_cpu: None,
        },
        dropped: dropped(recording),
        warnings,
        locks,
    }
}

fn add_part(part: &Part, symbols: &mut Symbols, rows: &mut HashMap<Identity, Row>) {
    // One lock is what has one address and one generation in one process image.
    let mut instances: HashMap<(u64, u32, LockKind), Vec<&Count>> = HashMap::new();
    for count in &part.counts {
        let Some(kind) = kind(count.kind) else {
            continue;
        };
        instances
            .entry((count.lock_address, count.generation, kind))
            .or_default()
            .push(count);
    }
    for ((address, _, kind), counts) in instances {
        let site_of = |count: &Count| count.site.and_then(|site| part.sites.get(site).copied());
        let place_of = |count: &Count| site_of(count).map(|site| Symbols::place(part, site));
        let first = counts
            .iter()
            .min_by_key(|count| (count.first_seen_ms, place_of(count)))
            .expect("an entry has at least one count");
        let first_site = site_of(first)
            .map(|site| symbols.frames(part, site))
            .unwrap_or_default();
        let identity = Identity::of(part, kind, address, place_of(first), symbols);

        let row = rows.entry(identity).or_insert_with(|| Row {
            sums: Sums::ZERO,
            instances: 0,
            still_waiting: 0,
            first_site,
            sites: HashMap::new(),
        });
        row.instances += 1;
        let waiting = part.threads.iter().filter_map(|thread| thread.waiting);
        row.still_waiting += waiting.filter(|wait| wait.lock_address == address).count() as u64;
        for count in counts {
            row.sums.add(count);
            let frames = site_of(count)
                .map(|site| symbols.frames(part, site))
                .unwrap_or_default();
            let (sums, _) = row
                .sites
                .entry(SiteKey::of(place_of(count), &frames))
                .or_insert((Sums::ZERO, frames));
            sums.add(count);
        }
    }
}

fn lock(identity: &Identity, row: Row, identities: &mut Identities) -> Lock {
    let mut sites: Vec<(SiteKey, Site)> = row
        .sites
        .into_iter()
        .map(|(key, (sums, frames))| {
            let site = Site {
                frames,
                acquisitions: sums.acquisitions,
                contended: sums.contended,
                try_failed: sums.try_failed,
                wait_ns: sums.wait_total_ns,
                wait_max_ns: sums.wait_times().max,
            };
            (key, site)
        })
        .collect();
    sites.sort_by(|(a, left), (b, right)| {
        let cost = |site: &Site| (site.wait_ns, site.contended, site.acquisitions);
        cost(right).cmp(&cost(left)).then_with(|| a.cmp(b))
    });
    let sites: Vec<Site> = sites.into_iter().map(|(_, site)| site).collect();
    let blame = sites
        .iter()
        .filter(|site| site.contended > 0)
        .map(|site| Blame {
            waiter: site.frames.clone(),
            holder: None,
            count: site.contended,
            wait_ns: site.wait_ns,
        })
        .collect();
    Lock {
        id: identities.unique(identity.id(&row.first_site)),
        kind: identity.kind,
        name: identity.name(&row.first_site),
        first_site: row.first_site,
        instances: row.instances,
        acquisitions: row.sums.acquisitions,
        contended: row.sums.contended,
        try_failed: row.sums.try_failed,
        timed_out: row.sums.timed_out,
        still_waiting: row.still_waiting,
        wait_ns: row.sums.wait_times(),
        hold_ns: None,
        sites,
        blame,
    }
}

fn process(part: &Part, times: &super::times::Times) -> Process {
    let process = &part.process;
    Process {
        pid: process.pid,
        parent_pid: process.parent_pid,
        command: command(part),
        threads: part.threads.len() as u64,
        start_ns: process.start_monotonic_ns.saturating_sub(times.start_ns),
        duration_ns: process
            .end_monotonic_ns
            .map(|end| end.saturating_sub(process.start_monotonic_ns)),
    }
}

fn command(part: &Part) -> Vec<String> {
    let arguments = part.process.command.arguments.iter();
    arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect()
}

fn dropped(recording: &Recording) -> Dropped {
    use layout::DropReason as Reason;
    let sum = |reason| {
        let parts = recording.parts.iter();
        parts.fold(0, |sum: u64, part| {
            sum.saturating_add(part.dropped.count(reason))
        })
    };
    Dropped {
        after_stop: sum(Reason::Stopped),
        sites: sum(Reason::SiteTableFull),
        threads: sum(Reason::ThreadUnwritten),
        modules: sum(Reason::ModuleTableFull),
        damaged: recording.warnings.len() as u64,
    }
}

fn kind(kind: layout::LockKind) -> Option<LockKind> {
    Some(match kind {
        layout::LockKind::Mutex => LockKind::Mutex,
        layout::LockKind::RwLock => LockKind::RwLock,
        layout::LockKind::Spin => LockKind::Spin,
        layout::LockKind::Semaphore => LockKind::Semaphore,
        layout::LockKind::Condvar => LockKind::Condvar,
        layout::LockKind::Barrier => LockKind::Barrier,
        layout::LockKind::Futex => LockKind::Futex,
        // A sort that a later format added; its numbers would mean nothing here.
        _ => return None,
    })
}
