//! One step of a walk: from a function to its caller.

use super::cursor::{Cursor, Memory};
use super::entry::Entry;
use super::expression;
use super::frame::Frame;
use super::frame_pointer;
use super::process::Process;
use super::row::{self, Cfa, FRAME_POINTER, Row, STACK_POINTER, Saved};
use super::rule::{Kind, Offsets, Rule};
use super::rules::{RuleKey, Rules};
use super::search::{self, Missing};
use super::stack::Stack;
use super::tables::Tables;

/// What is known about code.
#[derive(Clone, Copy)]
pub struct Knowledge<'k> {
    /// Rules that were used before.
    pub rules: &'k Rules,
    /// The source of further rules.
    pub tables: &'k Tables,
    /// Called for an address in no known file, or in one that was unmapped; afterwards `tables` is asked again.
    pub look_for_code: &'k dyn Fn(),
}

/// Finds the caller of `frame`. Returns `None` if there is none, or none that can be found.
#[inline]
pub fn caller(frame: &Frame, knowledge: Knowledge<'_>, stack: &mut Stack<'_>) -> Option<Frame> {
    let key = RuleKey::new(frame.instruction(), knowledge.tables.generation());
    let rule = match knowledge.rules.get(key) {
        Some(rule) => rule,
        None => learn(frame.instruction(), knowledge),
    };
    let found = match rule.kind() {
        Kind::Usual(offsets) => usual(frame, offsets, stack)?,
        Kind::Aligned(offsets) => aligned(frame, offsets, stack)?,
        Kind::Outermost => return None,
        Kind::Unknown => frame_pointer::caller(frame, knowledge.tables, stack)?,
        Kind::ByTables => by_tables(frame, knowledge.tables, stack)?,
    };
    is_outwards(frame, &found).then_some(found)
}

/// Whether `found` can be the caller of `frame`. This rules out cycles.
#[inline]
fn is_outwards(frame: &Frame, found: &Frame) -> bool {
    let moved = if cfg!(target_arch = "x86_64") {
        // At least the return address has been removed from the stack.
        found.stack_pointer > frame.stack_pointer
    } else {
        found.stack_pointer > frame.stack_pointer
            || found.stack_pointer == frame.stack_pointer && frame.is_exact
    };
    // The kernel delivers signals on another stack if it was told to: then the interrupted stack may be anywhere.
    found.address != 0 && (moved || found.is_exact)
}

#[inline]
fn usual(frame: &Frame, offsets: Offsets, stack: &mut Stack<'_>) -> Option<Frame> {
    let base = if offsets.from_frame_pointer {
        stack.uses_frame_pointer();
        frame.frame_pointer
    } else {
        frame.stack_pointer
    };
    let cfa = base.wrapping_add_signed(offsets.cfa as isize);
    let saved = offsets.frame_pointer.map(|offset| (cfa, offset));
    with_cfa(frame, cfa, saved, offsets.return_address, stack)
}

fn aligned(frame: &Frame, offsets: Offsets, stack: &mut Stack<'_>) -> Option<Frame> {
    stack.uses_frame_pointer();
    let base = frame.frame_pointer;
    let cfa = stack.word(base.wrapping_add_signed(offsets.cfa as isize))?;
    let saved = offsets.frame_pointer.map(|offset| (base, offset));
    with_cfa(frame, cfa, saved, offsets.return_address, stack)
}

#[inline]
fn with_cfa(
    frame: &Frame,
    cfa: usize,
    saved_frame_pointer: Option<(usize, i64)>,
    return_address: Option<i64>,
    stack: &mut Stack<'_>,
) -> Option<Frame> {
    let address = match return_address {
        Some(offset) => stack.word(cfa.wrapping_add_signed(offset as isize))?,
        // It is in the link register, which is known only for the innermost function.
        None if frame.is_exact => frame.link,
        None => return None,
    };
    let frame_pointer = match saved_frame_pointer {
        Some((base, offset)) => {
            stack.saved_frame_pointer(base.wrapping_add_signed(offset as isize))?
        }
        None => frame.frame_pointer,
    };
    Some(Frame {
        address: without_signature(address),
        stack_pointer: cfa,
        frame_pointer,
        link: 0,
        is_exact: false,
    })
}

