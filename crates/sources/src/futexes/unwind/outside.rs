//! The stack of a thread that sleeps, walked from outside by the tables that the kernel's program uses.

use std::fs::File;
use std::os::unix::fs::FileExt;

use super::code::Code;
use super::layout::FRAMES;
use super::processor::Processor;
use super::rule::{FramePointer, Kind, Rule};
use super::stacks::Cut;

/// The user-space registers of a thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The next instruction.
    pub ip: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The frame pointer.
    pub bp: u64,
}

/// A larger frame is not accepted as a frame.
const FRAME_BYTES: u64 = 1 << 20;

/// Returns the stack of calls from `registers` on, innermost first, and the reason if it was cut short. `process` is the number
/// of the process, `memory` is its memory (`/proc/PID/mem`).
pub fn walk(
    code: &Code,
    process: u32,
    memory: &File,
    registers: Registers,
) -> (Vec<u64>, Option<Cut>) {
    let read = |address: u64| {
        let mut word = [0; 8];
        memory.read_exact_at(&mut word, address).ok()?;
        Some(u64::from_ne_bytes(word))
    };
    let rules = |address| code.rule(process, address);
    walk_by(
        &rules,
        &read,
        (registers.ip, registers.sp, Some(registers.bp)),
        Processor::OWN,
    )
}

/// The tables of processes that run, for stacks of which a copy is at hand. A file that several of them have mapped is read once.
#[derive(Debug)]
pub struct Walker {
    code: Code,
}

impl Walker {
    /// Starts without tables, with room for `rows` rows.
    pub fn new(rows: u32) -> Self {
        Self {
            code: Code::survey(&[], rows, true),
        }
    }

    /// Reads the tables of everything that `process`, whose program has this number, has mapped. It takes long for large files.
    pub fn take_in(&mut self, number: u32, process: u32) {
        // Nothing can be read of a process that is gone, or that we may not look at.
        let _ = self.code.look(number, process);
    }

    /// Returns the stack of calls from `registers` on in the program with this number, innermost first, as far as it can be
    /// walked. `word` reads the stack.
    pub fn walk(
        &self,
        number: u32,
        word: &dyn Fn(u64) -> Option<u64>,
        registers: Registers,
    ) -> Vec<u64> {
        let rules = |address| self.code.rule_of_table(number, address);
        walk_by(
            &rules,
            word,
            (registers.ip, registers.sp, Some(registers.bp)),
            Processor::OWN,
        )
        .0
    }
}

/// A function on the way out.
struct Function {
    address: u64,
    stack_pointer: u64,
    /// `None` once it is lost.
    frame_pointer: Option<u64>,
    /// Whether `address` is the current instruction, and not the one behind a call.
    is_exact: bool,
}

/// The rule for the instruction at an address.
pub type Rules<'a> = &'a dyn Fn(u64) -> Option<Rule>;
/// The word at an address.
pub type Words<'a> = &'a dyn Fn(u64) -> Option<u64>;

/// The same, with the rule for an instruction (`None` if there is no code) and the word at an address (`None` if it cannot be read)
/// from any source. It begins with the instruction, the stack pointer and the frame pointer, if that is known.
pub fn walk_by(
    rules: Rules<'_>,
    word: Words<'_>,
    (address, stack_pointer, frame_pointer): (u64, u64, Option<u64>),
    processor: Processor,
) -> (Vec<u64>, Option<Cut>) {
    let mut addresses = Vec::new();
    let mut at = Function {
        address,
        stack_pointer,
        frame_pointer,
        is_exact: true,
    };
    while addresses.len() < FRAMES {
        let is_inner = addresses.is_empty();
        addresses.push(at.address.wrapping_add(u64::from(!is_inner && at.is_exact)));
        let instruction = at.address.wrapping_sub(u64::from(!at.is_exact));
        let rule = rules(instruction).unwrap_or(Rule::GAP);
        let caller = match rule.kind() {
            Kind::Outermost => return (addresses, None),
            Kind::Unsupported => Err(Cut::Unsupported),
            Kind::Gap => by_frame_pointer(&at, is_inner, (rules, word), processor),
            Kind::SignalFrame => out_of_handler(&at, word),
            _ => by_rule(&at, rule, word),
        };
        match caller {
            Ok(caller) if caller.address == 0 => return (addresses, None),
            Ok(caller) => at = caller,
            Err(cut) => return (addresses, Some(cut)),
        }
    }
    (addresses, Some(Cut::TooDeep))
}

