//! Reads the records of one part.

use std::io;
use std::vec::Vec;

use super::header::CheckedHeader;
use super::join::join;
use super::records::{
    self, RawBirth, RawBlame, RawContention, RawCount, RawHold, RawPreemptedWait, RawPreemption,
    RawSite, RawStack, RawStackWait, RawSymbol, RawThread, RawVariable,
};
use super::segments::{Segment, Segments, Step};
use super::source::Source;
use super::{Module, Part, Problem, Range, Warning, Watch, plausible};
use crate::layout::RecordKind;

/// What the records of a part say, before they are put in relation.
#[derive(Default)]
pub(super) struct Raw {
    pub threads: Vec<RawThread>,
    pub modules: Vec<(u32, Module)>,
    pub ranges: Vec<(u32, Range)>,
    pub sites: Vec<RawSite>,
    pub stacks: Vec<RawStack>,
    pub births: Vec<RawBirth>,
    pub counts: Vec<RawCount>,
    pub contentions: Vec<RawContention>,
    pub holds: Vec<RawHold>,
    pub blames: Vec<RawBlame>,
    pub stack_waits: Vec<RawStackWait>,
    pub symbols: Vec<RawSymbol>,
    pub variables: Vec<RawVariable>,
    pub preemptions: Vec<RawPreemption>,
    pub preempted_waits: Vec<RawPreemptedWait>,
    pub watches: Vec<Watch>,
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
    let part = join(raw, header);
    let implausible = plausible::problems(&part);
    warnings.extend(implausible.map(|problem| Warning { offset, problem }));
    Ok(part)
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
            RecordKind::Stack => keep(&mut self.stacks, records::stack(fields)),
            RecordKind::Birth => keep(&mut self.births, records::birth(fields)),
            RecordKind::Count => keep(&mut self.counts, records::count(fields, owner)),
            RecordKind::Contention => {
                keep(&mut self.contentions, records::contention(fields, owner))
            }
            RecordKind::Hold => keep(&mut self.holds, records::hold(fields, owner)),
            RecordKind::Blame => keep(&mut self.blames, records::blame(fields, owner)),
            RecordKind::StackWait => {
                keep(&mut self.stack_waits, records::stack_wait(fields, owner))
            }
            RecordKind::Symbol => keep(&mut self.symbols, records::symbol(fields)),
            RecordKind::Name => keep(&mut self.variables, records::variable(fields)),
            RecordKind::Preemption => keep(&mut self.preemptions, records::preemption(fields)),
            RecordKind::PreemptedWait => {
                keep(&mut self.preempted_waits, records::preempted_wait(fields))
            }
            RecordKind::Watch => keep(&mut self.watches, records::watch(fields)),
        })
    }
}