/// Removes the signature that the processor may have put into a return address's upper bits (Arm, pointer authentication).
#[inline]
pub fn without_signature(address: usize) -> usize {
    if cfg!(target_arch = "aarch64") {
        address & ((1 << 48) - 1)
    } else {
        address
    }
}

/// Reads the tables for `instruction`, and remembers the resulting rule.
#[cold]
#[inline(never)]
fn learn(instruction: usize, knowledge: Knowledge<'_>) -> Rule {
    let mut generation = knowledge.tables.generation();
    let mut found = rule_at(instruction, knowledge.tables);
    if found.is_none() {
        (knowledge.look_for_code)();
        generation = knowledge.tables.generation();
        found = rule_at(instruction, knowledge.tables);
    }
    let rule = found.unwrap_or(Rule::UNKNOWN);
    // If the tables have changed since, no look-up will find it.
    let key = RuleKey::new(instruction, generation);
    knowledge.rules.put(key, rule);
    rule
}

/// Returns the rule according to the tables, or `None` if there are no tables. Not inlined into `learn`, which would otherwise
/// use its stack space while it looks for files.
#[inline(never)]
fn rule_at(instruction: usize, tables: &Tables) -> Option<Rule> {
    let mut cursor = Cursor::new(&Process);
    match row_at(&mut cursor, instruction, tables) {
        Ok((entry, row)) => Some(Rule::of(&row, entry.is_signal_frame, &mut cursor)),
        Err(Missing::Entry) => Some(Rule::UNKNOWN),
        Err(Missing::File) => None,
    }
}

// Inlined into both its callers: otherwise its result would be on the stack twice.
#[inline(always)]
fn row_at<M: Memory>(
    cursor: &mut Cursor<'_, M>,
    instruction: usize,
    tables: &Tables,
) -> Result<(Entry, Row), Missing> {
    let stretch = tables.find(instruction).ok_or(Missing::File)?;
    let entry = search::entry_for(cursor, stretch, instruction)?;
    let row = row::at(cursor, &entry, instruction).ok_or(Missing::Entry)?;
    Ok((entry, row))
}

/// Takes the step for frames that no [`Rule`] can describe.
#[cold]
#[inline(never)]
fn by_tables(frame: &Frame, tables: &Tables, stack: &mut Stack<'_>) -> Option<Frame> {
    stack.spoil();
    let mut cursor = Cursor::new(&Process);
    let (entry, row) = row_at(&mut cursor, frame.instruction(), tables).ok()?;
    if entry.is_signal_frame {
        // The interrupted function may be on another stack.
        stack.distrust();
    }
    let cfa = match row.cfa {
        Cfa::Register { column, offset } => {
            let base = match column {
                STACK_POINTER => frame.stack_pointer,
                FRAME_POINTER => frame.frame_pointer,
                _ => return None,
            };
            base.wrapping_add_signed(offset as isize)
        }
        Cfa::Expression(block) => {
            expression::evaluate(&mut cursor, block, frame, None, |at| stack.word(at))?
        }
    };
    let mut value = |saved, same| match saved {
        Saved::Same => same,
        Saved::At(offset) => stack.word(cfa.wrapping_add_signed(offset as isize)),
        Saved::Is(offset) => Some(cfa.wrapping_add_signed(offset as isize)),
        Saved::AtExpression(block) => {
            let at =
                expression::evaluate(&mut cursor, block, frame, Some(cfa), |at| stack.word(at))?;
            stack.word(at)
        }
        Saved::IsExpression(block) => {
            expression::evaluate(&mut cursor, block, frame, Some(cfa), |at| stack.word(at))
        }
        Saved::Undefined | Saved::Elsewhere => None,
    };
    let address = value(row.return_address, frame.is_exact.then_some(frame.link))?;
    // Without the frame pointer, the walk continues as long as it is not needed.
    let frame_pointer = value(row.frame_pointer, Some(frame.frame_pointer)).unwrap_or(0);
    Some(Frame {
        address: without_signature(address),
        stack_pointer: cfa,
        frame_pointer,
        link: 0,
        is_exact: entry.is_signal_frame,
    })
}
