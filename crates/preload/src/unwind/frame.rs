//! The state of a walk.

/// A function that has not returned yet, with the registers as they are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it goes on: mostly the return address of a call.
    pub address: usize,
    pub stack_pointer: usize,
    /// Its frame pointer, if the functions between keep to that use of the register.
    pub frame_pointer: usize,
    /// Its link register, on machines that have one; only of use if `is_exact`.
    pub link: usize,
    /// Whether `address` is just where it stands, and not behind a call.
    pub is_exact: bool,
}

impl Frame {
    /// An address within the instruction that the function is at. A return address may belong to the next function
    /// already, where the call was the last instruction of one.
    #[inline]
    pub fn instruction(&self) -> usize {
        self.address - usize::from(!self.is_exact)
    }
}
