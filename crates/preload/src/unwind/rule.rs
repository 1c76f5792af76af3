//! The rule of an address for the step to its caller, in one word.

use super::cursor::{Cursor, Memory};
use super::row::{Cfa, FRAME_POINTER, Row, STACK_POINTER, Saved};

/// Bytes in which stacks are counted here.
const WORD: i64 = 8;

/// A rule, packed: see [`Kind`] for what it can say. Never zero.
///
/// ```text
/// bits  0..3   kind
///       3      the frame pointer is the base, not the stack pointer
///       4..28  `offset` in words, with a sign
///      28..46  `frame_pointer` in words, with a sign; the least number: not saved
///      46..64  `return_address` in words, with a sign; the least number: not saved
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule(u64);

/// What a rule says. Offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The usual frame: all is at fixed distances.
    Usual(Offsets),
    /// The canonical frame address is not at a distance from the base but is in memory there, and `frame_pointer` is
    /// a distance from the present frame pointer: functions that align their stack.
    Aligned(Offsets),
    /// There is no caller: the outermost function of a thread.
    Outermost,
    /// Nothing is known by tables.
    Unknown,
    /// The tables have to be read each time: frames of signals, and expressions.
    ByTables,
}

/// The numbers that go with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Whether the frame pointer is what `cfa` starts from, and not the stack pointer.
    pub from_frame_pointer: bool,
    /// From the base to the canonical frame address.
    pub cfa: i64,
    /// From the canonical frame address to where the caller's frame pointer is saved, if it is.
    pub frame_pointer: Option<i64>,
    /// The same of the return address, if that is not in its register.
    pub return_address: Option<i64>,
}

const USUAL: u64 = 1;
const ALIGNED: u64 = 2;
const OUTERMOST: u64 = 3;
const UNKNOWN: u64 = 4;
const BY_TABLES: u64 = 5;

const CFA_AT: u32 = 4;
const CFA_BITS: u32 = 24;
const FRAME_POINTER_AT: u32 = 28;
const RETURN_ADDRESS_AT: u32 = 46;
const SAVED_BITS: u32 = 18;

impl Rule {
    pub const OUTERMOST: Self = Self(OUTERMOST);
    pub const UNKNOWN: Self = Self(UNKNOWN);
    pub const BY_TABLES: Self = Self(BY_TABLES);

    /// The rule that `word` is, unless that is zero.
    pub fn from_word(word: u64) -> Option<Self> {
        (word != 0).then_some(Self(word))
    }

    pub fn word(self) -> u64 {
        self.0
    }

    /// What the rule for `row` is.
    pub fn of<M: Memory>(row: &Row, is_signal_frame: bool, cursor: &mut Cursor<'_, M>) -> Self {
        if row.return_address == Saved::Undefined {
            return Self::OUTERMOST;
        }
        let packed = if is_signal_frame {
            None
        } else {
            usual(row).or_else(|| aligned(row, cursor))
        };
        packed.unwrap_or(Self::BY_TABLES)
    }

    #[inline]
    pub fn kind(self) -> Kind {
        match self.0 & 7 {
            USUAL => Kind::Usual(self.offsets()),
            ALIGNED => Kind::Aligned(self.offsets()),
            OUTERMOST => Kind::Outermost,
            BY_TABLES => Kind::ByTables,
            _ => Kind::Unknown,
        }
    }

    #[inline]
    fn offsets(self) -> Offsets {
        Offsets {
            from_frame_pointer: self.0 >> 3 & 1 != 0,
            cfa: self.field(CFA_AT, CFA_BITS) * WORD,
            frame_pointer: self.saved(FRAME_POINTER_AT),
            return_address: self.saved(RETURN_ADDRESS_AT),
        }
    }

    #[inline]
    fn field(self, at: u32, bits: u32) -> i64 {
        (self.0 << (64 - at - bits)) as i64 >> (64 - bits)
    }

    #[inline]
    fn saved(self, at: u32) -> Option<i64> {
        let words = self.field(at, SAVED_BITS);
        (words != NOT_SAVED).then_some(words * WORD)
    }

