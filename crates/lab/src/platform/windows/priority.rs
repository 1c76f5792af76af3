//! Priority classes and thread levels: those of background threads, and a higher level while a lock is held.

use std::io;

use windows_sys::Win32::System::Threading::{
    BELOW_NORMAL_PRIORITY_CLASS, GetCurrentProcess, GetCurrentThread, GetPriorityClass,
    GetThreadPriority, SetPriorityClass, SetThreadPriority, THREAD_PRIORITY_HIGHEST,
    THREAD_PRIORITY_NORMAL,
};

/// The value that GetThreadPriority returns when it fails (winbase.h: MAXLONG).
const THREAD_PRIORITY_ERROR_RETURN: i32 = i32::MAX;

/// The nice values from which a thread can be raised: only 0 on this system.
pub const RAISABLE_NICE: std::ops::RangeInclusive<i32> = 0..=0;

/// The calling thread's usual priority, and the one that it has while it holds the lock: two levels higher, so that a background
/// thread (6) gets the level of other programs' threads (8) while it holds. Documented in "Scheduling Priorities".
#[derive(Clone, Copy, Debug)]
pub struct Raised(());

impl Raised {
    /// Returns the priorities for threads in the background or not; levels are relative to their class.
    pub fn over(_nice: i32, _background: bool) -> Self {
        Self(())
    }

    /// Raises the calling thread, as TimeMutex did (Hart, 1998).
    ///
    /// # Errors
    /// Those of SetThreadPriority.
    pub fn raise(self) -> io::Result<()> {
        set_level(THREAD_PRIORITY_HIGHEST)
    }

    /// Puts the calling thread back.
    ///
    /// # Errors
    /// Those of SetThreadPriority.
    pub fn put_back(self) -> io::Result<()> {
        set_level(THREAD_PRIORITY_NORMAL)
    }

    /// Returns why threads may not be raised here; `None` where they may. Tries it in a thread that then ends.
    pub fn refused(self) -> Option<String> {
        let tried = std::thread::spawn(move || self.raise());
        let error = tried
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the thread that tried it panicked")))
            .err()?;
        Some(format!("SetThreadPriority: {error}"))
    }
}

/// A process in the background: in the class below normal, until this is dropped.
///
/// Its levels range from 4 to 8. The highest is the level of other programs' threads, so the threads that do not compete get it,
/// as if they belonged to another program.
#[derive(Debug)]
pub struct Background {
    before: u32,
}

impl Background {
    /// Puts the process into the background, and keeps the calling thread where it was: it must end the slice on time.
    ///
    /// # Errors
    /// Those of SetPriorityClass and SetThreadPriority.
    pub fn begin() -> io::Result<Self> {
        // SAFETY: a pseudo handle, always valid.
        let before = unsafe { GetPriorityClass(GetCurrentProcess()) };
        if before == 0 {
            return Err(io::Error::last_os_error());
        }
        set_class(BELOW_NORMAL_PRIORITY_CLASS)?;
        let begun = Self { before };
        Self::stand_beside()?;
        Ok(begun)
    }

    /// Does nothing: the calling thread, which competes, is in the background because its process is.
    ///
    /// # Errors
    /// None here.
    pub fn compete() -> io::Result<()> {
        Ok(())
    }

    /// Keeps the calling thread, which does not compete, in the foreground.
    ///
    /// # Errors
    /// Those of SetThreadPriority.
    pub fn stand_beside() -> io::Result<()> {
        set_level(THREAD_PRIORITY_HIGHEST)
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // The slice is over and its figures are taken. A failure could only leave the next slice in the wrong class, and that
        // slice reports it.
        let _ = set_class(self.before).and_then(|()| set_level(THREAD_PRIORITY_NORMAL));
    }
}

/// Returns the priority of the calling thread in this system's own numbers: its level, where more means more priority.
///
/// # Errors
/// Those of GetThreadPriority.
pub fn own_priority() -> io::Result<i32> {
    // SAFETY: a pseudo handle, always valid.
    match unsafe { GetThreadPriority(GetCurrentThread()) } {
        THREAD_PRIORITY_ERROR_RETURN => Err(io::Error::last_os_error()),
        level => Ok(level),
    }
}

fn set_level(level: i32) -> io::Result<()> {
    // SAFETY: a pseudo handle, always valid.
    match unsafe { SetThreadPriority(GetCurrentThread(), level) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

fn set_class(class: u32) -> io::Result<()> {
    // SAFETY: a pseudo handle, always valid.
    match unsafe { SetPriorityClass(GetCurrentProcess(), class) } {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_raised_and_put_back() {
        let levels = std::thread::spawn(|| {
            let raised = Raised::over(0, false);
            let before = own_priority().unwrap();
            raised.raise().unwrap();
            let inside = own_priority().unwrap();
            raised.put_back().unwrap();
            [before, inside, own_priority().unwrap()]
        });
        let (normal, highest) = (THREAD_PRIORITY_NORMAL, THREAD_PRIORITY_HIGHEST);
        assert_eq!(levels.join().unwrap(), [normal, highest, normal]);
    }

    #[test]
    fn a_background_is_a_class_of_the_process_that_ends_with_it() {
        // SAFETY: a pseudo handle, always valid.
        let class = || unsafe { GetPriorityClass(GetCurrentProcess()) };
        let before = class();
        let background = Background::begin().unwrap();
        assert_eq!(class(), BELOW_NORMAL_PRIORITY_CLASS);
        drop(background);
        assert_eq!(class(), before);
    }
}
