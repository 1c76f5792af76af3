//! Reads `.eh_frame` (Linux Standard Base, 10.6) from end to end, as if it were hostile.

use gimli::{
    BaseAddresses, CommonInformationEntry, EhFrameOffset, EndianSlice, FrameDescriptionEntry,
    LittleEndian, UnwindContext, UnwindSection,
};

use super::frame_rule;
use super::frame_rule::Section;
use super::rule::Rule;

type Reader<'a> = EndianSlice<'a, LittleEndian>;
type Cie<'a> = CommonInformationEntry<Reader<'a>>;
type Fde<'a> = FrameDescriptionEntry<Reader<'a>>;

/// The common part of an entry is run anew for each function, so a large one that many functions share would take forever. Real
/// ones take less than three bytes of work for each byte of the section.
const WORK_PER_BYTE: usize = 16;
const WORK_AT_LEAST: usize = 1 << 20;

/// A sink for rows, which the caller provides.
pub trait Rows {
    /// Takes a row: `rule` holds from `address` to the next row. Functions come in any order, and so do their addresses.
    /// Returns `false` if there is no more room; then reading ends.
    fn row(&mut self, address: u64, rule: Rule) -> bool;

    /// Takes the end, `address`, of the function to which the last rows belong.
    fn end(&mut self, address: u64) -> bool;
}

/// What was found in addition to rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Functions.
    pub functions: usize,
    /// Functions that could not be read completely.
    pub damaged: usize,
    /// Whether reading stopped before the end, because there was no more room, or more work than any real section causes.
    pub is_cut: bool,
}

/// Reads `section`, which the program has at address `at`, into `rows`.
pub fn read(section: &[u8], at: u64, rows: &mut impl Rows) -> Found {
    let frames = Section::new(section, LittleEndian);
    let bases = BaseAddresses::default().set_eh_frame(at);
    let mut context = UnwindContext::new();
    let mut found = Found::default();
    let mut last: Option<Cie<'_>> = None;
    let limit = section
        .len()
        .saturating_mul(WORK_PER_BYTE)
        .max(WORK_AT_LEAST);
    let mut work = 0;
    let mut position = 0;
    // For simple readers, a length of zero ends the section. Linkers leave some in the middle.
    while let Some(entry) = Entry::at(section, position) {
        if entry.is_function {
            found.functions += 1;
            let fde = frames.fde_from_offset(
                &bases,
                EhFrameOffset(position),
                |section, bases, offset| {
                    if let Some(cie) = last.as_ref().filter(|cie| cie.offset() == offset.0) {
                        return Ok(cie.clone());
                    }
                    let cie = section.cie_from_offset(bases, offset)?;
                    last = Some(cie.clone());
                    Ok(cie)
                },
            );
            match fde {
                Ok(fde) => {
                    work += fde.entry_len().saturating_add(fde.cie().entry_len());
                    match function(&frames, &bases, &fde, &mut context, rows) {
                        Some(is_whole) => found.damaged += usize::from(!is_whole),
                        None => found.is_cut = true,
                    }
                }
                Err(_) => found.damaged += 1,
            }
        }
        found.is_cut |= work > limit;
        if found.is_cut {
            break;
        }
        position = entry.end;
    }
    found
}

/// Returns the part of `bytes` up to the entry of length zero that ends the section. The bytes behind it belong to something
/// else.
pub fn up_to_end(bytes: &[u8]) -> &[u8] {
    let mut position = 0;
    while let Some(entry) = Entry::at(bytes, position).filter(|entry| !entry.is_last) {
        position = entry.end;
    }
    &bytes[..position]
}

/// Reads one function; `None` if there is no more room, otherwise whether all of it could be read.
fn function<'a>(
    section: &Section<'a>,
    bases: &BaseAddresses,
    fde: &Fde<'a>,
    context: &mut UnwindContext<usize>,
    rows: &mut impl Rows,
) -> Option<bool> {
    let (begin, end) = (fde.initial_address(), fde.end_address());
    // Functions that the linker removed remain at address zero, or empty.
    if begin == 0 || end <= begin {
        return Some(true);
    }
    let return_address = fde.cie().return_address_register();
    let is_signal_frame = fde.is_signal_trampoline();
    let mut next = begin;
    let mut is_whole = false;
    if let Ok(mut table) = fde.rows(section, bases, context) {
        loop {
            match table.next_row() {
                Ok(Some(row)) => {
                    let (from, to) = (row.start_address(), row.end_address());
                    if from >= end {
                        is_whole = true;
                        break;
                    }
                    let rule = frame_rule::rule_of(section, row, return_address, is_signal_frame);
                    if from < to {
                        rows.row(from, rule).then_some(())?;
                    }
                    next = to.min(end);
                }
                Ok(None) => {
                    is_whole = true;
                    break;
                }
                Err(_) => break,
            }
        }
    }
    if !is_whole && next < end {
        rows.row(next, Rule::UNSUPPORTED).then_some(())?;
    }
    rows.end(end).then_some(is_whole)
}

/// The head of an entry.
struct Entry {
    end: usize,
    is_function: bool,
    is_last: bool,
}

impl Entry {
    fn at(section: &[u8], position: usize) -> Option<Self> {
        let word = |at: usize| {
            let bytes = section.get(at..at.checked_add(4)?)?;
            Some(u32::from_le_bytes(bytes.try_into().ok()?))
        };
        let short = word(position)?;
        let (body, length) = if short == u32::MAX {
            let long = u64::from(word(position + 4)?) | u64::from(word(position + 8)?) << 32;
            (position + 12, usize::try_from(long).ok()?)
        } else {
            (position + 4, short as usize)
        };
        let end = body.checked_add(length)?;
        if end > section.len() {
            return None;
        }
        // In a function's entry, the first word is the distance back to the common part.
        let is_function = length >= 4 && word(body)? != 0;
        Some(Self {
            end,
            is_function,
            is_last: length == 0,
        })
    }
}
