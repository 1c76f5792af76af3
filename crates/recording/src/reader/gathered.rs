//! Gathers the records of one part: ids become positions, waits join their counts.

use std::collections::HashMap;
use std::io;
use std::string::String;
use std::vec::Vec;

use super::header::CheckedHeader;
use super::ids::Ids;
use super::index::Index;
use super::records::{self, CountId};
use super::segments::Segment;
use super::source::Source;
use super::{
    AddressIndex, Birth, Blame, Count, EventSegment, Hold, Module, Order, Part, PreemptedWait,
    Preemption, Site, Stack, StackWait, Symbol, Thread, Variable, Watch,
};
use crate::layout::RecordKind;

/// The contents of a part's records, as far as they have been read.
#[derive(Default)]
pub(super) struct Gathered {
    index: Index,
    threads: Vec<Thread>,
    modules: Vec<Module>,
    sites: Vec<Site>,
    stacks: Vec<Stack>,
    births: Vec<Birth>,
    counts: Vec<(CountId, Count)>,
    contentions: Vec<(CountId, Count)>,
    holds: Vec<Hold>,
    blames: Vec<Blame>,
    stack_waits: Vec<StackWait>,
    orders: Vec<Order>,
    alerts: Vec<String>,
    symbols: Vec<Symbol>,
    variables: Vec<Variable>,
    preemptions: Vec<Preemption>,
    preempted_waits: Vec<PreemptedWait>,
    watches: Vec<Watch>,
    about: Vec<String>,
    spinning: Vec<u8>,
}

/// The number of turns: see [`turn_of`].
pub(super) const TURNS: u32 = 6;

/// Returns the turn in which records of `kind` are read. Records that others refer to by an id come before those others.
pub(super) fn turn_of(kind: RecordKind) -> u32 {
    match kind {
        RecordKind::Module => 0,
        RecordKind::Range => 1,
        RecordKind::Site => 2,
        RecordKind::Stack => 3,
        RecordKind::Birth => 4,
        _ => TURNS - 1,
    }
}

/// Keeps `item`, if there is one. Returns whether there is.
fn keep<T>(list: &mut Vec<T>, item: Option<T>) -> bool {
    let sound = item.is_some();
    list.extend(item);
    sound
}

/// Like `keep`, for records that others refer to by an id.
fn keep_by_id<T>(ids: &mut Ids, list: &mut Vec<T>, item: Option<(u32, T)>) -> bool {
    let item = item.map(|(id, item)| {
        ids.insert(id, list.len());
        item
    });
    keep(list, item)
}

impl Gathered {
    /// Reads the records of one segment, in its turn. Returns the number of records that made no sense.
    pub fn take<S: Source + ?Sized>(&mut self, source: &S, segment: &Segment) -> io::Result<u64> {
        let owner = segment.owner;
        let index = &mut self.index;
        records::for_each(source, segment, |fields| match segment.kind {
            RecordKind::Module => {
                let module = records::module(fields);
                keep_by_id(&mut index.modules, &mut self.modules, module)
            }
            RecordKind::Range => {
                let range = records::range(fields);
                // A range is useless without its module, although it may be valid.
                if let Some((id, range)) = range
                    && let Some(module) = index.modules.find(id)
                {
                    self.modules[module].ranges.push(range);
                }
                range.is_some()
            }
            RecordKind::Site => {
                let site = records::site(fields, index);
                keep_by_id(&mut index.sites, &mut self.sites, site)
            }
            RecordKind::Stack => {
                let stack = records::stack(fields, index);
                keep_by_id(&mut index.stacks, &mut self.stacks, stack)
            }
            RecordKind::Birth => {
                let birth = records::birth(fields, index);
                keep_by_id(&mut index.births, &mut self.births, birth)
            }
            RecordKind::Thread => keep(&mut self.threads, records::thread(fields, index)),
            RecordKind::Count => keep(&mut self.counts, records::count(fields, owner, index)),
            RecordKind::Contention => keep(
                &mut self.contentions,
                records::contention(fields, owner, index),
            ),
            RecordKind::Hold => keep(&mut self.holds, records::hold(fields, owner, index)),
            RecordKind::Blame => keep(&mut self.blames, records::blame(fields, owner, index)),
            RecordKind::StackWait => keep(
                &mut self.stack_waits,
                records::stack_wait(fields, owner, index),
            ),
            RecordKind::Symbol => match records::symbol(fields, index) {
                Some(symbol) => {
                    self.symbols.extend(symbol);
                    true
                }
                None => false,
            },
            RecordKind::Name => keep(&mut self.variables, records::variable(fields, index)),
            RecordKind::Preemption => {
                keep(&mut self.preemptions, records::preemption(fields, index))
            }
            RecordKind::PreemptedWait => keep(
                &mut self.preempted_waits,
                records::preempted_wait(fields, index),
            ),
            RecordKind::Watch => keep(&mut self.watches, records::watch(fields)),
            RecordKind::Order => keep(&mut self.orders, records::order(fields, owner, index)),
            RecordKind::Alert => keep(&mut self.alerts, records::alert(fields)),
            // These are read only if somebody asks for them.
            RecordKind::Event => true,
            RecordKind::About => keep(&mut self.about, records::about(fields)),
            RecordKind::Spinning => match records::spinning(fields) {
                Some(piece) => {
                    self.spinning.extend_from_slice(piece);
                    true
                }
                None => false,
            },
        })
    }

    /// Returns the part with these records.
    pub fn into_part(mut self, header: CheckedHeader, events: Vec<EventSegment>) -> Part {
        self.symbols
            .sort_by_key(|symbol| (symbol.site, symbol.depth));
        Part {
            process: header.process,
            threads: self.threads,
            addresses: AddressIndex::new(&self.modules),
            modules: self.modules,
            sites: self.sites,
            stacks: self.stacks,
            births: self.births,
            counts: joined(self.counts, self.contentions),
            holds: self.holds,
            blames: self.blames,
            stack_waits: self.stack_waits,
            orders: self.orders,
            events,
            alerts: self.alerts,
            symbols: self.symbols,
            variables: self.variables,
            watch: self.watches.into_iter().next(),
            about: self.about.into_iter().next(),
            spinning: (!self.spinning.is_empty())
                .then(|| String::from_utf8_lossy(&self.spinning).into_owned()),
            preemptions: self.preemptions,
            preempted_waits: self.preempted_waits,
            dropped: header.dropped,
        }
    }
}

/// Returns counts with their waits, followed by the waits without an acquisition: attempts that all failed, or a process that
/// ended while it waited.
fn joined(counts: Vec<(CountId, Count)>, contentions: Vec<(CountId, Count)>) -> Vec<Count> {
    let mut waits: HashMap<CountId, Count> = contentions.into_iter().collect();
    let mut joined: Vec<Count> = counts
        .into_iter()
        .map(|(id, mut count)| {
            if !waits.is_empty()
                && let Some(waited) = waits.remove(&id)
            {
                count.contention = waited.contention;
            }
            count
        })
        .collect();
    let mut alone: Vec<(CountId, Count)> = waits.into_iter().collect();
    alone.sort_by_key(|(id, _)| *id);
    joined.extend(alone.into_iter().map(|(_, count)| count));
    joined
}
