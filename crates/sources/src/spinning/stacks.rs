//! The callers of a sampled instruction.

use locktoll_loops::Code;

use super::memory::Memory;
use crate::perf::Sample;

/// How many callers are handed to the classifier.
const CALLERS: usize = 4;
/// How many words of the stack are searched for them.
const SEARCHED: usize = 64;

/// Returns addresses that look like return addresses of the innermost functions: in x86, words near the stack pointer that follow a
/// call instruction. They may be left over from earlier calls; the classifier checks that the caller calls the sampled function.
pub fn callers(memory: &Memory, sample: &Sample<'_>) -> Vec<u64> {
    let words = sample.stack.chunks_exact(8).take(SEARCHED);
    let words = words.map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
    let mut found = Vec::new();
    #[cfg(target_arch = "aarch64")]
    found.push(sample.registers.by_number[30]);
    for word in words {
        if found.len() >= CALLERS {
            break;
        }
        if memory.is_code(word) && follows_call(memory, word) && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}

/// Whether the instruction before `address` is a call.
#[cfg(target_arch = "x86_64")]
fn follows_call(memory: &Memory, address: u64) -> bool {
    let mut before = [0; 7];
    if memory.bytes(address.wrapping_sub(7), &mut before) < 7 {
        return false;
    }
    // `call` to a fixed distance, or through a register or memory (FF /2) in its different lengths.
    before[2] == 0xe8
        || [2, 3, 4, 6, 7].iter().any(|&length| {
            let at = 7 - length;
            before[at] == 0xff && before[at + 1] >> 3 & 7 == 2
        })
}

/// Whether the instruction before `address` is a call.
#[cfg(target_arch = "aarch64")]
fn follows_call(memory: &Memory, address: u64) -> bool {
    let mut before = [0; 4];
    if !address.is_multiple_of(4) || memory.bytes(address.wrapping_sub(4), &mut before) < 4 {
        return false;
    }
    let before = u32::from_le_bytes(before);
    before >> 26 == 0b10_0101 || before & 0xffff_fc1f == 0xd63f_0000
}
