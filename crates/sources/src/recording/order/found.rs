//! The order of locks as the joiner takes it: locks are rows.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use locktoll_recording::layout::{DropReason, EntryPoint};
use locktoll_recording::reader::{Key, Part};

use super::inversions::inversions;
use super::steps::{Step, Steps};
use super::threads::{Alike, Threads};
use super::unusual::{self, Unusual};
use crate::joiner::plus;
use crate::recording::finish::Tables;
use crate::recording::part_view::PartView;
use crate::recording::rows::Rows;
use crate::recording::sites::SiteId;
use crate::recording::stacks::StackId;
use locktoll_results::profile::{
    HeldDuring, LockOrder, OrderCycle, OrderCycleKind, OrderEdge, OrderMode, Use,
};

/// The number of edges that are listed.
const MOST_EDGES: usize = 1_000;

/// The rows of one process image's locks.
pub struct RowsOf {
    /// By the lock's index.
    of_lock: Vec<Option<usize>>,
    /// By the birth's index, for locks that have gone.
    of_birth: HashMap<usize, usize>,
}

impl RowsOf {
    /// Makes the look-up; `of_lock` has the row of each lock of the view.
    pub fn new(view: &PartView<'_>, of_lock: Vec<Option<usize>>) -> Self {
        let mut of_birth = HashMap::new();
        if !view.part.orders.is_empty() {
            for (instance, row) in view.instances.list().iter().zip(&of_lock) {
                for count in view.instances.counts(view.part, instance) {
                    if let (Some(birth), Some(row)) = (count.birth, *row) {
                        of_birth.entry(birth).or_insert(row);
                    }
                }
            }
        }
        Self { of_lock, of_birth }
    }

    /// Returns the row of the last lock at each address.
    pub fn by_address<'r>(
        &'r self,
        view: &'r PartView<'_>,
    ) -> impl Iterator<Item = (u64, usize)> + 'r {
        let locks = view.instances.list().iter().zip(&self.of_lock);
        locks.filter_map(|(lock, row)| Some((lock.address, (*row)?)))
    }

    /// Returns the row of a lock, by its index.
    pub fn of(&self, lock: usize) -> Option<usize> {
        self.of_lock.get(lock).copied().flatten()
    }

    /// Whether the units of a semaphore are returned by the threads that took them, as far as that is known of this one semaphore.
    pub fn is_returned_by_takers(&self, view: &PartView<'_>, key: &Key) -> bool {
        let Some(instance) = view.instances.find(key).filter(|_| !key.is_pooled()) else {
            return false;
        };
        let counts = view
            .instances
            .counts(view.part, &view.instances.list()[instance]);
        let mut released = 0;
        for count in counts {
            match count.entry {
                EntryPoint::Post if count.acquisitions > 0 => return false,
                EntryPoint::Release => released += count.acquisitions,
                _ => {}
            }
        }
        released > 0
    }

    /// Returns the row of a record's lock.
    pub fn find(&self, view: &PartView<'_>, key: &Key) -> Option<usize> {
        match view.instances.find(key) {
            Some(instance) => self.of_lock[instance],
            None => self.of_birth.get(&key.birth?).copied(),
        }
    }
}

/// The data of all processes that the order is found in.
pub struct Processes<'a, 'p> {
    /// The processes, each with its rows.
    pub views: &'a [(PartView<'p>, RowsOf)],
    /// The processes' parts.
    pub parts: &'a [&'p Part],
}

/// Returns the order of locks; `None` if no process noted it. `uses` are the uses of the rows.
pub fn order(
    processes: &Processes<'_, '_>,
    rows: &Rows,
    uses: &[Use],
    tables: &Tables,
) -> Option<LockOrder<usize>> {
    if !processes.parts.iter().any(|part| part.process.notes_order) {
        return None;
    }
    let is_lock = |row: usize| uses.get(row) == Some(&Use::Lock);
    let has_writers = |row: usize| {
        let row = rows.rows.get(row);
        row.is_some_and(|row| row.sums.acquisitions > row.reads)
    };
    let mut edges = Edges::default();
    let mut cycles: Vec<(OrderCycleKind, Vec<usize>)> = Vec::new();
    let mut events = Unusual::new();
    let (mut unjudged, mut dropped) = (0, 0);
    for (view, rows_of) in processes.views {
        let mut found = Steps::of(view, rows_of, is_lock);
        for step in found.steps.iter_mut().chain(&mut found.again) {
            step.behind_writers &= has_writers(step.key.acquired.0);
        }
        plus(&mut unjudged, found.unjudged);
        plus(
            &mut dropped,
            view.part.dropped.count(DropReason::OrderTableFull),
        );
        for step in &found.steps {
            edges.add(step);
        }
        let alike = Alike::of(view.part);
        for cycle in inversions(&found.steps, &alike) {
            let steps = cycle.into_iter().map(|step| edges.add_none(step));
            cycles.push((OrderCycleKind::Inversion, steps.collect()));
        }
        for step in found.again.iter().filter(|step| step.behind_writers) {
            let edge = edges.add(step);
            cycles.push((OrderCycleKind::ReaderAgain, vec![edge]));
        }
        unusual::add(&mut events, view, rows_of, processes.parts, is_lock);
    }
    cycles.sort_by_key(|(_, edges)| edges.len());
    let mut found = edges.finish(cycles, tables);
    found.unusual = unusual_events(events, tables);
    found.unjudged = unjudged;
    found.dropped = dropped;
    Some(found)
}

