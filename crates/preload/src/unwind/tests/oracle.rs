//! Rows read from the tables of real files, compared with gimli's.

use std::path::{Path, PathBuf};

use gimli::{
    BaseAddresses, CfaRule, CieOrFde, EhFrame, EndianSlice, LittleEndian, Register, RegisterRule,
    UnwindContext, UnwindSection,
};
use object::{Object, ObjectSection};

use crate::unwind::cursor::{Cursor, Memory};
use crate::unwind::row::{self, Cfa, FRAME_POINTER, Saved};
use crate::unwind::search;
use crate::unwind::stretch::Stretch;

/// In a file with very many functions, about this many are checked.
const FUNCTIONS: usize = 1500;

/// Sections at the addresses that they have in their file.
struct Sections<'b>([(usize, &'b [u8]); 2]);

impl Memory for Sections<'_> {
    fn copy(&self, address: usize, into: &mut [u8]) -> usize {
        for (start, bytes) in self.0 {
            let at = address.wrapping_sub(start);
            if let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
                let copied = rest.len().min(into.len());
                into[..copied].copy_from_slice(&rest[..copied]);
                return copied;
            }
        }
        0
    }
}

/// Whether `saved` means the same as the oracle's `rule`. The oracle treats a register that no instruction mentioned as
/// undefined.
fn is_same(saved: Saved, rule: Option<RegisterRule<usize>>) -> bool {
    match rule {
        None | Some(RegisterRule::Undefined) => matches!(saved, Saved::Same | Saved::Undefined),
        Some(RegisterRule::SameValue) => saved == Saved::Same,
        Some(RegisterRule::Offset(offset)) => saved == Saved::At(offset),
        Some(RegisterRule::ValOffset(offset)) => saved == Saved::Is(offset),
        Some(RegisterRule::Register(_)) => saved == Saved::Elsewhere,
        Some(RegisterRule::Expression(expression)) => {
            matches!(saved, Saved::AtExpression(block) if block.bytes == expression.length)
        }
        Some(RegisterRule::ValExpression(expression)) => {
            matches!(saved, Saved::IsExpression(block) if block.bytes == expression.length)
        }
        Some(rule) => panic!("{rule:?} in a table"),
    }
}

fn is_same_cfa(cfa: Cfa, rule: &CfaRule<usize>) -> bool {
    match (cfa, rule) {
        (
            Cfa::Register { column, offset },
            CfaRule::RegisterAndOffset {
                register,
                offset: of,
            },
        ) => column == u64::from(register.0) && offset == *of,
        (Cfa::Expression(block), CfaRule::Expression(expression)) => {
            block.bytes == expression.length
        }
        _ => false,
    }
}

/// Compares the rows of `path`, and returns how many there were.
fn compare(path: &Path) -> usize {
    let bytes = std::fs::read(path).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let section = |name| {
        let section = file.section_by_name(name).unwrap();
        (section.address() as usize, section.data().unwrap())
    };
    let text = section(".text");
    let (index, table) = (section(".eh_frame_hdr"), section(".eh_frame"));
    let memory = Sections([index, table]);
    let mut cursor = Cursor::new(&memory);
    let stretch = Stretch {
        start: text.0,
        end: text.0 + text.1.len(),
        index: index.0,
    };

    let frames = EhFrame::from(EndianSlice::new(table.1, LittleEndian));
    let bases = BaseAddresses::default().set_eh_frame(table.0 as u64);
    let mut functions = Vec::new();
    let mut entries = frames.entries(&bases);
    while let Some(entry) = entries.next().unwrap() {
        if let CieOrFde::Fde(function) = entry {
            functions.push(function.parse(EhFrame::cie_from_offset).unwrap());
        }
    }
    let mut context = UnwindContext::new();
    let mut compared = 0;
    for function in functions.iter().step_by(functions.len() / FUNCTIONS + 1) {
        if function.len() == 0 {
            continue;
        }
        let return_column = function.cie().return_address_register();
        let mut rows = function.rows(&frames, &bases, &mut context).unwrap();
        while let Some(row) = rows.next_row().unwrap() {
            for pc in [row.start_address(), row.end_address() - 1] {
                let place = format!("{pc:#x} in {}", path.display());
                let pc = pc as usize;
                let entry = search::entry_for(&mut cursor, stretch, pc);
                let entry = entry.unwrap_or_else(|missing| panic!("{missing:?} for {place}"));
                let ours = row::at(&mut cursor, &entry, pc);
                let ours = ours.unwrap_or_else(|| panic!("no row for {place}"));
                let same = is_same_cfa(ours.cfa, row.cfa())
                    && is_same(ours.return_address, row.register(return_column))
                    && is_same(
                        ours.frame_pointer,
                        row.register(Register(FRAME_POINTER as u16)),
                    );
                assert!(same, "{place}: {ours:?} is not {row:?}");
                assert_eq!(entry.is_signal_frame, function.is_signal_trampoline());
            }
            compared += 1;
        }
    }
    compared
}

/// The file that this process has mapped as its C library.
fn c_library() -> PathBuf {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut paths = maps
        .lines()
        .filter_map(|line| Some(&line[line.find('/')?..]));
    paths.find(|path| path.contains("libc.so")).unwrap().into()
}

#[test]
fn rows_are_those_that_gimli_reads() {
    let c_library = c_library();
    assert!(compare(&c_library) > 3000);
    assert!(compare(&std::env::current_exe().unwrap()) > 3000);
    // This covers other compilers' code and other people's assembly, if there is any.
    for name in ["libstdc++.so.6", "libcrypto.so.3", "libgcc_s.so.1"] {
        let path = c_library.with_file_name(name);
        if path.exists() {
            compare(&path);
        }
    }
}
