//! Machine code around a sample, as the detector of busy waiting reads it.

use locktoll_loops::{Architecture, Code, Registers, Verdict, classify, is_in_other_call};

/// Where the code lies.
const AT: u64 = 0x40_0000;

/// Bytes as code. All other memory holds what a hash of the address gives, which is often a place in the code.
struct Memory<'a> {
    code: &'a [u8],
    readable: bool,
}

impl Code for Memory<'_> {
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
        let offset = address
            .checked_sub(AT)
            .and_then(|it| usize::try_from(it).ok());
        let rest = offset.and_then(|it| self.code.get(it..)).unwrap_or(&[]);
        let mapped = rest.len().min(into.len());
        into[..mapped].copy_from_slice(&rest[..mapped]);
        mapped
    }

    fn data(&self, address: u64) -> Option<u64> {
        let mixed = address.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let target = AT + mixed % (self.code.len() as u64 + 1);
        self.readable
            .then_some(if mixed & 8 == 0 { mixed } else { target })
    }
}

/// Takes the first byte for the architecture and for whether data can be read, the next two for the sampled instruction, one for the
/// registers, and the rest for code.
pub fn exercise(bytes: &[u8]) {
    let Some((&[kind, low, high, seed], code)) = bytes.split_first_chunk() else {
        return;
    };
    let architecture = match kind & 1 {
        0 => Architecture::X86_64,
        _ => Architecture::Aarch64,
    };
    let memory = Memory {
        code,
        readable: kind & 2 == 0,
    };
    let mut general = [0; 32];
    for (register, number) in general.iter_mut().zip(1_u64..) {
        *register = number
            .wrapping_mul(u64::from(seed))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    let registers = Registers {
        general,
        ip: AT + u64::from(u16::from_le_bytes([low, high])),
    };
    let classified = classify(architecture, &memory, &registers, &[AT, 1]);
    is_in_other_call(architecture, &memory, &registers);
    if let Verdict::Waits(found) = &classified.verdict {
        assert!(found.contains(registers.ip));
        assert!(!found.words.is_empty() && found.begin < found.end);
        found.word(&registers, &memory);
    }
}
