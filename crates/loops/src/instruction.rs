//! The small model of an instruction that both decoders produce: which registers and which memory it reads and writes, and where
//! the thread goes next.

/// A register of the model. 0 to 31 are the general registers in the kernel's order; the constants below are the others.
pub type Register = u8;

/// The condition flags as a whole.
pub const FLAGS: Register = 32;
/// Holds a value within one instruction.
pub const SCRATCH: Register = 33;
/// Holds a second value within one instruction.
pub const SCRATCH_2: Register = 34;
/// The first of 32 vector registers.
pub const VECTOR: Register = 35;
/// Everything else: x87, masks, system registers.
pub const OTHER: Register = 67;
/// The number of registers.
pub const REGISTERS: usize = 68;

/// An address: the sum of its parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Address {
    /// Base register.
    pub base: Option<Register>,
    /// Index register, and the number it is multiplied by.
    pub index: Option<(Register, u8)>,
    /// Displacement; the whole address if there are no registers.
    pub displacement: i64,
    /// Relative to the thread's own storage (FS or GS on x86).
    pub thread_local: bool,
}

impl Address {
    /// `register + displacement`.
    pub fn based(register: Register, displacement: i64) -> Address {
        Address {
            base: Some(register),
            displacement,
            ..Address::default()
        }
    }

    /// Whether no register is needed, so that the address is known from the code alone.
    pub fn is_fixed(&self) -> bool {
        self.base.is_none() && self.index.is_none() && !self.thread_local
    }
}

/// How values are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum How {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Shift to the left.
    ShiftLeft,
    /// Shift to the right.
    ShiftRight,
    /// And.
    And,
    /// Or.
    Or,
    /// Exclusive or.
    Xor,
    /// Sign extension from this many bits.
    SignExtend(u8),
    /// Zero extension from this many bits.
    ZeroExtend(u8),
    /// A comparison, or the flags of a result.
    Compare,
    /// One of the inputs, by a condition.
    Select,
    /// A truth value made of flags.
    Condition,
    /// Anything else that depends on nothing but the inputs.
    Other,
}

/// How an atomic instruction changes its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Writes a value that does not depend on the old one, or that does not change it when repeated (exchange, or, bit set).
    Exchange(Register),
    /// Writes only if the word equals this register.
    CompareExchange(Register),
    /// Writes a value that differs at each repetition (fetch-and-add).
    Modify,
}

/// A part of an instruction. They are executed in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// A constant.
    Constant(Register, u64),
    /// A copy of the second register.
    Copy(Register, Register),
    /// An address, computed but not used.
    Address(Register, Address),
    /// A combination of up to two registers, or of one and a constant.
    Combine(Register, How, Register, Operand),
    /// A read of `width` bytes.
    Load {
        /// Receives the value.
        to: Register,
        /// Address.
        at: Address,
        /// Bytes.
        width: u8,
    },
    /// A write of `width` bytes.
    Store {
        /// Address.
        at: Address,
        /// Bytes.
        width: u8,
        /// The value, if the model follows it.
        from: Option<Register>,
    },
    /// An atomic update; `to` receives the old value.
    Atomic {
        /// Receives the old value.
        to: Register,
        /// Address.
        at: Address,
        /// Bytes.
        width: u8,
        /// The change.
        update: Update,
    },
    /// The read before it is the first half of an update, which a later write completes if no other thread wrote in between.
    Exclusive,
    /// Zero if an exclusive write took place, and otherwise not.
    Status(Register),
    /// A reading of a clock or a cycle counter.
    Clock(Register),
    /// A value that nothing is known about.
    Unknown(Register),
    /// An effect outside the model: a block copy, a privileged instruction.
    Opaque,
}

/// The second input of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A constant.
    Constant(u64),
}

/// Where the thread goes after the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To another one.
    Jump(u64),
    /// To another one or to the next, by the value of a register.
    Branch {
        /// Target if taken.
        target: u64,
        /// Decides.
        on: Register,
        /// For which values; a condition and its opposite differ in the lowest bit.
        when: u8,
    },
    /// Into a function.
    Call(u64),
    /// Into a function whose address is in memory.
    CallThrough(Address),
    /// To an instruction whose address is in memory.
    JumpThrough(Address),
    /// Into a function whose address is in a register; `None` if the model cannot say where.
    CallUnknown(Option<Register>),
    /// To an instruction whose address is in a register.
    JumpUnknown(Option<Register>),
    /// Back to the caller. The register has the address on machines that keep it in one.
    Return(Option<Register>),
    /// Into the kernel and back.
    SystemCall,
    /// Nowhere: a trap.
    Stop,
}

/// A meaning that matters when a loop is described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Nothing special.
    None,
    /// `pause`, `yield`, `isb`, `wfe`: tells the CPU that the thread waits.
    Pause,
}

/// The condition of a branch that is taken if both values are equal; its opposite is one more.
pub const EQUAL: u8 = 4;

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// Its address.
    pub address: u64,
    /// Its length in bytes.
    pub length: u8,
    /// Its parts.
    pub operations: Vec<Operation>,
    /// The next one.
    pub flow: Flow,
    /// Its meaning.
    pub hint: Hint,
}

impl Operation {
    /// The register that it writes.
    pub fn written(&self) -> Option<Register> {
        match *self {
            Operation::Constant(to, _)
            | Operation::Copy(to, _)
            | Operation::Address(to, _)
            | Operation::Combine(to, ..)
            | Operation::Load { to, .. }
            | Operation::Atomic { to, .. }
            | Operation::Clock(to)
            | Operation::Status(to)
            | Operation::Unknown(to) => Some(to),
            Operation::Store { .. } | Operation::Exclusive | Operation::Opaque => None,
        }
    }
}

impl Instruction {
    /// The address after it.
    pub fn next(&self) -> u64 {
        self.address.wrapping_add(u64::from(self.length))
    }
}