/// Steps outwards from code that is in no table.
fn by_frame_pointer(
    at: &Function,
    is_inner: bool,
    (rules, word): (Rules<'_>, Words<'_>),
    processor: Processor,
) -> Result<Function, Cut> {
    let follows_call = |address: u64| follows_call(address, rules, word, processor);
    // A system call is usually made by a function of a few instructions that has not made a frame.
    if is_inner && processor == Processor::X86 {
        let address = word(at.stack_pointer).ok_or(Cut::Unreadable)?;
        if follows_call(address) {
            return Ok(Function {
                address,
                stack_pointer: at.stack_pointer.wrapping_add(8),
                frame_pointer: at.frame_pointer,
                is_exact: false,
            });
        }
    }
    let base = at.frame_pointer.ok_or(Cut::NoFrame)?;
    let outermost = Function {
        address: 0,
        stack_pointer: at.stack_pointer,
        frame_pointer: None,
        is_exact: false,
    };
    if base == 0 {
        // This marks the outermost function (System V ABI, x86-64, 3.4.1; the same on arm64).
        return Ok(outermost);
    }
    let is_elsewhere = base < at.stack_pointer || base - at.stack_pointer > FRAME_BYTES;
    let (Some(caller), Some(address)) = (word(base), word(base.wrapping_add(8))) else {
        return Err(match is_elsewhere {
            true => Cut::NoFrame,
            false => Cut::Unreadable,
        });
    };
    let address = match processor {
        // The other bits may be a signature (pointer authentication).
        Processor::Arm => address & ((1 << 48) - 1),
        Processor::X86 => address,
    };
    let returns = follows_call(address);
    if base % 8 != 0 || is_elsewhere && (!returns || caller != 0 && caller <= base) {
        return Err(Cut::NoFrame);
    }
    if address != 0 && !returns {
        // The outermost function of a thread is not called by another.
        return match caller {
            0 => Ok(outermost),
            _ => Err(Cut::NoFrame),
        };
    }
    Ok(Function {
        address,
        stack_pointer: base.wrapping_add(16),
        frame_pointer: Some(caller),
        is_exact: false,
    })
}

/// Whether a call returns to `address`: it lies in code, and the instruction before it is a call.
fn follows_call(address: u64, rules: Rules<'_>, word: Words<'_>, processor: Processor) -> bool {
    let Some(before) = address.checked_sub(8) else {
        return false;
    };
    if rules(address - 1).is_none() {
        return false;
    }
    let Some(bytes) = word(before).map(u64::to_ne_bytes) else {
        // Core files leave code out. Frame pointers are kept by nearly all code of aarch64, and by little code of x86-64.
        return processor == Processor::Arm;
    };
    if processor == Processor::Arm {
        let instruction = u32::from_ne_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
        // BL, or BLR and its authenticating forms (Arm Architecture Reference Manual, C6.2).
        return instruction & 0xfc00_0000 == 0x9400_0000
            || instruction & 0xfeff_f000 == 0xd63f_0000;
    }
    // CALL rel32; or CALL r/m64: 0xff, with 2 as the middle digit of the byte after it (Intel, volume 2, CALL).
    bytes[3] == 0xe8 || (1..7).any(|at| bytes[at] == 0xff && bytes[at + 1] >> 3 & 7 == 2)
}

fn out_of_handler(at: &Function, word: Words<'_>) -> Result<Function, Cut> {
    // From rbp to rip in struct sigcontext, plus the fields before it in struct ucontext.
    let registers = at.stack_pointer.wrapping_add(120);
    let read = |index: u64| word(registers.wrapping_add(8 * index)).ok_or(Cut::Unreadable);
    Ok(Function {
        frame_pointer: Some(read(0)?),
        stack_pointer: read(5)?,
        address: read(6)?,
        is_exact: true,
    })
}

