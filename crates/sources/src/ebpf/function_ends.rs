//! Programs at the ends of the kernel's functions (fexit). Attaching one slows down nothing else. Linux has them since 5.5 on
//! x86-64 and 6.0 on aarch64, and not every kernel is built with them.

use anyhow::Context;
use aya::programs::{FExit, ProgramError};
use aya::{Btf, BtfError};

use super::Loaded;

/// Whether the kernel has the function to which a program belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The function exists, and the program is loaded for its end.
    Found,
    /// The kernel has no function of that name.
    Unknown,
}

impl Loaded {
    /// Loads the program `name` for the end of `function`, without attaching it yet. `kernel` has the kernel's types.
    ///
    /// # Errors
    /// If the kernel refuses the program, or does not have such programs at all.
    pub fn load_for_end(
        &mut self,
        name: &str,
        function: &str,
        kernel: &Btf,
    ) -> anyhow::Result<Function> {
        match self.at_end(name)?.load(function, kernel) {
            Ok(()) => Ok(Function::Found),
            Err(ProgramError::Btf(BtfError::UnknownBtfTypeName { .. })) => Ok(Function::Unknown),
            Err(error) => Err(error.into()),
        }
    }

    /// Attaches a program that [`load_for_end`](Self::load_for_end) has loaded.
    ///
    /// # Errors
    /// If the kernel refuses.
    pub fn attach_to_end(&mut self, name: &str) -> anyhow::Result<()> {
        self.at_end(name)?.attach()?;
        Ok(())
    }

    /// Removes such a program from the kernel, attached or not.
    ///
    /// # Errors
    /// If it is not loaded.
    pub fn take_from_end(&mut self, name: &str) -> anyhow::Result<()> {
        Ok(self.at_end(name)?.unload()?)
    }

    fn at_end(&mut self, name: &str) -> anyhow::Result<&mut FExit> {
        let program = self.ebpf.program_mut(name);
        let program = program.with_context(|| format!("the object has no program {name}"))?;
        Ok(program.try_into()?)
    }
}