    /// `None` if the numbers do not fit.
    fn pack(kind: u64, offsets: Offsets) -> Option<Self> {
        let saved = |offset: Option<i64>| match offset {
            None => Some(NOT_SAVED),
            Some(offset) => words(offset, SAVED_BITS).filter(|&words| words != NOT_SAVED),
        };
        Some(Self(
            kind | u64::from(offsets.from_frame_pointer) << 3
                | put(words(offsets.cfa, CFA_BITS)?, CFA_AT, CFA_BITS)
                | put(saved(offsets.frame_pointer)?, FRAME_POINTER_AT, SAVED_BITS)
                | put(
                    saved(offsets.return_address)?,
                    RETURN_ADDRESS_AT,
                    SAVED_BITS,
                ),
        ))
    }
}

const NOT_SAVED: i64 = -(1 << (SAVED_BITS - 1));

/// `bytes` in words, if that is a whole number of them that fits into `bits`.
fn words(bytes: i64, bits: u32) -> Option<i64> {
    let (words, limit) = (bytes / WORD, 1 << (bits - 1));
    (bytes % WORD == 0 && (-limit..limit).contains(&words)).then_some(words)
}

fn put(words: i64, at: u32, bits: u32) -> u64 {
    (words as u64 & ((1 << bits) - 1)) << at
}

fn in_memory(saved: Saved) -> Option<Option<i64>> {
    match saved {
        Saved::Same => Some(None),
        Saved::At(offset) => Some(Some(offset)),
        _ => None,
    }
}

fn usual(row: &Row) -> Option<Rule> {
    let Cfa::Register { column, offset } = row.cfa else {
        return None;
    };
    if column != STACK_POINTER && column != FRAME_POINTER {
        return None;
    }
    let offsets = Offsets {
        from_frame_pointer: column == FRAME_POINTER,
        cfa: offset,
        frame_pointer: in_memory(row.frame_pointer)?,
        return_address: in_memory(row.return_address)?,
    };
    Rule::pack(USUAL, offsets)
}

/// The frame that GCC makes for a function with overaligned variables: the canonical frame address was put on the
/// stack before that was aligned.
fn aligned<M: Memory>(row: &Row, cursor: &mut Cursor<'_, M>) -> Option<Rule> {
    const REGISTER: u8 = 0x70;
    const DEREFERENCE: u8 = 0x06;
    let base = REGISTER + FRAME_POINTER as u8;
    let Cfa::Expression(block) = row.cfa else {
        return None;
    };
    cursor.go_to(block.address, block.bytes);
    let is_base = cursor.u8()? == base;
    let cfa = cursor.sleb()?;
    if !is_base || cursor.u8()? != DEREFERENCE || cursor.left() != 0 {
        return None;
    }
    let frame_pointer = match row.frame_pointer {
        Saved::Same => None,
        Saved::AtExpression(block) => {
            cursor.go_to(block.address, block.bytes);
            let is_base = cursor.u8()? == base;
            let offset = cursor.sleb()?;
            if !is_base || cursor.left() != 0 {
                return None;
            }
            Some(offset)
        }
        _ => return None,
    };
    let offsets = Offsets {
        from_frame_pointer: true,
        cfa,
        frame_pointer,
        return_address: in_memory(row.return_address)?,
    };
    Rule::pack(ALIGNED, offsets)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        for cfa in [8, 16, -8, 4096, 8 * ((1 << 23) - 1), -8 * (1 << 23)] {
            for saved in [None, Some(-8), Some(-16), Some(0), Some(8 * 131_071)] {
                for from_frame_pointer in [false, true] {
                    let offsets = Offsets {
                        from_frame_pointer,
                        cfa,
                        frame_pointer: saved,
                        return_address: saved.map(|saved| saved - 8),
                    };
                    let rule = Rule::pack(USUAL, offsets).unwrap();
                    assert_eq!(rule.kind(), Kind::Usual(offsets));
                    let rule = Rule::pack(ALIGNED, offsets).unwrap();
                    assert_eq!(rule.kind(), Kind::Aligned(offsets));
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_not_packed() {
        let usual = Offsets {
            from_frame_pointer: false,
            cfa: 16,
            frame_pointer: None,
            return_address: Some(-8),
        };
        assert!(Rule::pack(USUAL, usual).is_some());
        for cfa in [12, 8 << 23, i64::MIN, i64::MAX] {
            assert_eq!(Rule::pack(USUAL, Offsets { cfa, ..usual }), None);
        }
        for saved in [-4, 8 * NOT_SAVED, 8 << 17, i64::MAX] {
            let return_address = Some(saved);
            let offsets = Offsets {
                return_address,
                ..usual
            };
            assert_eq!(Rule::pack(USUAL, offsets), None);
        }
        assert_eq!(Rule::from_word(0), None);
    }
}
