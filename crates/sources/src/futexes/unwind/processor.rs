//! The processor for which a program was built.

/// A processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// x86-64.
    X86,
    /// aarch64.
    Arm,
}

impl Processor {
    /// The one for which this program was built.
    pub const OWN: Self = match cfg!(target_arch = "aarch64") {
        true => Self::Arm,
        false => Self::X86,
    };
}
