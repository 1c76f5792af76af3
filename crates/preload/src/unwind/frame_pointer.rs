//! The step through code without tables, which is generated at run time or written by hand. If the frame pointer points at a
//! frame, the frame begins with the caller's frame pointer and the return address.
//!
//! If the register has another use, the step finds no such frame, or one further out; then the calls in between are missing.

use super::cursor::{Cursor, Memory};
use super::frame::Frame;
use super::process::Process;
use super::search;
use super::stack::Stack;
use super::step::without_signature;
use super::tables::Tables;

/// Finds the caller of `frame` from its frame pointer.
#[cold]
#[inline(never)]
pub fn caller(frame: &Frame, tables: &Tables, stack: &mut Stack<'_>) -> Option<Frame> {
    /// Anything larger is not accepted as a frame.
    const FRAME_BYTES: usize = 1 << 20;
    const WORD: usize = size_of::<usize>();
    stack.distrust();
    let base = frame.frame_pointer;
    if base.checked_sub(frame.stack_pointer)? > FRAME_BYTES {
        return None;
    }
    let frame_pointer = stack.word(base)?;
    let address = without_signature(stack.word(base + WORD)?);
    // The caller's frame pointer may be anything, if the caller uses that register otherwise.
    if !follows_call(address) && !is_end_of_handler(address, tables) {
        return None;
    }
    // A step into generated code is accepted only from generated code, since callers in it cannot otherwise be distinguished
    // from garbage.
    let into_file = tables.find(address - 1).is_some();
    let from_file = tables.find(frame.instruction()).is_some();
    if from_file && !into_file {
        return None;
    }
    Some(Frame {
        address,
        stack_pointer: base + 2 * WORD,
        frame_pointer,
        link: 0,
        is_exact: false,
    })
}

/// Whether `address` is where signal handlers return to. No call leads there.
#[inline(never)]
fn is_end_of_handler(address: usize, tables: &Tables) -> bool {
    let instruction = address.wrapping_sub(1);
    let entry = tables.find(instruction).and_then(|stretch| {
        search::entry_for(&mut Cursor::new(&Process), stretch, instruction).ok()
    });
    entry.is_some_and(|entry| entry.is_signal_frame)
}

/// Whether the instruction before `address` is a call.
#[cfg(target_arch = "x86_64")]
fn follows_call(address: usize) -> bool {
    /// The length of the longest indirect call: a prefix, the operation, its addressing mode, and a displacement of 32 bits.
    const BEFORE: usize = 7;
    let mut before = [0; BEFORE];
    let Some(begin) = address.checked_sub(BEFORE) else {
        return false;
    };
    if Process.copy(begin, &mut before) != BEFORE {
        return false;
    }
    // CALL rel32, or CALL r/m64: 0xff, followed by a byte with 2 as its middle digit (Intel, volume 2, CALL).
    let is_direct = before[BEFORE - 5] == 0xe8;
    is_direct
        || before
            .windows(2)
            .any(|pair| pair[0] == 0xff && pair[1] >> 3 & 7 == 2)
}

/// Whether the instruction before `address` is a call.
#[cfg(target_arch = "aarch64")]
fn follows_call(address: usize) -> bool {
    let mut before = [0; 4];
    let Some(begin) = address.checked_sub(4) else {
        return false;
    };
    if !address.is_multiple_of(4) || Process.copy(begin, &mut before) != 4 {
        return false;
    }
    let instruction = u32::from_le_bytes(before);
    // BL, or BLR and its authenticating forms (Arm Architecture Reference Manual, C6.2).
    instruction & 0xfc00_0000 == 0x9400_0000 || instruction & 0xfeff_f000 == 0xd63f_0000
}
