//! Puts one part together: ids become indices, waits join their counts.

use std::collections::HashMap;
use std::io;
use std::vec::Vec;

use super::header::CheckedHeader;
use super::records::{self, Key, RawContention, RawCount, RawSite, RawThread};
use super::segments::{Segment, Segments, Step};
use super::source::Source;
use super::{Count, Module, Part, Problem, Range, Site, Waiting, Warning};
use crate::layout::RecordKind;

/// What the records of a part say, before they are put in relation.
#[derive(Default)]
struct Raw {
    threads: Vec<RawThread>,
    modules: Vec<(u32, Module)>,
    ranges: Vec<(u32, Range)>,
    sites: Vec<RawSite>,
    counts: Vec<RawCount>,
    contentions: Vec<RawContention>,
}

/// Reads the segments of the part whose header begins at `offset`.
pub(super) fn read<S: Source + ?Sized>(
    source: &S,
    header: CheckedHeader,
    offset: u64,
    available: u64,
    warnings: &mut Vec<Warning>,
) -> io::Result<Part> {
    let end = offset + header.part_bytes;
    if end > available {
        warnings.push(Warning {
            offset: available,
            problem: Problem::Truncated {
                missing_bytes: end - available,
            },
        });
    }
    let mut raw = Raw::default();
    let mut segments = Segments::new(source, offset + header.header_bytes, end, available);
    loop {
        match segments.step()? {
            Step::Segment(segment) => {
                if segment.missing_bytes > 0 {
                    warnings.push(Warning {
                        offset: end,
                        problem: Problem::Truncated {
                            missing_bytes: segment.missing_bytes,
                        },
                    });
                }
                let bad = raw.take(source, &segment)?;
                if bad > 0 {
                    warnings.push(Warning {
                        offset: segment.first_record,
                        problem: Problem::BadRecords {
                            count: bad,
                            kind: segment.kind,
                        },
                    });
                }
            }
            Step::Passed => {}
            Step::Warning(warning) => warnings.push(warning),
            Step::End => break,
        }
    }
    Ok(raw.join(header))
}

impl Raw {
    /// Reads the records of one segment. Returns how many made no sense.
    fn take<S: Source + ?Sized>(&mut self, source: &S, segment: &Segment) -> io::Result<u64> {
        fn keep<T>(list: &mut Vec<T>, item: Option<T>) -> bool {
            let sound = item.is_some();
            list.extend(item);
            sound
        }
        let owner = segment.owner;
        records::for_each(source, segment, |fields| match segment.kind {
            RecordKind::Thread => keep(&mut self.threads, records::thread(fields)),
            RecordKind::Module => keep(&mut self.modules, records::module(fields)),
            RecordKind::Range => keep(&mut self.ranges, records::range(fields)),
            RecordKind::Site => keep(&mut self.sites, records::site(fields)),
            RecordKind::Count => keep(&mut self.counts, records::count(fields, owner)),
            RecordKind::Contention => {
                keep(&mut self.contentions, records::contention(fields, owner))
            }
            // Kinds that have a number but no meaning yet.
            _ => true,
        })
    }

    fn join(self, header: CheckedHeader) -> Part {
        let (modules, module_index) = join_modules(self.modules, self.ranges);
        let mut site_index = HashMap::new();
        let mut sites = Vec::new();
        for site in self.sites {
            site_index.insert(site.id, sites.len());
            sites.push(Site {
                address: site.address,
                module: module_index.get(&site.module_id).copied(),
                file_offset: site.file_offset,
            });
        }
        let counts = join_counts(self.counts, self.contentions, &site_index);
        let threads = self.threads.into_iter().map(|raw| {
            let mut thread = raw.thread;
            thread.waiting = (raw.waiting_since_ns != 0).then(|| Waiting {
                since_ns: raw.waiting_since_ns,
                lock_address: raw.waiting_lock,
                site: site_index.get(&raw.waiting_site_id).copied(),
            });
            thread
        });
        Part {
            threads: threads.collect(),
            process: header.process,
            modules,
            sites,
            counts,
            dropped: header.dropped,
        }
    }
}

fn join_modules(
    raw: Vec<(u32, Module)>,
    ranges: Vec<(u32, Range)>,
) -> (Vec<Module>, HashMap<u32, usize>) {
    let mut index = HashMap::new();
    let mut modules = Vec::new();
    for (id, module) in raw {
        index.insert(id, modules.len());
        modules.push(module);
    }
    for (id, range) in ranges {
        // Modules are written before their ranges; a range without one has nothing to say.
        if let Some(&module) = index.get(&id) {
            modules[module].ranges.push(range);
        }
    }
    (modules, index)
}

fn join_counts(
    raw: Vec<RawCount>,
    contentions: Vec<RawContention>,
    sites: &HashMap<u32, usize>,
) -> Vec<Count> {
    let count = |key: Key, acquisitions, birth_id, contention| Count {
        lock_address: key.lock_address,
        generation: key.generation,
        kind: key.kind,
        entry: key.entry,
        site: sites.get(&key.site_id).copied(),
        thread_slot: key.slot,
        acquisitions,
        birth_id,
        contention,
    };
    let mut waits: HashMap<Key, RawContention> = contentions
        .into_iter()
        .map(|contention| (contention.key, contention))
        .collect();
    let mut counts: Vec<Count> = raw
        .into_iter()
        .map(|raw| {
            let waited = waits.remove(&raw.key).map(|waited| waited.contention);
            count(raw.key, raw.acquisitions, raw.birth_id, waited)
        })
        .collect();
    // Waits without an acquisition: attempts that all failed, or a process that ended while it waited.
    let mut alone: Vec<RawContention> = waits.into_values().collect();
    alone.sort_by_key(|raw| (raw.key.slot, raw.key.lock_address, raw.key.site_id));
    counts.extend(
        alone
            .into_iter()
            .map(|raw| count(raw.key, 0, raw.birth_id, Some(raw.contention))),
    );
    counts
}
