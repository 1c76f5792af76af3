//! The rule for the step from an address to its caller, in one word.

use super::cursor::{Cursor, Memory};
use super::row::{Cfa, FRAME_POINTER, Row, STACK_POINTER, Saved};

/// The unit of offsets in the stack, in bytes.
const WORD: i64 = 8;

/// A packed rule: see [`Kind`] for its contents. Never zero.
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

/// The contents of a rule. Offsets are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The usual frame: everything is at fixed distances.
    Usual(Offsets),
    /// For functions that align their stack: the canonical frame address is stored in memory at a distance from the base, and
    /// `frame_pointer` is a distance from the present frame pointer.
    Aligned(Offsets),
    /// There is no caller: the outermost function of a thread.
    Outermost,
    /// The tables say nothing about it.
    Unknown,
    /// The tables have to be read each time: frames of signals, and expressions.
    ByTables,
}

/// The distances in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offsets {
    /// Whether `cfa` starts from the frame pointer rather than the stack pointer.
    pub from_frame_pointer: bool,
    /// From the base to the canonical frame address.
    pub cfa: i64,
    /// From the canonical frame address to the saved frame pointer of the caller, if it is saved.
    pub frame_pointer: Option<i64>,
    /// From the canonical frame address to the return address, if that is not in its register.
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

    /// Returns the rule that `word` represents, unless `word` is zero.
    pub fn from_word(word: u64) -> Option<Self> {
        (word != 0).then_some(Self(word))
    }

    pub fn word(self) -> u64 {
        self.0
    }

    /// Returns the rule for `row`.
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

    /// Returns `None` if the numbers do not fit.
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

/// Converts `bytes` to words, if that is a whole number that fits into `bits`.
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

/// Recognises the frame that GCC makes for a function with overaligned variables: the canonical frame address was pushed on
/// the stack before the stack was aligned.
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
