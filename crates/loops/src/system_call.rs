//! System calls that a thread makes while it waits.

use crate::decode::decode;
use crate::instruction::{Flow, Operation};
use crate::machine::{Architecture, Code, Registers};

/// What a system call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Gives the CPU to another thread.
    Yield,
    /// Sleeps for a time.
    Sleep,
    /// Reads a clock, or asks who and where the thread is.
    Clock,
    /// Everything else.
    Other,
}

/// What the system call with this number is for.
pub fn purpose(architecture: Architecture, number: u64) -> Purpose {
    match (architecture, number) {
        (Architecture::X86_64, 24) | (Architecture::Aarch64, 124) => Purpose::Yield,
        // nanosleep, clock_nanosleep
        (Architecture::X86_64, 35 | 230) | (Architecture::Aarch64, 101 | 115) => Purpose::Sleep,
        // getpid, gettimeofday, gettid, time, clock_gettime, getcpu
        (Architecture::X86_64, 39 | 96 | 186 | 201 | 228 | 309)
        | (Architecture::Aarch64, 172 | 169 | 178 | 113 | 168) => Purpose::Clock,
        _ => Purpose::Other,
    }
}

/// Whether a thread that the kernel works for is in a system call that no loop makes which waits busily: any but those that give the CPU
/// away or read a clock. The code before the return address says which call it is, without a look at any loop. Most samples in the kernel
/// need no other examination.
pub fn is_in_other_call(
    architecture: Architecture,
    code: &dyn Code,
    registers: &Registers,
) -> bool {
    let number = match architecture {
        Architecture::X86_64 => number_in_code(code, registers.ip),
        Architecture::Aarch64 => number_in_register(code, registers),
    };
    let purpose = number.map(|it| purpose(architecture, it));
    purpose.is_some_and(|it| matches!(it, Purpose::Other | Purpose::Sleep))
}

/// Bytes before the return address in which the number is looked for.
const BEFORE: usize = 32;
/// The register for the number, which the kernel overwrites.
const AX: u8 = 0;

fn number_in_code(code: &dyn Code, ip: u64) -> Option<u64> {
    const SYSCALL: [u8; 2] = [0x0f, 0x05];
    let begin = ip.checked_sub(BEFORE as u64)?;
    let mut bytes = [0; BEFORE];
    if code.bytes(begin, &mut bytes) < BEFORE || !bytes.ends_with(&SYSCALL) {
        return None;
    }
    let call = ip - SYSCALL.len() as u64;
    // Instructions have any length, so each place is tried, the nearest first: an instruction that sets the number, and behind it others
    // that do not, up to the call.
    let starts = (0..BEFORE - SYSCALL.len()).rev();
    let mut begun = starts.filter(|at| matches!(bytes[*at], 0xb8 | 0x31 | 0x33 | 0x48));
    begun.find_map(|at| {
        let first = decode(Architecture::X86_64, code, begin + at as u64)?;
        let sets = first.operations.iter().find_map(|it| match *it {
            Operation::Constant(AX, number) => Some(number),
            _ => None,
        });
        let mut next = first.next();
        while next < call {
            let it = decode(Architecture::X86_64, code, next)?;
            let keeps = it.operations.iter().all(|it| it.written() != Some(AX));
            if it.flow != Flow::Next || !keeps {
                return None;
            }
            next = it.next();
        }
        sets.filter(|_| next == call)
    })
}

fn number_in_register(code: &dyn Code, registers: &Registers) -> Option<u64> {
    const SVC: u32 = 0xd400_0001;
    let mut before = [0; 4];
    let read = code.bytes(registers.ip.checked_sub(4)?, &mut before);
    (read == 4 && u32::from_le_bytes(before) == SVC).then_some(registers.general[8])
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Bytes(Vec<u8>);

    const AT: u64 = 0x40_0000;

    impl Code for Bytes {
        fn bytes(&self, address: u64, into: &mut [u8]) -> usize {
            let rest = address
                .checked_sub(AT)
                .and_then(|at| self.0.get(at as usize..));
            let rest = rest.unwrap_or_default();
            let length = rest.len().min(into.len());
            into[..length].copy_from_slice(&rest[..length]);
            length
        }

        fn data(&self, _: u64) -> Option<u64> {
            None
        }
    }

    /// Whether the call at the end of `code` is another one.
    fn x86(code: &[u8]) -> bool {
        let mut bytes = vec![0x90; 40];
        bytes.extend(code);
        let registers = Registers {
            ip: AT + bytes.len() as u64,
            ..Registers::default()
        };
        bytes.extend([0xc3; 8]);
        is_in_other_call(Architecture::X86_64, &Bytes(bytes), &registers)
    }

    #[test]
    fn the_code_before_a_call_says_which_it_is() {
        let call = |number: u8, between: &[u8]| {
            x86(&[&[0xb8, number, 0, 0, 0][..], between, &[0x0f, 0x05]].concat())
        };
        // recvfrom, epoll_wait and clock_nanosleep, with `mov r10d, ecx` and `xor edi, edi` between.
        assert!(call(45, &[]) && call(232, &[0x41, 0x89, 0xca]) && call(230, &[0x31, 0xff]));
        // `xor eax, eax` is read.
        assert!(x86(&[0x31, 0xc0, 0x0f, 0x05]));
        // sched_yield and clock_gettime.
        assert!(!call(24, &[]) && !call(228, &[0x31, 0xff]));
    }

    #[test]
    fn a_call_of_which_the_code_says_too_little_is_none() {
        // `mov eax, edx`, also behind another number; no system call; a number that is set on another way.
        assert!(!x86(&[0x89, 0xd0, 0x0f, 0x05]));
        assert!(!x86(&[0xb8, 45, 0, 0, 0, 0x89, 0xd0, 0x0f, 0x05]));
        assert!(!x86(&[0xb8, 45, 0, 0, 0, 0x90, 0x90]));
        assert!(!x86(&[0xb8, 45, 0, 0, 0, 0xeb, 0x00, 0x0f, 0x05]));
    }

    #[test]
    fn on_arm_the_register_says_which_it_is() {
        let is_other = |number, word: u32| {
            let mut registers = Registers {
                ip: AT + 4,
                ..Registers::default()
            };
            registers.general[8] = number;
            let code = Bytes(word.to_le_bytes().to_vec());
            is_in_other_call(Architecture::Aarch64, &code, &registers)
        };
        assert!(is_other(63, 0xd400_0001));
        assert!(!is_other(124, 0xd400_0001) && !is_other(63, 0xd503_201f));
    }
}
