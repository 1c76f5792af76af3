//! Nice values: a background's, and one raised while a lock is held.

use std::io;

use super::nice::set_nice;

/// What a background's threads run at, and by how much a holder is raised: the nice value that nice(1) gives by itself. By the
/// kernel's weights such a thread has about a tenth of the share of one at 0.
const STEPS: i32 = 10;

/// The range in which a thread can be raised and put back, for the one line that says so.
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
    /// For threads that run at `nice`, in the background or not: 10 nearer to -20 while they hold. At 0 nothing is set, so that
    /// they run as the calling thread does, which starts them: a whole program may have been started by nice(1).
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
    /// What setpriority(2) says: not permitted without CAP_SYS_NICE or a limit (RLIMIT_NICE) that reaches so far.
    pub fn raise(self) -> io::Result<()> {
        set_nice(self.raised)
    }

    /// Puts the calling thread back.
    ///
    /// # Errors
    /// What setpriority(2) says.
    pub fn put_back(self) -> io::Result<()> {
        set_nice(self.usual)
    }

    /// Why threads may not be raised here; `None` where they may. Tried in a thread that then ends.
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

/// A process whose competing threads run in the background; here each thread has a nice value of its own, so nothing is done to
/// the process.
#[derive(Debug)]
pub struct Background;

impl Background {
    /// Before the threads are made.
    ///
    /// # Errors
    /// None here.
    pub fn begin() -> io::Result<Self> {
        Ok(Self)
    }

    /// Puts the calling thread, which competes, into the background.
    ///
    /// # Errors
    /// What setpriority(2) says.
    pub fn compete() -> io::Result<()> {
        set_nice(BACKGROUND_NICE)
    }

    /// Keeps the calling thread, which does not compete, in the foreground: threads begin there.
    ///
    /// # Errors
    /// None here.
    pub fn stand_beside() -> io::Result<()> {
        Ok(())
    }
}

/// The priority of the calling thread in this system's own numbers: its nice value, less is more.
///
/// # Errors
/// What getpriority(2) says.
pub fn own_priority() -> io::Result<i32> {
    // SAFETY: errno is the calling thread's own; getpriority may return -1 without an error, so it is cleared before.
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
                // Refused to those without privileges.
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
