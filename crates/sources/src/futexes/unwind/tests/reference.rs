//! The meaning of call frame information by the crate's own look-up and evaluation, without these tables.

use gimli::{
    BaseAddresses, CfaRule, EhFrame, EhFrameHdr, EndianSlice, Evaluation, EvaluationResult,
    LittleEndian, Location, Register, RegisterRule, UnwindContext, UnwindExpression, UnwindSection,
    Value,
};
use object::{Object, ObjectSection};

type Slice<'a> = EndianSlice<'a, LittleEndian>;

/// The registers of a made-up thread.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    pub rip: u64,
    pub rsp: u64,
    pub rbp: u64,
}

/// Returns a word of made-up memory: every word has a different value.
pub fn memory(address: u64) -> u64 {
    address.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) & !7
}

/// The caller's registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Where the return address lies; `None` if there is no caller.
    pub return_address_at: Option<u64>,
    pub rsp: u64,
    /// `None` if it is not known.
    pub rbp: Option<u64>,
}

/// A file as the crate reads it.
pub struct Reference<'a> {
    frames: EhFrame<Slice<'a>>,
    index: EhFrameHdr<Slice<'a>>,
    bases: BaseAddresses,
}

impl<'a> Reference<'a> {
    pub fn of(file: &object::File<'a>) -> Self {
        let section = |name| {
            let section = file.section_by_name(name).unwrap();
            (section.address(), section.data().unwrap())
        };
        let (frames_at, frames) = section(".eh_frame");
        let (index_at, index) = section(".eh_frame_hdr");
        let bases = BaseAddresses::default()
            .set_eh_frame(frames_at)
            .set_eh_frame_hdr(index_at);
        Self {
            frames: EhFrame::new(frames, LittleEndian),
            index: EhFrameHdr::new(index, LittleEndian),
            bases,
        }
    }

    /// Returns the caller's registers. `None` where the tables have no entry.
    pub fn caller(&self, registers: Registers) -> Option<Caller> {
        let index = self.index.parse(&self.bases, 8).unwrap();
        let fde = index
            .table()
            .unwrap()
            .fde_for_address(
                &self.frames,
                &self.bases,
                registers.rip,
                EhFrame::cie_from_offset,
            )
            .ok()?;
        let mut context = UnwindContext::new();
        let row = fde
            .unwind_info_for_address(&self.frames, &self.bases, &mut context, registers.rip)
            .ok()?;
        let encoding = fde.cie().encoding();
        let value = |of: &UnwindExpression<usize>, cfa| {
            let expression = of.get(&self.frames).unwrap();
            evaluate(expression.evaluation(encoding), registers, cfa)
        };
        let cfa = match row.cfa() {
            CfaRule::RegisterAndOffset { register, offset } => {
                of(*register, registers).wrapping_add_signed(*offset)
            }
            CfaRule::Expression(of) => value(of, None),
        };
        let at = |register| match row.register(register) {
            Some(RegisterRule::Offset(distance)) => Some(cfa.wrapping_add_signed(distance)),
            Some(RegisterRule::Expression(at)) => Some(value(&at, Some(cfa))),
            _ => None,
        };
        let rbp = match row.register(Register(6)) {
            None | Some(RegisterRule::SameValue) => Some(registers.rbp),
            _ => at(Register(6)).map(memory),
        };
        let rsp = at(Register(7)).map_or(cfa, memory);
        Some(Caller {
            return_address_at: at(fde.cie().return_address_register()),
            rsp,
            rbp,
        })
    }
}

fn of(register: Register, registers: Registers) -> u64 {
    match register.0 {
        6 => registers.rbp,
        7 => registers.rsp,
        16 => registers.rip,
        // None of our rules reads any other register.
        _ => 0xdead_0000,
    }
}

fn evaluate(mut evaluation: Evaluation<Slice<'_>>, registers: Registers, cfa: Option<u64>) -> u64 {
    if let Some(cfa) = cfa {
        evaluation.set_initial_value(cfa);
    }
    let mut state = evaluation.evaluate().unwrap();
    loop {
        state = match state {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresRegister { register, .. } => evaluation
                .resume_with_register(Value::Generic(of(register, registers)))
                .unwrap(),
            EvaluationResult::RequiresMemory { address, .. } => evaluation
                .resume_with_memory(Value::Generic(memory(address)))
                .unwrap(),
            other => panic!("{other:?}"),
        };
    }
    let result = evaluation.result();
    match result[0].location {
        Location::Address { address } => address,
        other => panic!("{other:?}"),
    }
}
