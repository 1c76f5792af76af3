//! The registers of a thread, as the kernel writes them for a tracer and into a core file (`NT_PRSTATUS`).

use std::mem::MaybeUninit;

/// The registers that matter here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// The next instruction.
    pub ip: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The frame pointer.
    pub bp: u64,
    /// The number of the system call in which the thread is or was, if the registers show one.
    pub call: Option<i64>,
    /// The result of that call: an error that no program sees, if it was interrupted. Zero on aarch64, where the register has the
    /// first argument again.
    pub result: i64,
    /// The arguments of that call.
    pub arguments: [u64; 6],
    /// The address of the thread's control block, which some locks store as their holder.
    pub thread_pointer: u64,
}

impl Registers {
    /// Takes them from the kernel's structure (`struct user_regs_struct`) of x86-64; `None` if it is shorter.
    pub fn of_x86_64(words: &[u64]) -> Option<Self> {
        let &[
            _r15,
            _r14,
            _r13,
            _r12,
            bp,
            _bx,
            _r11,
            r10,
            r9,
            r8,
            ax,
            _cx,
            dx,
            si,
            di,
            orig_ax,
            ip,
            _cs,
            _flags,
            sp,
            _ss,
            fs_base,
            ..,
        ] = words
        else {
            return None;
        };
        let call = orig_ax.cast_signed();
        Some(Self {
            ip,
            sp,
            bp,
            call: (call >= 0).then_some(call),
            result: ax.cast_signed(),
            arguments: [di, si, dx, r10, r8, r9],
            thread_pointer: fs_base,
        })
    }

    /// The same for aarch64 (`struct user_pt_regs`). The number of a system call is in x8, whether or not the thread is in one.
    pub fn of_aarch64(words: &[u64]) -> Option<Self> {
        let general = words.get(..31)?;
        let (sp, ip) = (*words.get(31)?, *words.get(32)?);
        let mut arguments = [0; 6];
        arguments.copy_from_slice(&general[..6]);
        Some(Self {
            ip,
            sp,
            bp: general[29],
            call: i64::try_from(general[8]).ok(),
            result: 0,
            arguments,
            thread_pointer: 0,
        })
    }

    /// The same for the architecture of this program.
    pub fn of_own(words: &[u64]) -> Option<Self> {
        match cfg!(target_arch = "aarch64") {
            true => Self::of_aarch64(words),
            false => Self::of_x86_64(words),
        }
    }
}

/// `NT_PRSTATUS`.
const NT_PRSTATUS: usize = 1;
/// More than any architecture has.
const WORDS: usize = 64;

/// Reads the registers of a thread that is stopped; `None` if it is not.
pub fn read(thread: libc::pid_t) -> Option<Registers> {
    let mut words = [MaybeUninit::<u64>::zeroed(); WORDS];
    let mut place = libc::iovec {
        iov_base: words.as_mut_ptr().cast(),
        iov_len: size_of_val(&words),
    };
    // SAFETY: the kernel writes at most `iov_len` bytes to `words`, and their number to `place`.
    let result =
        unsafe { libc::ptrace(libc::PTRACE_GETREGSET, thread, NT_PRSTATUS, &raw mut place) };
    // SAFETY: the words were zeros from the beginning.
    let words = words.map(|word| unsafe { word.assume_init() });
    let length = place.iov_len / size_of::<u64>();
    (result == 0).then(|| Registers::of_own(words.get(..length)?))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_lie_where_the_kernel_puts_them() {
        let words: Vec<u64> = (100..127).collect();
        let found = Registers::of_x86_64(&words).unwrap();
        assert_eq!((found.ip, found.sp, found.bp), (116, 119, 104));
        assert_eq!(found.call, Some(115));
        assert_eq!(found.arguments, [114, 113, 112, 107, 109, 108]);
        assert_eq!(found.thread_pointer, 121);
        assert_eq!(Registers::of_x86_64(&words[..21]), None);
        let words: Vec<u64> = (100..134).collect();
        let found = Registers::of_aarch64(&words).unwrap();
        assert_eq!((found.ip, found.sp, found.bp), (132, 131, 129));
        assert_eq!((found.call, found.arguments[5]), (Some(108), 105));
    }
}
