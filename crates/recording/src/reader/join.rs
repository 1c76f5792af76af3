//! Puts one part together: ids become indices, waits join their counts.

use std::collections::HashMap;
use std::vec::Vec;

use super::header::CheckedHeader;
use super::ids::Ids;
use super::part::Raw;
use super::records::{RawContention, RawCount, RawKey};
use super::{
    AddressIndex, Birth, Blame, Count, Hold, Key, Module, Part, PreemptedWait, Preemption, Range,
    Site, Stack, StackWait, Symbol, Thread, Variable, Waiting,
};

/// Where everything is that records name by an id.
#[derive(Default)]
struct Index {
    modules: Ids,
    sites: Ids,
    stacks: Ids,
    births: Ids,
}

/// The part that the records of `raw` are of.
pub(super) fn join(raw: Raw, header: CheckedHeader) -> Part {
    let mut index = Index::default();
    let modules = modules(raw.modules, raw.ranges, &mut index.modules);
    for (position, site) in raw.sites.iter().enumerate() {
        index.sites.insert(site.id, position);
    }
    for (position, stack) in raw.stacks.iter().enumerate() {
        index.stacks.insert(stack.id, position);
    }
    for (position, birth) in raw.births.iter().enumerate() {
        index.births.insert(birth.id, position);
    }
    let index = &index;

    let sites = raw.sites.into_iter().map(|site| Site {
        id: site.id,
        address: site.address,
        module: index.modules.find(site.module_id),
        file_offset: site.file_offset,
    });
    let stacks = raw.stacks.into_iter().map(|stack| Stack {
        sites: stack
            .site_ids
            .into_iter()
            .map(|id| index.sites.find(id))
            .collect(),
        truncated: stack.truncated,
    });
    let births = raw.births.into_iter().map(|birth| Birth {
        by: birth.by,
        kind: birth.kind,
        stack: index.stacks.find(birth.stack_id),
        site: index.sites.find(birth.site_id),
        locks: birth.locks,
    });
    let holds = raw.holds.into_iter().map(|hold| Hold {
        key: index.key(hold.key, hold.birth_id),
        timed: hold.timed,
        timed_total_ns: hold.timed_total_ns,
        estimated_total_ns: hold.estimated_total_ns,
        max_ns: hold.max_ns,
        examined: hold.examined,
        blocked: hold.blocked,
        voluntary_switches: hold.voluntary_switches,
        involuntary_switches: hold.involuntary_switches,
        system_calls: hold.system_calls,
        off_cpu_ns: hold.off_cpu_ns,
        gaps: hold.gaps,
        gap_ns: hold.gap_ns,
        hold_histogram: hold.hold_histogram,
    });
    let blames = raw.blames.into_iter().map(|blame| Blame {
        key: index.key(blame.key, blame.birth_id),
        holder_site: index.sites.find(blame.holder_site_id),
        waits: blame.waits,
        wait_ns: blame.wait_ns,
    });
    let stack_waits = raw.stack_waits.into_iter().map(|wait| StackWait {
        key: index.key(wait.key, wait.birth_id),
        stack: index.stacks.find(wait.stack_id),
        waits: wait.waits,
        wait_ns: wait.wait_ns,
    });
    let threads = raw.threads.into_iter().map(|raw| Thread {
        waiting: (raw.waiting_since_ns != 0).then(|| Waiting {
            since_ns: raw.waiting_since_ns,
            lock_address: raw.waiting_lock,
            site: index.sites.find(raw.waiting_site_id),
        }),
        start_routine: index.sites.find(raw.start_routine_id),
        ..raw.thread
    });
    let preemptions = raw.preemptions.into_iter().map(|raw| Preemption {
        key: index.key(raw.key, raw.birth_id),
        why: raw.why,
        count: raw.count,
        total_ns: raw.total_ns,
        max_ns: raw.max_ns,
        histogram: raw.histogram,
    });
    let preempted_waits = raw.preempted_waits.into_iter().map(|raw| PreemptedWait {
        key: index.key(raw.key, raw.birth_id),
        tid: raw.tid,
        count: raw.count,
        wait_ns: raw.wait_ns,
        max_ns: raw.max_ns,
    });
    let variables = raw.variables.into_iter().map(|variable| Variable {
        address: variable.address,
        bytes: variable.bytes,
        name: variable.name,
        module: index.modules.find(variable.module_id),
    });
    // A symbol without its site has nothing to say.
    let mut symbols: Vec<Symbol> = raw
        .symbols
        .into_iter()
        .filter_map(|symbol| {
            Some(Symbol {
                site: index.sites.find(symbol.site_id)?,
                depth: symbol.depth,
                function: symbol.function,
                file: symbol.file,
                line: symbol.line,
                address: symbol.address,
            })
        })
        .collect();
    symbols.sort_by_key(|symbol| (symbol.site, symbol.depth));
    Part {
        process: header.process,
        threads: threads.collect(),
        addresses: AddressIndex::new(&modules),
        modules,
        sites: sites.collect(),
        stacks: stacks.collect(),
        births: births.collect(),
        counts: counts(raw.counts, raw.contentions, index),
        holds: holds.collect(),
        blames: blames.collect(),
        stack_waits: stack_waits.collect(),
        symbols,
        variables: variables.collect(),
        watch: raw.watches.into_iter().next(),
        preemptions: preemptions.collect(),
        preempted_waits: preempted_waits.collect(),
        dropped: header.dropped,
    }
}

