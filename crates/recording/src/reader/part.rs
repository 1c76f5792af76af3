//! Reads the records of one part.

use std::io;
use std::vec::Vec;

use super::gathered::{Gathered, TURNS, turn_of};
use super::header::CheckedHeader;
use super::segments::{Segments, Step};
use super::source::Source;
use super::{EventSegment, Part, Problem, Warning, plausible};
use crate::layout::RecordKind;

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
    let mut segments = Segments::new(source, offset + header.header_bytes, end, available);
    let mut found = Vec::new();
    let mut events = Vec::new();
    // The faults, by the position in the walk.
    let mut wrong: Vec<(u64, Warning)> = Vec::new();
    for step in 0.. {
        match segments.step()? {
            Step::Segment(segment) => {
                if segment.missing_bytes > 0 {
                    let problem = Problem::Truncated {
                        missing_bytes: segment.missing_bytes,
                    };
                    wrong.push((
                        step,
                        Warning {
                            offset: end,
                            problem,
                        },
                    ));
                }
                if segment.kind == RecordKind::Event {
                    events.extend(EventSegment::of(&segment));
                } else if segment.records > 0 {
                    found.push((step, segment));
                }
            }
            Step::Passed => {}
            Step::Warning(warning) => wrong.push((step, warning)),
            Step::End => break,
        }
    }
    let mut gathered = Gathered::default();
    for turn in 0..TURNS {
        for (step, segment) in &found {
            if turn_of(segment.kind) != turn {
                continue;
            }
            let count = gathered.take(source, segment)?;
            if count > 0 {
                let problem = Problem::BadRecords {
                    count,
                    kind: segment.kind,
                };
                let offset = segment.first_record;
                wrong.push((*step, Warning { offset, problem }));
            }
        }
    }
    wrong.sort_by_key(|(step, _)| *step);
    warnings.extend(wrong.into_iter().map(|(_, warning)| warning));
    let part = gathered.into_part(header, events);
    let implausible = plausible::problems(&part);
    warnings.extend(implausible.map(|problem| Warning { offset, problem }));
    Ok(part)
}
