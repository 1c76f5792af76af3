//! A clock for a program that is being stepped. By the processor's own clock each hold would take as long as some hundred thousand
//! instructions: a recorder that times long holds more often would take another path than it does at full speed.

use anyhow::Context;
use iced_x86::{Code, Instruction};
use nix::sys::ptrace;
use nix::unistd::Pid;

/// Ticks in which one instruction passes: about a nanosecond on a processor of 3 GHz, as in code that waits for its memory now and then.
const TICKS_PER_STEP: u64 = 3;

/// The processor's time stamp counter as the program sees it.
#[derive(Default)]
pub struct VirtualTime {
    /// The counter at the first reading; from then on it goes by steps.
    now: Option<u64>,
}

impl VirtualTime {
    /// `instruction` has been executed; if it read the counter, it has read this one.
    pub fn passes(&mut self, thread: Pid, instruction: &Instruction) -> anyhow::Result<()> {
        let is_reading = matches!(instruction.code(), Code::Rdtsc | Code::Rdtscp);
        if let Some(now) = &mut self.now {
            *now += TICKS_PER_STEP;
        }
        if !is_reading {
            return Ok(());
        }
        let mut registers = ptrace::getregs(thread).context("the thread has no registers")?;
        let real = registers.rdx << 32 | registers.rax & 0xFFFF_FFFF;
        let now = *self.now.get_or_insert(real);
        registers.rax = now & 0xFFFF_FFFF;
        registers.rdx = now >> 32;
        ptrace::setregs(thread, registers)?;
        Ok(())
    }
}