/// What distinguishes two edges.
type EdgeKey = (usize, usize, SiteId, SiteId, OrderMode, OrderMode, bool);

/// Steps of all processes, whatever further locks were held.
#[derive(Default)]
struct Edges {
    index: HashMap<EdgeKey, usize>,
    edges: Vec<Edge>,
}

struct Edge {
    key: EdgeKey,
    stacks: [Option<StackId>; 2],
    gates: Vec<usize>,
    threads: Threads,
    count: u64,
}

impl Edges {
    /// Adds a step to its edge. Returns the edge's number.
    fn add(&mut self, step: &Step) -> usize {
        let number = self.add_none(step);
        let edge = &mut self.edges[number];
        let gates = step.key.gates.keys().map(|&(row, _)| row);
        let gates: BTreeSet<usize> = gates.collect();
        if edge.threads == Threads::default() {
            edge.gates = gates.iter().copied().collect();
        }
        edge.gates.retain(|it| gates.contains(it));
        edge.threads.add(&step.threads);
        plus(&mut edge.count, step.count);
        number
    }

    /// Returns the number of a step's edge.
    fn add_none(&mut self, step: &Step) -> usize {
        let it = &step.key;
        let key = (
            it.held.0,
            it.acquired.0,
            it.held_site,
            it.acquired_site,
            it.held_mode,
            it.acquired_mode,
            it.waits,
        );
        let edges = &mut self.edges;
        let number = *self.index.entry(key).or_insert_with(|| {
            edges.push(Edge {
                key,
                stacks: [None; 2],
                gates: Vec::new(),
                threads: Threads::default(),
                count: 0,
            });
            edges.len() - 1
        });
        let stacks = &mut self.edges[number].stacks;
        stacks[0] = stacks[0].or(step.held_stack);
        stacks[1] = stacks[1].or(step.acquired_stack);
        number
    }

    /// Sorts the edges, those of cycles first, and leaves out the rarest.
    fn finish(
        self,
        cycles: Vec<(OrderCycleKind, Vec<usize>)>,
        tables: &Tables,
    ) -> LockOrder<usize> {
        let mut place: BTreeMap<usize, usize> = BTreeMap::new();
        for &edge in cycles.iter().flat_map(|(_, edges)| edges) {
            let next = place.len();
            place.entry(edge).or_insert(next);
        }
        let mut rest: Vec<usize> = (0..self.edges.len())
            .filter(|it| !place.contains_key(it))
            .collect();
        rest.sort_by_key(|&it| (Reverse(self.edges[it].count), self.edges[it].key));
        let mut listed: Vec<usize> = place.keys().copied().collect();
        listed.sort_by_key(|it| place[it]);
        let room = MOST_EDGES.max(listed.len());
        listed.extend(rest);
        let more_edges = listed.len().saturating_sub(room) as u64;
        listed.truncate(room);
        let mut seen: Vec<(OrderCycleKind, Vec<usize>)> = Vec::new();
        for (kind, edges) in cycles {
            let edges: Vec<usize> = edges.iter().map(|edge| place[edge]).collect();
            let is_new = !seen.iter().any(|(other, known)| {
                *other == kind
                    && known.len() == edges.len()
                    && edges.iter().all(|it| known.contains(it))
            });
            if is_new {
                seen.push((kind, edges));
            }
        }
        let held = |edge: usize| self.edges[listed[edge]].key.0;
        let cycles = seen.into_iter().map(|(kind, edges)| OrderCycle {
            kind,
            locks: edges.iter().map(|&edge| held(edge)).collect(),
            edges,
        });
        let cycles = cycles.collect();
        LockOrder {
            edges: listed
                .iter()
                .map(|&it| self.edges[it].shown(tables))
                .collect(),
            cycles,
            unusual: Vec::new(),
            more_edges,
            dropped: 0,
            unjudged: 0,
        }
    }
}

impl Edge {
    fn shown(&self, tables: &Tables) -> OrderEdge<usize> {
        let (held, acquired, held_site, acquired_site, held_mode, acquired_mode, waits) = self.key;
        OrderEdge {
            held,
            acquired,
            held_site: tables.place(held_site, self.stacks[0]),
            acquired_site: tables.place(acquired_site, self.stacks[1]),
            held_stack: tables.calls(self.stacks[0]),
            acquired_stack: tables.calls(self.stacks[1]),
            held_mode,
            acquired_mode,
            waits,
            gates: self.gates.clone(),
            count: self.count,
            threads: self.threads.count(),
        }
    }
}

fn unusual_events(events: Unusual, tables: &Tables) -> Vec<HeldDuring<usize>> {
    let shown = events.into_iter().map(|(key, (stack, count))| HeldDuring {
        kind: key.kind,
        held: key.held.iter().map(|&(row, _)| row).collect(),
        held_sites: key
            .held
            .iter()
            .map(|&(_, site)| tables.place(site, None))
            .collect(),
        condition: key.condition,
        site: tables.place(key.site, stack),
        stack: tables.calls(stack),
        count,
    });
    let mut shown: Vec<HeldDuring<usize>> = shown.collect();
    shown.sort_by_key(|it| Reverse((it.kind, it.count)));
    shown
}