impl Index {
    fn key(&self, raw: RawKey, birth_id: u32) -> Key {
        Key {
            lock_address: raw.lock_address,
            generation: raw.generation,
            kind: raw.kind,
            entry: raw.entry,
            site: self.sites.find(raw.site_id),
            thread_slot: raw.slot,
            birth: self.births.find(birth_id),
        }
    }
}

fn modules(raw: Vec<(u32, Module)>, ranges: Vec<(u32, Range)>, index: &mut Ids) -> Vec<Module> {
    let mut modules = Vec::new();
    for (id, module) in raw {
        index.insert(id, modules.len());
        modules.push(module);
    }
    for (id, range) in ranges {
        // Modules are written before their ranges; a range without one has nothing to say.
        if let Some(module) = index.find(id) {
            modules[module].ranges.push(range);
        }
    }
    modules
}

fn counts(raw: Vec<RawCount>, contentions: Vec<RawContention>, index: &Index) -> Vec<Count> {
    let count = |raw: RawKey, birth_id, acquisitions, contention| {
        let key = index.key(raw, birth_id);
        Count {
            lock_address: key.lock_address,
            generation: key.generation,
            kind: key.kind,
            entry: key.entry,
            site: key.site,
            thread_slot: key.thread_slot,
            birth: key.birth,
            acquisitions,
            contention,
        }
    };
    let mut waits: HashMap<RawKey, RawContention> = contentions
        .into_iter()
        .map(|contention| (contention.key, contention))
        .collect();
    let mut counts: Vec<Count> = raw
        .into_iter()
        .map(|raw| {
            let waited = if waits.is_empty() {
                None
            } else {
                waits.remove(&raw.key).map(|waited| waited.contention)
            };
            count(raw.key, raw.birth_id, raw.acquisitions, waited)
        })
        .collect();
    // Waits without an acquisition: attempts that all failed, or a process that ended while it waited.
    let mut alone: Vec<RawContention> = waits.into_values().collect();
    alone.sort_by_key(|raw| {
        let key = raw.key;
        (
            key.slot,
            key.lock_address,
            key.generation,
            key.site_id,
            key.entry,
        )
    });
    counts.extend(
        alone
            .into_iter()
            .map(|raw| count(raw.key, raw.birth_id, 0, Some(raw.contention))),
    );
    counts
}
