//! Which CPUs a thread may run on (sched_setaffinity(2)).
//!
//! 1. A mask is a buffer of whole words whose true size in bytes is passed along with it, so the
//!    kernel reads and writes only inside.

use std::io;

type Word = libc::c_ulong;
const WORD_BITS: usize = Word::BITS as usize;

/// The largest mask tried: 2^16 CPUs, eight times what Linux can be configured for.
const MOST_WORDS: usize = (1 << 16) / WORD_BITS;

/// Returns the CPUs that the calling thread may run on, in ascending order; at least one.
///
/// # Errors
/// The kernel's error, if it refuses to report them.
pub fn usable_cpus() -> io::Result<Vec<usize>> {
    own_mask().map(|mask| set_bits(&mask))
}

fn own_mask() -> io::Result<Vec<Word>> {
    let mut mask: Vec<Word> = vec![0; 1024 / WORD_BITS];
    loop {
        let bytes = size_of_val(mask.as_slice());
        // SAFETY: invariant 1. Thread 0 is the calling thread.
        let result = unsafe { libc::sched_getaffinity(0, bytes, mask.as_mut_ptr().cast()) };
        if result == 0 {
            return Ok(mask);
        }
        let error = io::Error::last_os_error();
        // EINVAL: the kernel's own mask is larger than this one.
        if error.raw_os_error() != Some(libc::EINVAL) || mask.len() >= MOST_WORDS {
            return Err(error);
        }
        mask = vec![0; mask.len() * 2];
    }
}

fn set_bits(mask: &[Word]) -> Vec<usize> {
    (0..mask.len() * WORD_BITS)
        .filter(|cpu| mask[cpu / WORD_BITS] & (1 << (cpu % WORD_BITS)) != 0)
        .collect()
}

/// Pins the calling thread to `cpu`.
///
/// # Errors
/// `InvalidInput` when there is no such CPU or the process may not use it.
pub fn pin_current_thread(cpu: usize) -> io::Result<()> {
    pin_thread(CALLING_THREAD, cpu)
}

/// Moves a thread, by its id, to one CPU. It may belong to another process of the same user.
///
/// # Errors
/// The errors of [`pin_current_thread`]; `ESRCH` if there is no such thread.
pub fn pin_thread(thread: libc::pid_t, cpu: usize) -> io::Result<()> {
    let words = cpu / WORD_BITS + 1;
    if words > MOST_WORDS {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    let mut mask: Vec<Word> = vec![0; words];
    mask[cpu / WORD_BITS] = 1 << (cpu % WORD_BITS);
    set_mask(thread, &mask)
}

/// The id by which sched_setaffinity(2) means the calling thread.
const CALLING_THREAD: libc::pid_t = 0;

fn set_own_mask(mask: &[Word]) -> io::Result<()> {
    set_mask(CALLING_THREAD, mask)
}

fn set_mask(thread: libc::pid_t, mask: &[Word]) -> io::Result<()> {
    // SAFETY: invariant 1.
    let result =
        unsafe { libc::sched_setaffinity(thread, size_of_val(mask), mask.as_ptr().cast()) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// A thread that stays on one CPU for a while.
pub struct Stay {
    before: Vec<Word>,
}

impl Stay {
    /// Moves the calling thread to `cpu`. `None` if it may not go there: then nothing is changed.
    pub fn on(cpu: usize) -> Option<Self> {
        let before = own_mask().ok()?;
        pin_current_thread(cpu).ok()?;
        Some(Self { before })
    }

    /// Lets the calling thread run wherever it might before.
    ///
    /// # Errors
    /// The kernel's error, if all those CPUs are gone.
    pub fn end(self) -> io::Result<()> {
        set_own_mask(&self.before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_become_numbers() {
        assert_eq!(set_bits(&[0b101, 1]), [0, 2, WORD_BITS]);
    }

    #[test]
    fn a_pinned_thread_is_where_it_was_put() {
        for cpu in usable_cpus().unwrap() {
            let seen = std::thread::spawn(move || {
                pin_current_thread(cpu).unwrap();
                usable_cpus().unwrap()
            });
            assert_eq!(seen.join().unwrap(), [cpu]);
        }
    }

    #[test]
    fn a_thread_that_stayed_may_go_everywhere_again() {
        let usable = usable_cpus().unwrap();
        let seen = std::thread::spawn(|| {
            let stay = Stay::on(usable_cpus().unwrap()[0]).unwrap();
            let during = usable_cpus().unwrap();
            stay.end().unwrap();
            (during.len(), usable_cpus().unwrap())
        });
        assert_eq!(seen.join().unwrap(), (1, usable));
        assert!(Stay::on(60_000).is_none());
    }

    #[test]
    fn a_cpu_that_does_not_exist_is_an_error() {
        let before = usable_cpus().unwrap();
        for cpu in [60_000, usize::MAX / 2] {
            let error = pin_current_thread(cpu).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
        }
        assert_eq!(usable_cpus().unwrap(), before);
    }
}
