//! Programs at the beginnings of the kernel's functions (fentry). Where the kernel takes [those at their ends](super::Function),
//! it takes these.

use anyhow::Context;
use aya::Btf;
use aya::programs::FEntry;

use super::Loaded;

impl Loaded {
    /// Loads the program `name` for the beginning of `function`, and attaches it. `kernel` has the kernel's types.
    ///
    /// # Errors
    /// If the kernel has no such function, or refuses.
    pub fn attach_to_begin(
        &mut self,
        name: &str,
        function: &str,
        kernel: &Btf,
    ) -> anyhow::Result<()> {
        let program = self.ebpf.program_mut(name);
        let program = program.with_context(|| format!("the object has no program {name}"))?;
        let program: &mut FEntry = program.try_into()?;
        program.load(function, kernel)?;
        program.attach()?;
        Ok(())
    }
}
