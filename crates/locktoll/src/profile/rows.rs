//! The rows of a profile while they are added up: counts by lock and by call site.

use std::collections::HashMap;

use locktoll_recording::layout;
use locktoll_recording::reader::{Count, Part};

use super::identity::{Identities, Identity};
use super::sums::Sums;
use super::symbols::{Place, Symbols};
use super::{Blame, Frame, Lock, LockKind, Site, Use};

/// All rows, and the call sites that they share.
#[derive(Default)]
pub struct Rows {
    rows: HashMap<Identity, Row>,
    sites: Sites,
}

/// One lock, or all locks of one identity.
struct Row {
    sums: Sums,
    instances: u64,
    still_waiting: u64,
    first_site: SiteId,
    by_site: HashMap<SiteId, Sums>,
}

/// Call sites that are told apart, each once.
#[derive(Default)]
struct Sites {
    ids: HashMap<SiteKey, SiteId>,
    frames: Vec<Vec<Frame>>,
}

type SiteId = usize;

/// What call sites of a lock are told apart by: what is shown of them.
///
/// A loop that the compiler unrolled has several addresses for one line of the source.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

/// A call site of one part: where it lies, and which of all sites it is.
#[derive(Clone)]
struct PartSite {
    place: Option<Place>,
    id: SiteId,
}

impl Rows {
    /// Adds what one process image recorded.
    pub fn add(&mut self, part: &Part, symbols: &mut Symbols) {
        let unknown = PartSite {
            place: None,
            id: self.sites.id(None, Vec::new()),
        };
        // Looked up once a site, not once a count: there may be a million counts.
        let sites: Vec<PartSite> = part
            .sites
            .iter()
            .map(|&site| {
                let place = Symbols::place(part, site);
                let frames = symbols.frames(part, site, &place);
                PartSite {
                    id: self.sites.id(Some(&place), frames),
                    place: Some(place),
                }
            })
            .collect();
        let site_of = |count: &Count| {
            count
                .site
                .and_then(|site| sites.get(site))
                .unwrap_or(&unknown)
        };

        let mut waiting: HashMap<u64, u64> = HashMap::new();
        for wait in part.threads.iter().filter_map(|thread| thread.waiting) {
            *waiting.entry(wait.lock_address).or_default() += 1;
        }

        // One lock is what has one address and one generation in one process image.
        let instance = |count: &Count| (count.lock_address, count.generation, count.kind);
        let mut counts: Vec<&Count> = part.counts.iter().collect();
        counts.sort_unstable_by_key(|count| (instance(count), count.thread_slot, count.site));
        for counts in counts.chunk_by(|a, b| instance(a) == instance(b)) {
            let Some(kind) = kind(counts[0].kind) else {
                continue;
            };
            let address = counts[0].lock_address;
            let first = counts
                .iter()
                .map(|count| site_of(count))
                .min_by(|left, right| left.place.cmp(&right.place))
                .unwrap_or(&unknown);
            let identity = Identity::of(part, kind, address, first.place.clone(), symbols);
            let row = self.rows.entry(identity).or_insert_with(|| Row {
                sums: Sums::ZERO,
                instances: 0,
                still_waiting: 0,
                first_site: first.id,
                by_site: HashMap::new(),
            });
            row.instances += 1;
            row.still_waiting += waiting.remove(&address).unwrap_or(0);
            for count in counts {
                row.sums.add(count);
                let site = row.by_site.entry(site_of(count).id);
                site.or_insert(Sums::ZERO).add(count);
            }
        }
    }

    /// The locks, by cost, and by identity where the cost is the same.
    pub fn into_locks(self) -> Vec<Lock> {
        let mut rows: Vec<(Identity, Row)> = self.rows.into_iter().collect();
        rows.sort_by(|(a, left), (b, right)| {
            let by_cost = cost(&right.sums).cmp(&cost(&left.sums));
            by_cost.then_with(|| a.cmp(b))
        });
        let mut identities = Identities::default();
        rows.into_iter()
            .map(|(identity, row)| lock(&identity, row, &self.sites, &mut identities))
            .collect()
    }
}

impl Sites {
    fn id(&mut self, place: Option<&Place>, frames: Vec<Frame>) -> SiteId {
        let key = SiteKey::of(place.cloned(), &frames);
        *self.ids.entry(key).or_insert_with(|| {
            self.frames.push(frames);
            self.frames.len() - 1
        })
    }
}

/// What a lock or a call site is ordered by.
fn cost(sums: &Sums) -> [u64; 3] {
    [sums.wait_total_ns, sums.contended, sums.acquisitions]
}

fn lock(identity: &Identity, row: Row, all_sites: &Sites, identities: &mut Identities) -> Lock {
    let mut by_site: Vec<(SiteId, Sums)> = row.by_site.into_iter().collect();
    // Sites have their numbers in the order of the recording, which is the same every time.
    by_site.sort_by(|(a, left), (b, right)| cost(right).cmp(&cost(left)).then(a.cmp(b)));
    let sites: Vec<Site> = by_site
        .into_iter()
        .map(|(id, sums)| Site {
            frames: all_sites.frames[id].clone(),
            acquisitions: Some(sums.acquisitions),
            contended: sums.contended,
            try_failed: sums.try_failed,
            wait_ns: sums.wait_total_ns,
            wait_max_ns: sums.wait_times().max,
            hold_ns: None,
        })
        .collect();
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
    let first_site = all_sites.frames[row.first_site].clone();
    Lock {
        id: identities.unique(identity.id(&first_site)),
        kind: identity.kind,
        name: identity.name(&first_site),
        first_site,
        instances: row.instances,
        birth: Vec::new(),
        initialised: false,
        used_as: Use::Lock,
        acquisitions: Some(row.sums.acquisitions),
        read_acquisitions: None,
        contended: row.sums.contended,
        try_failed: row.sums.try_failed,
        timed_out: row.sums.timed_out,
        still_waiting: row.still_waiting,
        wait_ns: row.sums.wait_times(),
        wait_split: None,
        hold_ns: None,
        recorder_dominates: false,
        while_held: None,
        signal: None,
        sites,
        stacks: Vec::new(),
        members: Vec::new(),
        blame,
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
