//! Steps a program from one mark to the next. A mark is the instruction `int3`, which the program has in it.

use std::collections::HashMap;
use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, bail, ensure};
use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction};
use libc::user_regs_struct;
use nix::sys::ptrace;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::count::{Counter, Counts};
use crate::virtual_time::VirtualTime;

/// The longest instruction of x86.
const LONGEST: usize = 15;
/// `int3`.
const MARK: u8 = 0xCC;
/// More than any of the programs takes: a way that waits for something would be stepped for ever.
const MOST_STEPS: u64 = 20_000_000;

/// Starts `command`, which executes a mark, pairs of calls and a mark again, and counts what its first thread executes from pair to pair.
///
/// # Errors
/// If the kernel refuses to trace it, or it ends without the second mark.
pub fn step(mut command: Command) -> anyhow::Result<Counts> {
    // SAFETY: both calls are system calls alone, as a child between fork and execve may make them.
    unsafe {
        command.pre_exec(|| {
            // The same addresses each time, and with them the same places in hash tables.
            libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
            ptrace::traceme().map_err(Into::into)
        });
    }
    let mut child = command.spawn().context("the program does not start")?;
    let stepped = Traced::new(Pid::from_raw(child.id() as i32)).between_marks();
    if stepped.is_err() {
        // Whatever it does there, nobody waits for it.
        let _ = child.kill();
    }
    child.wait().context("the program cannot be waited for")?;
    stepped
}

/// The program's first thread, stopped.
struct Traced {
    thread: Pid,
    /// What stands at the addresses that have been executed.
    code: HashMap<u64, Instruction>,
}

impl Traced {
    fn new(thread: Pid) -> Self {
        Self {
            thread,
            code: HashMap::new(),
        }
    }

    fn between_marks(mut self) -> anyhow::Result<Counts> {
        self.stopped()?;
        ptrace::cont(self.thread, None)?;
        self.stopped()?;
        let sequences = Sequences::of(self.thread)?;
        let mut time = VirtualTime::default();
        let mut counter = Counter::default();
        // Where each pair begins: at the first call behind the mark.
        let mut beginning = None;
        for _ in 0..MOST_STEPS {
            let registers = ptrace::getregs(self.thread)?;
            let instruction = self.instruction(registers.rip)?;
            if instruction.code() == iced_x86::Code::Int3 {
                ptrace::detach(self.thread, None)?;
                return counter.finish().context("there were no pairs");
            }
            if beginning.is_none() && instruction.flow_control() == FlowControl::Call {
                beginning = Some(registers.rip);
            }
            if beginning == Some(registers.rip) {
                counter.begin_pair();
            }
            sequences.leave_alone(self.thread, registers.rip)?;
            counter.add(&instruction, &registers);
            ptrace::step(self.thread, None)?;
            self.stopped()?;
            time.passes(self.thread, &instruction)?;
        }
        bail!("it goes on for more than {MOST_STEPS} instructions")
    }

    /// Waits until it has stopped by a trap.
    fn stopped(&self) -> anyhow::Result<()> {
        match waitpid(self.thread, None)? {
            WaitStatus::Stopped(_, Signal::SIGTRAP) => Ok(()),
            other => bail!("the program did not come to its mark: {other:?}"),
        }
    }

    fn instruction(&mut self, address: u64) -> anyhow::Result<Instruction> {
        if let Some(known) = self.code.get(&address) {
            return Ok(*known);
        }
        let bytes = self.bytes(address)?;
        let instruction = Decoder::with_ip(64, &bytes, address, DecoderOptions::NONE).decode();
        ensure!(!instruction.is_invalid(), "no instruction at {address:#x}");
        self.code.insert(address, instruction);
        Ok(instruction)
    }

    fn bytes(&self, address: u64) -> anyhow::Result<[u8; 2 * size_of::<u64>()]> {
        let mut bytes = [MARK; 2 * size_of::<u64>()];
        for (part, bytes) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let place = (address + 8 * part as u64) as ptrace::AddressType;
            match ptrace::read(self.thread, place) {
                Ok(word) => *bytes = word.to_ne_bytes(),
                // The last instructions of a mapping are shorter.
                Err(_) if part > 0 => {}
                Err(error) => bail!("nothing can be read at {address:#x}: {error}"),
            }
        }
        const { assert!(LONGEST <= 2 * size_of::<u64>()) };
        Ok(bytes)
    }
}

/// The thread's restartable sequences (rseq(2)). The kernel restarts one at each stop, and a stepped thread stops at each instruction.
struct Sequences {
    /// Where the thread says in which sequence it is; `None` if it has not registered.
    place: Option<u64>,
}

/// `struct ptrace_rseq_configuration` of linux/ptrace.h.
#[repr(C)]
#[derive(Default)]
struct Configuration {
    pointer: u64,
    size: u32,
    signature: u32,
    flags: u32,
    padding: u32,
}

const PTRACE_GET_RSEQ_CONFIGURATION: libc::c_uint = 0x420f;
/// Of the field `rseq_cs` in `struct rseq`.
const OFFSET: u64 = 8;

impl Sequences {
    fn of(thread: Pid) -> anyhow::Result<Self> {
        let mut configuration = Configuration::default();
        // SAFETY: the kernel writes as many bytes as are named at most, which the structure has.
        let written = unsafe {
            libc::ptrace(
                PTRACE_GET_RSEQ_CONFIGURATION,
                thread.as_raw(),
                size_of::<Configuration>(),
                &raw mut configuration,
            )
        };
        let is_registered = written > 0 && configuration.pointer != 0;
        Ok(Self {
            place: is_registered.then_some(configuration.pointer + OFFSET),
        })
    }

    /// If the thread is at the beginning of a sequence, has the kernel not know that, so that the sequence is executed once, and whole.
    fn leave_alone(&self, thread: Pid, at: u64) -> anyhow::Result<()> {
        let Some(place) = self.place else {
            return Ok(());
        };
        let place = place as ptrace::AddressType;
        let sequence = ptrace::read(thread, place)? as u64;
        if sequence == 0 {
            return Ok(());
        }
        // struct rseq_cs: version and flags, start, length, abort handler.
        let start = ptrace::read(thread, (sequence + 8) as ptrace::AddressType)? as u64;
        let length = ptrace::read(thread, (sequence + 16) as ptrace::AddressType)? as u64;
        if (start..start + length).contains(&at) {
            ptrace::write(thread, place, 0)?;
        }
        Ok(())
    }
}

/// The value of a register by its number in instructions.
pub fn value(registers: &user_regs_struct, register: iced_x86::Register) -> Option<u64> {
    use iced_x86::Register as R;
    Some(match register.full_register() {
        R::RAX => registers.rax,
        R::RBX => registers.rbx,
        R::RCX => registers.rcx,
        R::RDX => registers.rdx,
        R::RSI => registers.rsi,
        R::RDI => registers.rdi,
        R::RBP => registers.rbp,
        R::RSP => registers.rsp,
        R::R8 => registers.r8,
        R::R9 => registers.r9,
        R::R10 => registers.r10,
        R::R11 => registers.r11,
        R::R12 => registers.r12,
        R::R13 => registers.r13,
        R::R14 => registers.r14,
        R::R15 => registers.r15,
        R::RIP => registers.rip,
        R::FS => registers.fs_base,
        R::GS => registers.gs_base,
        R::CS | R::DS | R::ES | R::SS => 0,
        _ => return None,
    })
}
