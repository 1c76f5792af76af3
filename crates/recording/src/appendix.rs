//! The additions to a part after the run: names, found while the program's files were available, and the kernel's
//! data about it.
//!
//! - `preemptions`: the kernel's data. `spinning`: busy waiting. `events`: events by time, copied while the program ran.
//!
//! The recorded process writes only addresses. The program that merges its part can look up their names and append
//! them, so that a report is the same on a machine without those files.
//!
//! # Invariants
//!
//! - **A1** Memory for a segment is a fresh run of zeroed `u64`s, to which nothing else has access while a writer
//!   into it lives. That is W1 to W3 of the [`writer`](crate::writer).

mod events;
mod preemptions;
mod spinning;

use core::ptr::NonNull;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;

use crate::layout::{AboutRecord, AlertRecord, NO_OWNER, NameRecord, Record, SymbolRecord};
use crate::writer::{SegmentWriter, segment_bytes, store_bytes};

pub use events::NewEvents;
pub use preemptions::{NewKey, NewPreemptedWait, NewPreemption, NewPreemptions, NewWatch};

/// Longer names are cut: a reader reads a record as a whole.
const NAME_BYTES: usize = 8 << 10;

/// The shortest tail of names for which a segment is made; the others are powers of two above it.
const SHORTEST_TAIL: usize = 32;

/// A function at a call site: see [`SymbolRecord`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewSymbol {
    /// [`Site::id`](crate::reader::Site::id).
    pub site_id: u32,
    /// 0 for the innermost function; the function into which it was inlined follows.
    pub depth: u32,
    /// The function's name, if it has one.
    pub function: Option<String>,
    /// The source file, if known.
    pub file: Option<String>,
    /// The line in it, if known.
    pub line: Option<u32>,
    /// The place as an address by the module's own numbering.
    pub address: u64,
}

/// A variable that holds locks: see [`NameRecord`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewVariable {
    /// Its address in the recorded process.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its name.
    pub name: String,
    /// [`Module::id`](crate::reader::Module::id).
    pub module_id: u32,
}

/// Whole segments, to be appended to a part's own.
#[derive(Clone, Debug, Default)]
pub struct Appendix {
    words: Vec<u64>,
}

impl Appendix {
    /// Makes segments with these names.
    #[must_use]
    pub fn new(symbols: &[NewSymbol], variables: &[NewVariable]) -> Self {
        let mut appendix = Self::default();
        let function = |symbol: &NewSymbol| cut(symbol.function.as_deref()).len();
        let file = |symbol: &NewSymbol| cut(symbol.file.as_deref()).len();
        let length = |symbol: &NewSymbol| function(symbol) + file(symbol);
        for (tail_bytes, symbols) in by_tail(symbols, length) {
            appendix.segment::<SymbolRecord, _>(tail_bytes, &symbols, |symbol, record, tail| {
                record.site.store(symbol.site_id, Relaxed);
                record.depth.store(symbol.depth, Relaxed);
                record.line.store(symbol.line.unwrap_or(0), Relaxed);
                record
                    .function_bytes
                    .store(function(symbol) as u32, Relaxed);
                record.file_bytes.store(file(symbol) as u32, Relaxed);
                record.address.store(symbol.address, Relaxed);
                let (names, files) = tail.split_at(function(symbol));
                store_bytes(names, cut(symbol.function.as_deref()));
                store_bytes(files, cut(symbol.file.as_deref()));
            });
        }
        let length = |variable: &NewVariable| cut(Some(&variable.name)).len();
        for (tail_bytes, variables) in by_tail(variables, length) {
            appendix.segment::<NameRecord, _>(tail_bytes, &variables, |variable, record, tail| {
                record.address.store(variable.address, Relaxed);
                record.bytes.store(variable.bytes, Relaxed);
                record.name_bytes.store(length(variable) as u32, Relaxed);
                record.module.store(variable.module_id, Relaxed);
                store_bytes(tail, cut(Some(&variable.name)));
            });
        }
        appendix
    }

