//! How the traced process marks the system calls that are to be counted.

/// The system call that serves as a mark: no lock makes it, it takes no arguments, and the kernel ignores any that it gets.
pub(super) const NUMBER: libc::c_long = libc::SYS_getppid;

/// First argument of a mark. A stray call of the same kind would not have it.
pub(super) const MAGIC: u64 = 0x6c6f_636b_746f_6c6c;

/// A moment in the traced process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// System calls count from here on.
    Begin,
    /// System calls no longer count.
    End,
}

impl Mark {
    /// Second argument of the marking call.
    fn argument(self) -> u64 {
        match self {
            Self::Begin => 1,
            Self::End => 2,
        }
    }

    /// Makes the marking call.
    pub(super) fn set(self) {
        // SAFETY: getppid has no precondition and ignores arguments.
        unsafe { libc::syscall(NUMBER, MAGIC, self.argument()) };
    }

    /// Returns the mark that a system call represents, if any.
    pub(super) fn of(number: u64, arguments: &[u64; 6]) -> Option<Self> {
        if number != NUMBER as u64 || arguments[0] != MAGIC {
            return None;
        }
        [Self::Begin, Self::End]
            .into_iter()
            .find(|mark| mark.argument() == arguments[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_calls_are_marks() {
        let number = NUMBER as u64;
        assert_eq!(Mark::of(number, &[MAGIC, 1, 0, 0, 0, 0]), Some(Mark::Begin));
        assert_eq!(Mark::of(number, &[MAGIC, 2, 9, 9, 9, 9]), Some(Mark::End));
        assert_eq!(Mark::of(number, &[MAGIC, 3, 0, 0, 0, 0]), None);
        assert_eq!(Mark::of(number, &[1, 1, 0, 0, 0, 0]), None);
        assert_eq!(Mark::of(number + 1, &[MAGIC, 1, 0, 0, 0, 0]), None);
    }
}
