//! The state of a walk.

/// A function that has not returned yet, with its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it continues: usually the return address of a call.
    pub address: usize,
    pub stack_pointer: usize,
    /// Its frame pointer, if the functions in between keep to that use of the register.
    pub frame_pointer: usize,
    /// Its link register, on machines that have one. Only valid if `is_exact`.
    pub link: usize,
    /// Whether `address` is exactly where the function is, and not behind a call.
    pub is_exact: bool,
}

impl Frame {
    /// Returns an address within the instruction that the function is at. If a call was the last instruction of its function,
    /// the return address may already belong to the next function.
    #[inline]
    pub fn instruction(&self) -> usize {
        self.address - usize::from(!self.is_exact)
    }
}
