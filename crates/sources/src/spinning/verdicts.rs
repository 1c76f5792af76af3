//! What is known of each instruction. An instruction that was examined once is not examined again, until its code changes.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use locktoll_loops::{Architecture, Code, Obstacle, Registers, Verdict, WaitingLoop, classify};

use super::memory::{AtSample, Memory};

/// What a sampled instruction is.
#[derive(Clone, Debug)]
pub enum Known {
    /// A part of a loop that waits.
    Waits(Rc<Waiting>),
    /// Anything else.
    Works,
    /// Not decided: the code is not mapped, or cannot be decoded.
    Unreadable,
    /// Not decided: the code around is too large.
    TooLarge,
}

/// A loop that waits.
#[derive(Debug)]
pub struct Waiting {
    /// The loop.
    pub code: WaitingLoop,
    /// A digest of its bytes when it was examined.
    digest: u64,
}

/// An instruction, with the innermost caller if the verdict may depend on it: everything but a loop in the function itself.
type Key = (u64, Option<u64>);

/// Verdicts by instruction.
#[derive(Debug, Default)]
pub struct Verdicts {
    known: HashMap<Key, Known>,
    loops: Vec<Rc<Waiting>>,
}

/// More instructions than this are not remembered: a program that generates code could have any number.
const MOST: usize = 200_000;

impl Verdicts {
    /// Returns what is known of the instruction alone, or in a function that was called from `callers`.
    pub fn get(&self, ip: u64, callers: &[u64]) -> Option<Known> {
        let alone = self.known.get(&(ip, None));
        let called = || self.known.get(&(ip, Some(*callers.first()?)));
        alone.or_else(called).cloned()
    }

    /// Examines the instruction of a sample.
    pub fn examine(
        &mut self,
        memory: &AtSample<'_>,
        registers: &Registers,
        callers: &[u64],
    ) -> Known {
        if self.known.len() >= MOST {
            self.known.clear();
        }
        let ip = registers.ip;
        let Some(architecture) = Architecture::native() else {
            return Known::Unreadable;
        };
        let classified = classify(architecture, memory, registers, callers);
        let is_alone = classified.is_alone;
        let known = match classified.verdict {
            Verdict::Waits(code) => {
                let digest = digest(memory.memory, &code);
                let waiting = Rc::new(Waiting {
                    code: *code,
                    digest,
                });
                self.loops.push(Rc::clone(&waiting));
                Known::Waits(waiting)
            }
            Verdict::Works(_) => Known::Works,
            Verdict::Unknown(Obstacle::Undecodable) => Known::Unreadable,
            Verdict::Unknown(Obstacle::Budget) => Known::TooLarge,
        };
        // Only this instruction: another loop, in which no thread waits, may share others with this one.
        let caller = callers.first().copied().filter(|_| !is_alone);
        self.known.insert((ip, caller), known.clone());
        known
    }

    /// Compares the code of all waiting loops with what it was, and forgets everything if a loop has changed. Returns how many
    /// have.
    pub fn check(&mut self, memory: &Memory) -> usize {
        memory.forget();
        // Code that cannot be read now, as that of a process that is about to end, has not changed.
        let is_there = |it: &Rc<Waiting>| memory.bytes(it.code.begin, &mut [0]) == 1;
        let changed = |it: &&Rc<Waiting>| is_there(it) && digest(memory, &it.code) != it.digest;
        let changed = self.loops.iter().filter(changed).count();
        if changed > 0 {
            self.known.clear();
            self.loops.clear();
        }
        changed
    }
}

fn digest(memory: &Memory, code: &WaitingLoop) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (address, length) in code.instructions() {
        let mut bytes = [0; 16];
        let length = usize::from(length).min(bytes.len());
        let read = memory.bytes(address, &mut bytes[..length]);
        bytes[..read].hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    /// A search of CPython (`ucs2lib_find_max_char`, Debian's python3.11, called by its JSON parser), as GCC lays it out:
    ///
    /// ```text
    /// 00 again: cmp rax, r8; jae out       the loop that searches
    /// 05        movzx edx, word [rax]; test edx, edi; jne wider
    /// 0c        add rax, 2; jmp again
    /// 12 wider: cmp edi, 0xffffff00; jne next; mov r9d, 0xffff
    /// 20 out:   mov eax, r9d; ret
    /// 24 next:  cmp edi, 0xffffff80; jne last; mov r9d, 0xff; mov edi, 0xffffff00; jmp again
    /// 36 last:  mov r9d, 0xffff
    /// 3c        mov edi, 0xffff0000; jmp again
    /// ```
    const SEARCH: [u8; 67] = [
        0x4c, 0x39, 0xc0, 0x73, 0x1b, 0x0f, 0xb7, 0x10, 0x85, 0xfa, 0x75, 0x06, 0x48, 0x83, 0xc0,
        0x02, 0xeb, 0xee, 0x81, 0xff, 0x00, 0xff, 0xff, 0xff, 0x75, 0x0a, 0x41, 0xb9, 0xff, 0xff,
        0x00, 0x00, 0x44, 0x89, 0xc8, 0xc3, 0x83, 0xff, 0x80, 0x75, 0x0d, 0x41, 0xb9, 0xff, 0x00,
        0x00, 0x00, 0xbf, 0x00, 0xff, 0xff, 0xff, 0xeb, 0xca, 0x41, 0xb9, 0xff, 0xff, 0x00, 0x00,
        0xbf, 0x00, 0x00, 0xff, 0xff, 0xeb, 0xbd,
    ];

    #[test]
    fn a_loop_that_works_is_not_taken_for_one_that_shares_its_instructions() {
        let at = SEARCH.as_ptr() as u64;
        let memory = Memory::of(std::process::id(), vec![(at, at + SEARCH.len() as u64)]);
        let sample = AtSample {
            memory: &memory,
            stack_at: 0,
            stack: &[],
            vdso: None,
        };
        let mut verdicts = Verdicts::default();
        let mut verdict = |offset: u64| {
            let registers = Registers {
                general: [0x1000; 32],
                ip: at + offset,
            };
            let known = verdicts.get(registers.ip, &[]);
            known.unwrap_or_else(|| verdicts.examine(&sample, &registers, &[]))
        };
        // Nothing but the values shows that a thread comes here once at most, and that the way back is not a loop.
        assert!(matches!(verdict(0x3c), Known::Waits(_)));
        for offset in [0, 3, 5, 8, 0xa, 0xc, 0x10] {
            let known = verdict(offset);
            assert!(matches!(known, Known::Works), "{offset:#x}: {known:?}");
        }
    }
}