    /// Adds a text on where and by which program the recording was made: see [`AboutRecord`]. Nothing is added if the text is
    /// longer than names may be, since only a part of it would be useless.
    #[must_use]
    pub fn with_about(mut self, text: &str) -> Self {
        if !text.is_empty() && text.len() <= NAME_BYTES {
            for (tail_bytes, texts) in by_tail(&[text], |text| text.len()) {
                self.segment::<AboutRecord, _>(tail_bytes, &texts, |text, record, tail| {
                    record.text_bytes.store(text.len() as u64, Relaxed);
                    store_bytes(tail, text.as_bytes());
                });
            }
        }
        self
    }

    /// The longest text of an alert that is kept, in bytes.
    pub const ALERT_BYTES: usize = NAME_BYTES;

    /// Adds the alerts that were raised while the program ran, each one JSON object as text: see [`AlertRecord`]. Texts that are
    /// longer than [`Self::ALERT_BYTES`] are left out.
    #[must_use]
    pub fn with_alerts(mut self, alerts: &[String]) -> Self {
        let short: Vec<&str> = alerts.iter().map(String::as_str).collect();
        let short: Vec<&str> = short
            .into_iter()
            .filter(|it| !it.is_empty() && it.len() <= Self::ALERT_BYTES)
            .collect();
        for (tail_bytes, texts) in by_tail(&short, |text| text.len()) {
            self.segment::<AlertRecord, _>(tail_bytes, &texts, |text, record, tail| {
                record.text_bytes.store(text.len() as u64, Relaxed);
                store_bytes(tail, text.as_bytes());
            });
        }
        self
    }

    /// Returns the length in bytes: a multiple of [`PAGE_BYTES`](crate::layout::PAGE_BYTES).
    #[must_use]
    pub fn length(&self) -> u64 {
        8 * self.words.len() as u64
    }

    /// Returns the bytes as they are in the file.
    pub fn bytes(&self) -> Vec<u8> {
        // The format is little-endian, and so is every machine for which the writer compiles.
        self.words
            .iter()
            .flat_map(|word| word.to_ne_bytes())
            .collect()
    }

    fn segment<R: Record, T>(
        &mut self,
        tail_bytes: usize,
        items: &[&T],
        mut fill: impl FnMut(&T, &R, &[core::sync::atomic::AtomicU8]),
    ) {
        let record_bytes = (size_of::<R>() + tail_bytes) as u32;
        let records = u32::try_from(items.len()).expect("fewer names than a segment counts");
        let bytes = segment_bytes(records, record_bytes);
        let begin = self.words.len();
        self.words.resize(begin + bytes as usize / 8, 0);
        let memory = NonNull::from(&mut self.words[begin..]).cast();
        // SAFETY: A1; tails are multiples of 8.
        let mut writer =
            unsafe { SegmentWriter::<R>::begin_long(memory, bytes, NO_OWNER, record_bytes) };
        for item in items {
            let written = writer.append_with_tail(|record, tail| fill(item, record, tail));
            debug_assert!(written.is_some(), "the segment was made for all of them");
        }
    }
}

/// All records of a segment have the same length, so names are grouped by length to waste little space.
fn by_tail<T>(items: &[T], length: impl Fn(&T) -> usize) -> BTreeMap<usize, Vec<&T>> {
    let mut groups: BTreeMap<usize, Vec<&T>> = BTreeMap::new();
    for item in items {
        let tail_bytes = length(item).next_power_of_two().max(SHORTEST_TAIL);
        groups.entry(tail_bytes).or_default().push(item);
    }
    groups
}

/// Returns the bytes of a name that are kept.
fn cut(name: Option<&str>) -> &[u8] {
    let name = name.unwrap_or_default();
    &name.as_bytes()[..name.floor_char_boundary(NAME_BYTES)]
}
