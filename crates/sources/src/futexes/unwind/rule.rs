//! The step from an address to its caller, in 32 bits.

/// The unit, in bytes, of distances on the stack.
const WORD: i64 = 8;

/// A rule, packed. `bpf/unwind.bpf.h` reads the same bits.
///
/// ```text
/// bits  0..3   kind
///       3..20  distance in words, with a sign
///      20..32  where the caller's frame pointer is, in words from the canonical frame address, with a sign;
///              0: unchanged in its register; the least number: lost
/// ```
///
/// The canonical frame address (CFA; DWARF 5, 6.4) is the stack pointer before the call. The return address always lies just below it:
/// other places have no rule here.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rule(u32);

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The tables do not cover this address: it is code without tables, or not code.
    Gap,
    /// The CFA is this many bytes from the stack pointer.
    FromStackPointer(i64),
    /// The CFA is this many bytes from the frame pointer.
    FromFramePointer(i64),
    /// A stub of the procedure linkage table: the CFA is 8 bytes from the stack pointer, and 16 bytes from this byte of each 16
    /// on, once an index has been pushed.
    LinkageStub(i64),
    /// The CFA lies in memory, this many bytes from the frame pointer: functions that align their stack. The caller's frame
    /// pointer lies where the present one points to.
    InMemory(i64),
    /// There is no caller: the outermost function of a thread.
    Outermost,
    /// The end of a signal handler. The registers of the interrupted code lie on the stack, where Linux on x86-64 puts them.
    SignalFrame,
    /// A step that these rules cannot express.
    Unsupported,
}

/// Where the caller's frame pointer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePointer {
    /// Unchanged, in its register.
    Same,
    /// This many bytes from the CFA.
    Saved(i64),
    /// Not known.
    Lost,
}

const GAP: u32 = 0;
const FROM_STACK_POINTER: u32 = 1;
const FROM_FRAME_POINTER: u32 = 2;
const LINKAGE_STUB: u32 = 3;
const IN_MEMORY: u32 = 4;
const OUTERMOST: u32 = 5;
const SIGNAL_FRAME: u32 = 6;
const UNSUPPORTED: u32 = 7;

const DISTANCE_AT: u32 = 3;
const DISTANCE_BITS: u32 = 17;
const SAVED_AT: u32 = 20;
const SAVED_BITS: u32 = 12;
const LOST: i64 = -(1 << (SAVED_BITS - 1));

impl Rule {
    /// [`Kind::Gap`]. Sorts before all others.
    pub const GAP: Self = Self(GAP);
    /// [`Kind::Outermost`].
    pub const OUTERMOST: Self = Self(OUTERMOST);
    /// [`Kind::SignalFrame`].
    pub const SIGNAL_FRAME: Self = Self(SIGNAL_FRAME);
    /// [`Kind::Unsupported`].
    pub const UNSUPPORTED: Self = Self(UNSUPPORTED);

    /// Returns the rule of this kind and frame pointer; [`Kind::Unsupported`] if the numbers do not fit.
    pub fn new(kind: Kind, frame_pointer: FramePointer) -> Self {
        let (number, distance) = match kind {
            Kind::Gap => return Self::GAP,
            Kind::Outermost => return Self::OUTERMOST,
            Kind::SignalFrame => return Self::SIGNAL_FRAME,
            Kind::Unsupported => return Self::UNSUPPORTED,
            Kind::FromStackPointer(distance) => (FROM_STACK_POINTER, distance),
            Kind::FromFramePointer(distance) => (FROM_FRAME_POINTER, distance),
            Kind::LinkageStub(first) => (LINKAGE_STUB, first * WORD),
            Kind::InMemory(distance) => (IN_MEMORY, distance),
        };
        let saved = match frame_pointer {
            FramePointer::Same => Some(0),
            FramePointer::Saved(distance) => {
                words(distance, SAVED_BITS).filter(|&saved| saved != 0 && saved != LOST)
            }
            FramePointer::Lost => Some(LOST),
        };
        match (words(distance, DISTANCE_BITS), saved) {
            (Some(distance), Some(saved)) => Self(
                number
                    | put(distance, DISTANCE_AT, DISTANCE_BITS)
                    | put(saved, SAVED_AT, SAVED_BITS),
            ),
            _ => Self::UNSUPPORTED,
        }
    }

    /// Returns the bits.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Returns the rule with these bits.
    pub fn of_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns what it says about the CFA.
    pub fn kind(self) -> Kind {
        let distance = self.field(DISTANCE_AT, DISTANCE_BITS);
        match self.0 & 7 {
            GAP => Kind::Gap,
            FROM_STACK_POINTER => Kind::FromStackPointer(distance * WORD),
            FROM_FRAME_POINTER => Kind::FromFramePointer(distance * WORD),
            LINKAGE_STUB => Kind::LinkageStub(distance),
            IN_MEMORY => Kind::InMemory(distance * WORD),
            OUTERMOST => Kind::Outermost,
            SIGNAL_FRAME => Kind::SignalFrame,
            _ => Kind::Unsupported,
        }
    }

    /// Returns what it says about the caller's frame pointer.
    pub fn frame_pointer(self) -> FramePointer {
        match self.field(SAVED_AT, SAVED_BITS) {
            0 => FramePointer::Same,
            LOST => FramePointer::Lost,
            words => FramePointer::Saved(words * WORD),
        }
    }

    fn field(self, at: u32, bits: u32) -> i64 {
        i64::from((self.0 << (32 - at - bits)) as i32 >> (32 - bits))
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}, {:?}", self.kind(), self.frame_pointer())
    }
}

/// Returns `bytes` in words, if that is a whole number of words that fits into `bits`.
fn words(bytes: i64, bits: u32) -> Option<i64> {
    let (words, limit) = (bytes / WORD, 1 << (bits - 1));
    (bytes % WORD == 0 && (-limit..limit).contains(&words)).then_some(words)
}

fn put(words: i64, at: u32, bits: u32) -> u32 {
    (words as u32 & ((1 << bits) - 1)) << at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        let saved = [
            FramePointer::Same,
            FramePointer::Lost,
            FramePointer::Saved(-16),
            FramePointer::Saved(-8 * 2047),
            FramePointer::Saved(8 * 2047),
        ];
        for distance in [8, 16, 0, -8, 4096, 8 * 65_535, -8 * 65_536] {
            for frame_pointer in saved {
                for kind in [
                    Kind::FromStackPointer(distance),
                    Kind::FromFramePointer(distance),
                    Kind::InMemory(distance),
                    Kind::LinkageStub(11),
                ] {
                    let rule = Rule::new(kind, frame_pointer);
                    assert_eq!(rule.kind(), kind);
                    assert_eq!(rule.frame_pointer(), frame_pointer);
                    assert_eq!(Rule::of_bits(rule.bits()), rule);
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_unsupported() {
        for distance in [4, 12, 8 * 65_536, -8 * 65_537, i64::MAX, i64::MIN] {
            let rule = Rule::new(Kind::FromStackPointer(distance), FramePointer::Same);
            assert_eq!(rule, Rule::UNSUPPORTED, "{distance}");
        }
        for saved in [0, 4, 8 * 2048, -8 * 2048, i64::MAX, i64::MIN] {
            let rule = Rule::new(Kind::FromStackPointer(16), FramePointer::Saved(saved));
            assert_eq!(rule, Rule::UNSUPPORTED, "{saved}");
        }
    }
}
