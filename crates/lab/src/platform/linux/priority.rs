//! Nice values: that of background threads, and one with more priority while a lock is held.

use std::io;

use super::nice::set_nice;

/// The nice value of background threads, and the number of steps by which a holder is raised: nice(1)'s default. By the kernel's
/// weights, such a thread gets about a tenth of the share of one at 0.
const STEPS: i32 = 10;

/// The range in which a thread can be raised and put back, for the one message that states it.
pub const RAISABLE_NICE: std::ops::RangeInclusive<i32> = STEPS - 20..=19;

/// The nice value of a background's threads.
pub const BACKGROUND_NICE: i32 = STEPS;

/// The calling thread's usual priority, and the one that it has while it holds the lock.
#[derive(Clone, Copy, Debug)]
pub struct Raised {
    usual: i32,
    raised: i32,
}

impl Raised {
    /// Returns the priorities for threads that run at `nice`, in the background or not: 10 nearer to -20 while they hold the
    /// lock. At 0 nothing is set, so that they run like the calling thread, which starts them: nice(1) may have started the whole
    /// program.
    pub fn over(nice: i32, background: bool) -> Self {
        let usual = match (background, nice) {
            (true, _) => BACKGROUND_NICE,
            (false, 0) => own_priority().unwrap_or(0),
            (false, nice) => nice,
        };
        Self {
            usual,
            raised: usual - STEPS,
        }
    }

    /// Raises the calling thread.
    ///
    /// # Errors
    /// Those of setpriority(2): not permitted without CAP_SYS_NICE or a high enough limit (RLIMIT_NICE).
    pub fn raise(self) -> io::Result<()> {
        set_nice(self.raised)
    }

    /// Puts the calling thread back.
    ///
    /// # Errors
    /// Those of setpriority(2).
    pub fn put_back(self) -> io::Result<()> {
        set_nice(self.usual)
    }

    /// Returns why threads may not be raised here; `None` where they may. Tries it in a thread that then ends.
    pub fn refused(self) -> Option<String> {
        let tried = std::thread::spawn(move || {
            self.put_back()?;
            self.raise()
        });
        let error = tried
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that tried it panicked")))
            .err()?;
        Some(match error.raw_os_error() {
            Some(libc::EACCES | libc::EPERM) => format!(
                "not permitted to raise a thread's priority from nice {} to nice {}: it takes CAP_SYS_NICE, or a limit of \
                 {} or more (ulimit -e)",
                self.usual,
                self.raised,
                20 - self.raised
            ),
            _ => format!("setpriority: {error}"),
        })
    }
}

/// A process whose competing threads run in the background. Here each thread has its own nice value, so the process is left
/// unchanged.
#[derive(Debug)]
pub struct Background;

impl Background {
    /// Begins the background; call this before the threads are made.
    ///
    /// # Errors
    /// None here.
    pub fn begin() -> io::Result<Self> {
        Ok(Self)
    }

    /// Puts the calling thread, which competes, into the background.
    ///
    /// # Errors
    /// Those of setpriority(2).
    pub fn compete() -> io::Result<()> {
        set_nice(BACKGROUND_NICE)
    }

    /// Keeps the calling thread, which does not compete, in the foreground, where threads begin.
    ///
    /// # Errors
    /// None here.
    pub fn stand_beside() -> io::Result<()> {
        Ok(())
    }
}

/// Returns the priority of the calling thread in this system's own numbers: its nice value, where less means more priority.
///
/// # Errors
/// Those of getpriority(2).
pub fn own_priority() -> io::Result<i32> {
    // SAFETY: errno is the calling thread's own; getpriority may return -1 without an error, so errno is cleared before.
    unsafe { *libc::__errno_location() = 0 };
    // SAFETY: no memory is passed; `who` 0 with PRIO_PROCESS is the calling thread on Linux.
    let nice = unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) };
    let error = io::Error::last_os_error();
    match (nice, error.raw_os_error()) {
        (-1, Some(number)) if number != 0 => Err(error),
        _ => Ok(nice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_a_thread<T: Send + 'static>(body: impl FnOnce() -> T + Send + 'static) -> T {
        std::thread::spawn(body).join().expect("does not panic")
    }

    #[test]
    fn a_background_thread_is_one_that_nice_would_make_and_its_maker_stays_as_it_is() {
        let before = own_priority().unwrap();
        let inside = in_a_thread(|| {
            Background::compete().unwrap();
            own_priority().unwrap()
        });
        assert_eq!((inside, own_priority().unwrap()), (BACKGROUND_NICE, before));
    }

    #[test]
    fn a_thread_without_a_nice_value_of_its_own_is_put_back_to_its_makers() {
        let (maker, put_back) = in_a_thread(|| {
            let maker = own_priority().unwrap().min(18) + 1;
            set_nice(maker).unwrap();
            let raised = Raised::over(0, false);
            let put_back = in_a_thread(move || {
                // Without privileges, this is refused.
                let _ = raised.raise();
                let done = raised.put_back();
                (done.is_ok(), own_priority().unwrap())
            });
            (maker, put_back)
        });
        assert_eq!(put_back, (true, maker));
    }

    #[test]
    fn a_refusal_is_what_the_kernel_says_of_the_same_call() {
        let raised = Raised::over(0, false);
        let kernel = in_a_thread(move || raised.raise().map(|()| own_priority().unwrap()));
        match (raised.refused(), kernel) {
            // The kernel stops at -20.
            (None, Ok(nice)) => assert_eq!(nice, raised.raised.max(-20)),
            (Some(line), Err(_)) => assert!(
                line.contains("CAP_SYS_NICE") && !line.contains('\n'),
                "{line}"
            ),
            (line, kernel) => panic!("{line:?} where the kernel says {kernel:?}"),
        }
    }
}
