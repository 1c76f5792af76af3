//! Records that are added after the run, so that a recording can be read on a machine without the program's
//! files.

use core::sync::atomic::{AtomicU32, AtomicU64};

use super::record::records;

/// One function at a call site. The bytes of the names fill the record up to its end: function, file.
#[repr(C)]
pub struct SymbolRecord {
    /// [`SiteRecord::id`](super::SiteRecord::id).
    pub site: AtomicU32,
    /// 0 for the innermost function; the function into which it was inlined follows.
    pub depth: AtomicU32,
    /// The line in the source file, or zero.
    pub line: AtomicU32,
    /// The length of the function's name in bytes, zero if it has none.
    pub function_bytes: AtomicU32,
    /// The length of the source file's name in bytes, zero if it is not known.
    pub file_bytes: AtomicU32,
    /// Zero.
    pub reserved: AtomicU32,
    /// The place as an address by the module's own numbering.
    pub address: AtomicU64,
    // The names follow, in the rest of the segment's `record_bytes`.
}

/// A variable that holds locks. The bytes of its name fill the record up to its end.
#[repr(C)]
pub struct NameRecord {
    /// The variable's address in the recorded process.
    pub address: AtomicU64,
    /// Its size in bytes.
    pub bytes: AtomicU64,
    /// The length of its name in bytes.
    pub name_bytes: AtomicU32,
    /// [`ModuleRecord::id`](super::ModuleRecord::id) of the file that contains it.
    pub module: AtomicU32,
    // The name follows, in the rest of the segment's `record_bytes`.
}

/// Where and by which version of locktoll the recording was made, in the first part: a text that fills the record up to its end.
#[repr(C)]
pub struct AboutRecord {
    /// The length of the text in bytes.
    pub text_bytes: AtomicU64,
    // The text follows, in the rest of the segment's `record_bytes`.
}

/// An alert that was raised while the program ran, in the first part: one JSON object as text, which fills the record up to its
/// end. Since minor version 4.
#[repr(C)]
pub struct AlertRecord {
    /// The length of the text in bytes.
    pub text_bytes: AtomicU64,
    // The text follows, in the rest of the segment's `record_bytes`.
}

/// A piece of the text on busy waiting, in the first part: a JSON document, cut into pieces in their order. The piece fills the record
/// up to its end. Since minor version 4.
#[repr(C)]
pub struct SpinningRecord {
    /// The length of the piece in bytes.
    pub text_bytes: AtomicU64,
    // The piece follows, in the rest of the segment's `record_bytes`.
}

records! {
    AlertRecord is Alert, 8 bytes;
    SpinningRecord is Spinning, 8 bytes;
    AboutRecord is About, 8 bytes;
    SymbolRecord is Symbol, 32 bytes;
    NameRecord is Name, 24 bytes;
}
