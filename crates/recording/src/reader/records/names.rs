//! Symbols and variables, added after the run.

use core::mem::offset_of;
use std::string::String;

use crate::layout::{NameRecord, SymbolRecord};
use crate::reader::bytes::Fields;

pub(in crate::reader) struct RawSymbol {
    pub site_id: u32,
    pub depth: u32,
    pub function: Option<String>,
    pub file: Option<String>,
    pub line: Option<u32>,
    pub address: u64,
}

pub(in crate::reader) struct RawVariable {
    pub address: u64,
    pub bytes: u64,
    pub name: String,
    pub module_id: u32,
}

/// What lies beyond the record's end is not there; a name that is cut off is kept as far as it goes.
fn text(fields: Fields<'_>, offset: usize, bytes: usize) -> Option<String> {
    let text = fields.bytes(offset, bytes);
    (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
}

pub(in crate::reader) fn symbol(fields: Fields<'_>) -> Option<RawSymbol> {
    let site_id = fields.u32(offset_of!(SymbolRecord, site));
    if site_id == 0 {
        return None;
    }
    let function_bytes = fields.u32(offset_of!(SymbolRecord, function_bytes)) as usize;
    let file_bytes = fields.u32(offset_of!(SymbolRecord, file_bytes)) as usize;
    let names = size_of::<SymbolRecord>();
    let line = fields.u32(offset_of!(SymbolRecord, line));
    Some(RawSymbol {
        site_id,
        depth: fields.u32(offset_of!(SymbolRecord, depth)),
        function: text(fields, names, function_bytes),
        file: text(fields, names.saturating_add(function_bytes), file_bytes),
        line: (line != 0).then_some(line),
        address: fields.u64(offset_of!(SymbolRecord, address)),
    })
}

pub(in crate::reader) fn variable(fields: Fields<'_>) -> Option<RawVariable> {
    let address = fields.u64(offset_of!(NameRecord, address));
    let bytes = fields.u64(offset_of!(NameRecord, bytes));
    let name_bytes = fields.u32(offset_of!(NameRecord, name_bytes)) as usize;
    let name = text(fields, size_of::<NameRecord>(), name_bytes)?;
    if bytes == 0 || address.checked_add(bytes).is_none() {
        return None;
    }
    Some(RawVariable {
        address,
        bytes,
        name,
        module_id: fields.u32(offset_of!(NameRecord, module)),
    })
}
