//! Whatever the bytes, the memory and the registers are: no panic, and bounded work.

use locktoll_loops::{
    Architecture, Code, Known, Registers, Verdict, classify, decode, is_in_other_call,
};
use proptest::prelude::*;

/// Bytes at an address; all other memory holds what a hash of the address gives, or nothing.
struct Memory {
    at: u64,
    bytes: Vec<u8>,
    readable: bool,
}

impl Code for Memory {
    fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
        let Some(offset) = address.checked_sub(self.at) else {
            return 0;
        };
        let rest = self.bytes.get(offset as usize..).unwrap_or(&[]);
        let mapped = rest.len().min(into.len());
        into[..mapped].copy_from_slice(&rest[..mapped]);
        mapped
    }

    fn data(&self, address: u64) -> Option<u64> {
        let mixed = address.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // Often a place in the code, so that returns and pointers lead somewhere.
        let target = self.at + mixed % (self.bytes.len() as u64 + 1);
        self.readable
            .then_some(if mixed & 8 == 0 { mixed } else { target })
    }
}

/// Levels of callers, and the sample's own.
const LEVELS: u64 = 5;
/// Instructions of one level.
const BUDGET: u64 = 800;

fn check(architecture: Architecture, memory: &Memory, registers: &Registers) {
    let classified = classify(architecture, memory, registers, &[memory.at, 1]);
    assert!(classified.decoded <= LEVELS * BUDGET);
    is_in_other_call(architecture, memory, registers);
    if let Verdict::Waits(found) = &classified.verdict {
        assert!(found.contains(registers.ip));
        assert!(!found.words.is_empty());
        assert!(found.begin < found.end);
        found.word(registers, memory);
    }
    let mut known = Known::new(architecture);
    let first = format!("{:?}", known.classify(memory, registers, &[memory.at, 1]));
    let decoded = known.decoded();
    let second = format!("{:?}", known.classify(memory, registers, &[memory.at, 1]));
    // A trail whose memory cannot be read any more is not recognised, so the work may be done again, with the same result.
    assert_eq!(first, second);
    assert!(known.decoded() <= 2 * decoded);
}

/// Instructions that loops are made of, so that the bytes are more often than by chance a loop.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(vec![0xf3, 0x90]),
        Just(vec![0x8b, 0x07]),
        Just(vec![0x85, 0xc0]),
        Just(vec![0x48, 0xff, 0xc1]),
        Just(vec![0x48, 0x8b, 0x00]),
        Just(vec![0xf0, 0x0f, 0xb1, 0x17]),
        Just(vec![0x87, 0x07]),
        Just(vec![0xc3]),
        Just(vec![0xb8, 45, 0, 0, 0]),
        Just(vec![0x0f, 0x05]),
        Just(vec![0x89, 0x4c, 0x24, 0x08]),
        Just(vec![0x8b, 0x44, 0x24, 0x08]),
        any::<i8>().prop_map(|to| vec![0x75, to as u8]),
        any::<i8>().prop_map(|to| vec![0xeb, to as u8]),
        (-64i32..64).prop_map(|to| [vec![0xe8], to.to_le_bytes().to_vec()].concat()),
        proptest::collection::vec(any::<u8>(), 1..4),
    ];
    proptest::collection::vec(piece, 1..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn any_bytes_get_a_verdict(
        bytes in prop_oneof![pieces(), proptest::collection::vec(any::<u8>(), 1..400)],
        arm in any::<bool>(),
        readable in any::<bool>(),
        offset in 0usize..64,
        at in prop_oneof![Just(0x40_0000u64), any::<u64>()],
        general in any::<[u64; 32]>(),
    ) {
        let architecture = if arm { Architecture::Aarch64 } else { Architecture::X86_64 };
        let at = at.min(u64::MAX - 1000);
        let ip = at + (offset % bytes.len()) as u64;
        check(architecture, &Memory { at, bytes, readable }, &Registers { general, ip });
    }

    #[test]
    fn any_bytes_are_an_instruction_or_none(bytes in any::<[u8; 15]>(), at in any::<u64>()) {
        let memory = Memory { at, bytes: bytes.to_vec(), readable: false };
        for architecture in [Architecture::X86_64, Architecture::Aarch64] {
            if let Some(it) = decode(architecture, &memory, at) {
                prop_assert!((1..=15).contains(&it.length));
            }
        }
    }
}
