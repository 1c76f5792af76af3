//! Symbols, variables and the machine of the recording, added after the run.

use core::mem::offset_of;
use std::string::String;

use crate::layout::{AboutRecord, AlertRecord, NameRecord, SpinningRecord, SymbolRecord};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::{Symbol, Variable};

/// Reads a text. Bytes beyond the record's end do not exist; a name that is cut off is kept as far as it goes.
fn text(fields: Fields<'_>, offset: usize, bytes: usize) -> Option<String> {
    let text = fields.bytes(offset, bytes);
    (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned())
}

/// Reads a symbol. Without its site it is useless, although it may be valid: `Some(None)`.
pub(in crate::reader) fn symbol(fields: Fields<'_>, index: &Index) -> Option<Option<Symbol>> {
    let site_id = fields.u32(offset_of!(SymbolRecord, site));
    if site_id == 0 {
        return None;
    }
    let function_bytes = fields.u32(offset_of!(SymbolRecord, function_bytes)) as usize;
    let file_bytes = fields.u32(offset_of!(SymbolRecord, file_bytes)) as usize;
    let names = size_of::<SymbolRecord>();
    let line = fields.u32(offset_of!(SymbolRecord, line));
    let Some(site) = index.sites.find(site_id) else {
        return Some(None);
    };
    Some(Some(Symbol {
        site,
        depth: fields.u32(offset_of!(SymbolRecord, depth)),
        function: text(fields, names, function_bytes),
        file: text(fields, names.saturating_add(function_bytes), file_bytes),
        line: (line != 0).then_some(line),
        address: fields.u64(offset_of!(SymbolRecord, address)),
    }))
}

pub(in crate::reader) fn variable(fields: Fields<'_>, index: &Index) -> Option<Variable> {
    let address = fields.u64(offset_of!(NameRecord, address));
    let bytes = fields.u64(offset_of!(NameRecord, bytes));
    let name_bytes = fields.u32(offset_of!(NameRecord, name_bytes)) as usize;
    let name = text(fields, size_of::<NameRecord>(), name_bytes)?;
    if bytes == 0 || address.checked_add(bytes).is_none() {
        return None;
    }
    Some(Variable {
        address,
        bytes,
        name,
        module: index
            .modules
            .find(fields.u32(offset_of!(NameRecord, module))),
    })
}

/// Reads the text on where and by which program the recording was made.
pub(in crate::reader) fn about(fields: Fields<'_>) -> Option<String> {
    let bytes = fields.u64(offset_of!(AboutRecord, text_bytes));
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    text(fields, size_of::<AboutRecord>(), bytes)
}

/// Reads the text of an alert.
pub(in crate::reader) fn alert(fields: Fields<'_>) -> Option<String> {
    let bytes = fields.u64(offset_of!(AlertRecord, text_bytes));
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    text(fields, size_of::<AlertRecord>(), bytes)
}

/// Reads a piece of the text on busy waiting.
pub(in crate::reader) fn spinning(fields: Fields<'_>) -> Option<&[u8]> {
    let bytes = fields.u64(offset_of!(SpinningRecord, text_bytes));
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let piece = fields.bytes(size_of::<SpinningRecord>(), bytes);
    (!piece.is_empty()).then_some(piece)
}