fn by_rule(at: &Function, rule: Rule, word: Words<'_>) -> Result<Function, Cut> {
    let own = || at.frame_pointer.ok_or(Cut::Unsupported);
    let mut frame_pointer = at.frame_pointer;
    let frame = match rule.kind() {
        Kind::FromStackPointer(distance) => at.stack_pointer.wrapping_add_signed(distance),
        Kind::FromFramePointer(distance) => own()?.wrapping_add_signed(distance),
        Kind::LinkageStub(first) => {
            let pushed = at.address & 15 >= first as u64;
            at.stack_pointer.wrapping_add(8 + u64::from(pushed) * 8)
        }
        Kind::InMemory(distance) => {
            frame_pointer = Some(word(own()?).ok_or(Cut::Unreadable)?);
            word(own()?.wrapping_add_signed(distance)).ok_or(Cut::Unreadable)?
        }
        _ => return Err(Cut::Unsupported),
    };
    // The walk must go outwards, or it could loop forever.
    if frame <= at.stack_pointer {
        return Err(Cut::Unsupported);
    }
    match rule.frame_pointer() {
        FramePointer::Same => {}
        FramePointer::Lost => frame_pointer = None,
        FramePointer::Saved(distance) => {
            let saved = word(frame.wrapping_add_signed(distance));
            frame_pointer = Some(saved.ok_or(Cut::Unreadable)?);
        }
    }
    Ok(Function {
        address: word(frame - 8).ok_or(Cut::Unreadable)?,
        stack_pointer: frame,
        frame_pointer,
        is_exact: false,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// Code from 0x1000 on, with a rule for each 0x100 bytes, and a stack from 0x8000 on.
    fn walked(rules: &[Rule], words: &[(u64, u64)], frame_pointer: u64) -> (Vec<u64>, Option<Cut>) {
        let rule = |address: u64| {
            let place = address.checked_sub(0x1000)? / 0x100;
            rules.get(usize::try_from(place).ok()?).copied()
        };
        let words: HashMap<u64, u64> = words.iter().copied().collect();
        let begin = (0x1010, 0x8000, Some(frame_pointer));
        let word = |address: u64| words.get(&address).copied();
        walk_by(&rule, &word, begin, Processor::X86)
    }

    const LEAF: Kind = Kind::FromStackPointer(8);

    /// The eight bytes before a place to which a call returns: CALL rel32 is the last five of them.
    const CALL: u64 = u64::from_ne_bytes([0x90, 0x90, 0x90, 0xe8, 1, 2, 3, 4]);

    #[test]
    fn rules_lead_outwards_to_the_outermost_function() {
        let saves = Rule::new(Kind::FromStackPointer(24), FramePointer::Saved(-16));
        let by_frame = Rule::new(Kind::FromFramePointer(16), FramePointer::Saved(-16));
        let rules = [
            Rule::new(LEAF, FramePointer::Same),
            saves,
            by_frame,
            Rule::OUTERMOST,
        ];
        let words = [
            (0x8000, 0x1110),
            // The second function keeps the third's frame pointer below its return address.
            (0x8010, 0x8040),
            (0x8018, 0x1210),
            (0x8040, 0),
            (0x8048, 0x1310),
        ];
        let (addresses, cut) = walked(&rules, &words, 0xbad);
        assert_eq!(addresses, [0x1010, 0x1110, 0x1210, 0x1310]);
        assert_eq!(cut, None);
    }

    #[test]
    fn what_cannot_be_walked_says_why() {
        let leaf = Rule::new(LEAF, FramePointer::Same);
        let lost = Rule::new(LEAF, FramePointer::Lost);
        let by_frame = Rule::new(Kind::FromFramePointer(16), FramePointer::Same);
        let cut = |rules: &[Rule], words: &[(u64, u64)]| walked(rules, words, 0x8000).1;
        assert_eq!(cut(&[leaf], &[]), Some(Cut::Unreadable));
        assert_eq!(cut(&[Rule::UNSUPPORTED], &[]), Some(Cut::Unsupported));
        // Its frame pointer is lost by then.
        assert_eq!(
            cut(&[lost, by_frame], &[(0x8000, 0x1110)]),
            Some(Cut::Unsupported)
        );
        // If a frame could lie where the stack has already been, the walk could go on forever.
        let inwards = Rule::new(Kind::FromStackPointer(-8), FramePointer::Same);
        assert_eq!(cut(&[inwards], &[]), Some(Cut::Unsupported));
        let endless: Vec<(u64, u64)> = (0..100).map(|at| (0x8000 + 8 * at, 0x1010)).collect();
        let (addresses, cut) = walked(&[leaf], &endless, 0);
        assert_eq!((addresses.len(), cut), (FRAMES, Some(Cut::TooDeep)));
    }

    #[test]
    fn code_without_rules_is_walked_by_frame_pointers_where_calls_return_to() {
        let rules = [Rule::GAP, Rule::GAP];
        // The function that makes the system call has no frame. The next one has a frame, and its caller is the outermost
        // function.
        let mut words = vec![
            (0x8000, 0x1108),
            (0x1100, CALL),
            (0x8040, 0),
            (0x8048, 0x1028),
            (0x1020, CALL),
        ];
        let (addresses, cut) = walked(&rules, &words, 0x8040);
        assert_eq!((&addresses[..], cut), (&[0x1010, 0x1108, 0x1028][..], None));
        // If the chain of frames goes on, an address that does not follow a call is not a return address.
        words[2] = (0x8040, 0x8080);
        words[4] = (0x1020, 0);
        let (addresses, cut) = walked(&rules, &words, 0x8040);
        assert_eq!(
            (&addresses[..], cut),
            (&[0x1010, 0x1108][..], Some(Cut::NoFrame))
        );
    }
    #[test]
    fn frames_of_aarch64_lead_outwards_though_the_code_is_not_there() {
        // The frame has the caller's frame pointer, and its return address with a signature in the upper bits.
        let words: HashMap<u64, u64> = [
            (0x8040, 0x8080),
            (0x8048, 0x00ab_0000_0000_1110),
            (0x8080, 0),
            (0x8088, 0),
        ]
        .into();
        let rule = |address: u64| (0x1000..0x1200).contains(&address).then_some(Rule::GAP);
        let word = |address: u64| words.get(&address).copied();
        let begin = (0x1010, 0x8000, Some(0x8040));
        let (addresses, cut) = walk_by(&rule, &word, begin, Processor::Arm);
        assert_eq!((&addresses[..], cut), (&[0x1010, 0x1110][..], None));
        let (addresses, cut) = walk_by(&rule, &word, begin, Processor::X86);
        assert_eq!((addresses.len(), cut), (1, Some(Cut::Unreadable)));
    }
}
