//! The function by which a thread entered the C library, if that function is not on the stack any more.
//!
//! `sem_wait` jumps to a function without a name in the dynamic symbol table, and so do the acquisitions of timed, robust and
//! priority-inheriting mutexes. The stack then has no name that says what the thread waits for. The instruction before the
//! caller's return address does: it calls `sem_wait`, by way of the procedure linkage table (System V ABI, AMD64 supplement, 5.2).

use super::facts::{Entered, Seen};
use super::space::{ONLY, Space};
use crate::futexes::{Processor, Spot};

/// Notes for each thread the function by which it entered the innermost library.
pub fn note(space: &Space, threads: &mut [Seen]) {
    for thread in threads {
        thread.entered = entered(space, &thread.addresses);
    }
}

fn entered(space: &Space, addresses: &[u64]) -> Option<Entered> {
    if space.processor() != Processor::OWN {
        return None;
    }
    let innermost = file(space, *addresses.first()?)?;
    let caller = addresses
        .iter()
        .position(|&at| file(space, at) != Some(innermost))?;
    let function = called(space, addresses[caller])?;
    // A return address comes after the function's first byte.
    let at = function.checked_add(1)?;
    (file(space, at) == Some(innermost)).then_some(Entered {
        before: caller,
        address: at,
    })
}

/// Returns the file of the call that returns to `address`, by its number.
fn file(space: &Space, address: u64) -> Option<usize> {
    match space.processes.spot(ONLY, address.wrapping_sub(1)) {
        Spot::File(place) => Some(place.file),
        Spot::Vdso(_) | Spot::Anonymous => None,
    }
}

/// Returns the function that the call before `address` calls.
#[cfg(target_arch = "x86_64")]
fn called(space: &Space, address: u64) -> Option<u64> {
    let mut call = [0; 6];
    space
        .read(address.checked_sub(6)?, &mut call)
        .then_some(())?;
    match call {
        // call *offset(%rip)
        [0xff, 0x15, ..] => space.long(relative(address, call[2..].try_into().ok()?)),
        // call offset
        [_, 0xe8, ..] => {
            let target = relative(address, call[2..].try_into().ok()?);
            Some(through_linkage_table(space, target).unwrap_or(target))
        }
        _ => None,
    }
}

/// On other processors the call is not followed, and the kind of wait stays unknown.
#[cfg(not(target_arch = "x86_64"))]
fn called(_space: &Space, _address: u64) -> Option<u64> {
    None
}

/// Returns the target of the jump at `address`, if it is an entry of a procedure linkage table.
#[cfg(target_arch = "x86_64")]
fn through_linkage_table(space: &Space, address: u64) -> Option<u64> {
    const ENDBR64: [u8; 4] = [0xf3, 0x0f, 0x1e, 0xfa];
    let mut entry = [0; 11];
    space.read(address, &mut entry).then_some(())?;
    let mut at = if entry.starts_with(&ENDBR64) { 4 } else { 0 };
    // The prefix of MPX.
    if entry[at] == 0xf2 {
        at += 1;
    }
    // jmp *offset(%rip)
    let offset = entry[at..].strip_prefix(&[0xff, 0x25])?.first_chunk()?;
    space.long(relative(address + at as u64 + 6, *offset))
}

#[cfg(target_arch = "x86_64")]
fn relative(end: u64, offset: [u8; 4]) -> u64 {
    end.wrapping_add_signed(i64::from(i32::from_le_bytes(offset)))
}
