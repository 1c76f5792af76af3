//! For random addresses, these tables lead to the same caller as the crate's own evaluation of the file.

use std::path::Path;

use object::{Object, ObjectSegment, SegmentFlags};

use super::reference;
use super::reference::{Caller, Reference, Registers};
use crate::futexes::unwind::file::Unwindable;
use crate::futexes::unwind::rule::{FramePointer, Kind, Rule};

/// The number of addresses for each file.
const DRAWS: usize = 20_000;

/// Returns the caller by `rule`; `None` where the rules do not know it.
fn caller(rule: Rule, registers: Registers) -> Option<Caller> {
    let Registers { rip, rsp, rbp } = registers;
    let cfa = match rule.kind() {
        Kind::Gap | Kind::Unsupported => return None,
        Kind::Outermost => 0,
        Kind::FromStackPointer(distance) => rsp.wrapping_add_signed(distance),
        Kind::FromFramePointer(distance) => rbp.wrapping_add_signed(distance),
        Kind::LinkageStub(first) => rsp + 8 + if rip & 15 >= first as u64 { 8 } else { 0 },
        Kind::InMemory(distance) => {
            let cfa = reference::memory(rbp.wrapping_add_signed(distance));
            return Some(Caller {
                return_address_at: Some(cfa.wrapping_sub(8)),
                rsp: cfa,
                rbp: Some(reference::memory(rbp)),
            });
        }
        Kind::SignalFrame => {
            return Some(Caller {
                return_address_at: Some(rsp + 168),
                rsp: reference::memory(rsp + 160),
                rbp: Some(reference::memory(rsp + 120)),
            });
        }
    };
    Some(Caller {
        return_address_at: (rule.kind() != Kind::Outermost).then(|| cfa.wrapping_sub(8)),
        rsp: cfa,
        rbp: match rule.frame_pointer() {
            FramePointer::Same => Some(rbp),
            FramePointer::Saved(distance) => {
                Some(reference::memory(cfa.wrapping_add_signed(distance)))
            }
            FramePointer::Lost => None,
        },
    })
}

/// A generator that is good enough for drawing addresses (Marsaglia 2003).
struct Draw(u64);

impl Draw {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

fn agrees(path: &Path, unsupported_percent: usize) {
    let Ok(bytes) = std::fs::read(path) else {
        locktoll_needs::missing(&path.display().to_string());
        return;
    };
    let seed = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap()
        .as_nanos() as u64;
    let file = object::File::parse(&*bytes).unwrap();
    let reference = Reference::of(&file);
    let table = Unwindable::of_image(&bytes, usize::MAX).table.unwrap();
    let code: Vec<_> = file
        .segments()
        .filter(|segment| matches!(segment.flags(), SegmentFlags::Elf { p_flags, .. } if p_flags.0 & 1 != 0))
        .collect();
    let mut draw = Draw(seed | 1);
    let (mut known, mut unsupported) = (0, 0);
    for _ in 0..DRAWS {
        let segment = &code[draw.below(code.len() as u64) as usize];
        let registers = Registers {
            rip: segment.address() + draw.below(segment.size()),
            rsp: 0x7fff_0000_0000 + 8 * draw.below(1 << 20),
            rbp: 0x7ffe_0000_0000 + 8 * draw.below(1 << 20),
        };
        let Some(expected) = reference.caller(registers) else {
            continue;
        };
        known += 1;
        let rule = table.rule((registers.rip - table.base) as u32);
        if rule == Rule::UNSUPPORTED {
            unsupported += 1;
            continue;
        }
        let found = caller(rule, registers);
        let found = found.map(|found| Caller {
            // The other registers do not matter in a function without a caller.
            rsp: if found.return_address_at.is_some() {
                found.rsp
            } else {
                expected.rsp
            },
            rbp: if found.return_address_at.is_some() {
                found.rbp
            } else {
                expected.rbp
            },
            ..found
        });
        assert_eq!(
            found,
            Some(expected),
            "{} seed {seed} at {registers:x?}: {rule:?}",
            path.display()
        );
    }
    assert!(
        known > DRAWS / 50,
        "{known} of {DRAWS} draws hit a function"
    );
    assert!(
        unsupported * 100 <= known * unsupported_percent,
        "{unsupported} of {known} unsupported"
    );
    eprintln!(
        "{}: {known} agree, {unsupported} unsupported",
        path.display()
    );
}

#[test]
fn with_the_c_library() {
    agrees(Path::new("/lib/x86_64-linux-gnu/libc.so.6"), 1);
}

#[test]
fn with_the_cpp_library() {
    agrees(Path::new("/usr/lib/x86_64-linux-gnu/libstdc++.so.6"), 1);
}

#[test]
fn with_the_loader() {
    // The code that finds a function at its first call keeps the frame in a register that these rules do not follow: one address
    // in fifty.
    agrees(Path::new("/lib64/ld-linux-x86-64.so.2"), 4);
}

#[test]
fn with_a_rust_program() {
    agrees(&std::env::current_exe().unwrap(), 1);
}

#[test]
fn with_a_large_program() {
    // Most of this file has frame pointers and no tables.
    agrees(Path::new("/usr/lib/chromium/chromium-headless-shell"), 4);
}

/// A file does not need a table of sections to run.
#[test]
fn without_a_table_of_sections() {
    let mut bytes = std::fs::read("/lib/x86_64-linux-gnu/libc.so.6").unwrap();
    let whole = Unwindable::of_image(&bytes, usize::MAX).table.unwrap();
    // e_shoff, e_shnum and e_shstrndx.
    bytes[0x28..0x30].fill(0);
    bytes[0x3c..0x40].fill(0);
    let without = Unwindable::of_image(&bytes, usize::MAX);
    assert!(!without.layout.eh_frame.unwrap().is_whole);
    assert_eq!(without.table.unwrap(), whole);
}
