//! The rule of one row of call frame information.

use gimli::{
    CfaRule, EndianSlice, LittleEndian, Register, RegisterRule, UnwindExpression, UnwindTableRow,
};

use super::expression;
use super::rule::{FramePointer, Kind, Rule};

/// Registers of x86-64 as DWARF numbers them (psABI, figure 3.36).
const RBP: Register = Register(6);
const RSP: Register = Register(7);

/// The offset at which Linux saves the interrupted registers, from the stack pointer of the code that ends a handler:
/// `rt_sigframe` without its return address, which the call of that code has removed (arch/x86/include/uapi/asm/sigcontext.h).
const INTERRUPTED_RBP: i64 = 120;
const INTERRUPTED_RSP: i64 = 160;
const INTERRUPTED_RIP: i64 = 168;

/// The whole section in memory.
pub type Section<'a> = gimli::EhFrame<EndianSlice<'a, LittleEndian>>;
type Row = UnwindTableRow<usize>;

/// Returns the rule for `row`, whose return address is in column `return_address`.
pub fn rule_of(
    section: &Section<'_>,
    row: &Row,
    return_address: Register,
    is_signal_frame: bool,
) -> Rule {
    let bytes = |expression: &UnwindExpression<usize>| {
        expression
            .get(section)
            .map_or(&[][..], |expression| expression.0.slice())
    };
    match row.register(return_address) {
        Some(RegisterRule::Undefined) => return Rule::OUTERMOST,
        Some(RegisterRule::Offset(-8)) => {}
        Some(RegisterRule::Expression(_)) if is_signal_frame => {
            let is_at = |register, expected| match row.register(register) {
                Some(RegisterRule::Expression(at)) => {
                    expression::from_stack_pointer(bytes(&at)) == Some(expected)
                }
                _ => false,
            };
            let is_known = is_at(return_address, INTERRUPTED_RIP)
                && is_at(RSP, INTERRUPTED_RSP)
                && is_at(RBP, INTERRUPTED_RBP);
            return if is_known {
                Rule::SIGNAL_FRAME
            } else {
                Rule::UNSUPPORTED
            };
        }
        _ => return Rule::UNSUPPORTED,
    }
    let saved = row.register(RBP);
    let frame_pointer = match saved {
        None | Some(RegisterRule::SameValue) => FramePointer::Same,
        Some(RegisterRule::Offset(distance)) => FramePointer::Saved(distance),
        _ => FramePointer::Lost,
    };
    match row.cfa() {
        CfaRule::RegisterAndOffset {
            register: RSP,
            offset,
        } => Rule::new(Kind::FromStackPointer(*offset), frame_pointer),
        CfaRule::RegisterAndOffset {
            register: RBP,
            offset,
        } => Rule::new(Kind::FromFramePointer(*offset), frame_pointer),
        CfaRule::RegisterAndOffset { .. } => Rule::UNSUPPORTED,
        CfaRule::Expression(of) => {
            if let Some(first) = expression::linkage_stub(bytes(of)) {
                return Rule::new(Kind::LinkageStub(first), frame_pointer);
            }
            let Some(distance) = expression::in_memory(bytes(of)) else {
                return Rule::UNSUPPORTED;
            };
            match saved {
                Some(RegisterRule::Expression(at))
                    if expression::from_frame_pointer(bytes(&at)) == Some(0) =>
                {
                    Rule::new(Kind::InMemory(distance), FramePointer::Same)
                }
                _ => Rule::UNSUPPORTED,
            }
        }
    }
}
