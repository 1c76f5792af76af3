//! Signals that reach us while the program runs.
//!
//! The terminal sends Ctrl-C and Ctrl-\ to the whole foreground group, so that the program gets
//! them without us; we only have to outlive it. A signal that a process sent to us was meant for
//! the program. Ctrl-Z needs nothing: we stop together, and go on together.

use std::io;
use std::mem::MaybeUninit;
use std::sync::{Arc, Mutex, PoisonError};

/// Signals that are passed on. The first four end a program by default, and are the ones that
/// people and service managers send; the last two are programs' own.
const FORWARDED: [libc::c_int; 6] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
];

/// While this lives, the signals above do not end this thread's process by the default action:
/// they are held back, for the program to be told.
///
/// Invariant S1: the signals in [`FORWARDED`] are blocked in the thread that called
/// [`hold`](Self::hold) and in those it starts later, until it is dropped.
pub struct Signals {
    before: libc::sigset_t,
    program: Arc<Mutex<Option<libc::pid_t>>>,
}

impl Signals {
    /// Holds the signals back from now on.
    pub fn hold() -> io::Result<Self> {
        let before = change_mask(libc::SIG_BLOCK, &forwarded())?;
        Ok(Self {
            before,
            program: Arc::new(Mutex::new(None)),
        })
    }

    /// The mask from before, which the program is to start with.
    pub fn mask_before(&self) -> libc::sigset_t {
        self.before
    }

    /// Passes on to `program` what was sent and will be sent.
    pub fn forward_to(&self, program: libc::pid_t) -> io::Result<()> {
        *lock(&self.program) = Some(program);
        let shared = Arc::clone(&self.program);
        // Nobody joins this thread: it waits for signals until the process ends.
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || while pass_on(&shared).is_ok() {})?;
        Ok(())
    }

    /// The program has ended, and is about to be reaped: its process id must not be signalled any
    /// more. From now on a signal is meant for us.
    pub fn program_ended(&self) {
        *lock(&self.program) = None;
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        self.program_ended();
        // The mask is a valid set, so that this cannot fail.
        let _ = change_mask(libc::SIG_SETMASK, &self.before);
    }
}

/// Waits for one signal and does what is right with it.
fn pass_on(program: &Mutex<Option<libc::pid_t>>) -> io::Result<()> {
    let mut info = MaybeUninit::<libc::siginfo_t>::uninit();
    // SAFETY: both pointers are to live values of the right types.
    let signal = unsafe { libc::sigwaitinfo(&forwarded(), info.as_mut_ptr()) };
    if signal < 0 {
        let error = io::Error::last_os_error();
        return match error.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            _ => Err(error),
        };
    }
    // SAFETY: sigwaitinfo(2) has filled it in, for it returned a signal.
    let info = unsafe { info.assume_init() };
    // Held while signalling, so that the program cannot be reaped in between.
    match *lock(program) {
        Some(pid) if info.si_code != libc::SI_KERNEL => {
            // SAFETY: no memory is involved.
            unsafe { libc::kill(pid, signal) };
        }
        Some(_) => {}
        None => end_by(signal),
    }
    Ok(())
}

/// Ends this process as the signal would have done.
fn end_by(signal: libc::c_int) -> ! {
    // SAFETY: SIG_DFL is no function that could run; no memory is involved otherwise.
    unsafe {
        libc::signal(signal, libc::SIG_DFL);
        let mut only = forwarded();
        libc::sigemptyset(&mut only);
        libc::sigaddset(&mut only, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &only, std::ptr::null_mut());
        libc::raise(signal);
    }
    std::process::exit(128 + signal)
}

fn forwarded() -> libc::sigset_t {
    let mut set = MaybeUninit::uninit();
    // SAFETY: sigemptyset(3) fills the set in; the signals are valid ones.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in FORWARDED {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

/// Changes this thread's signal mask and returns the one from before.
fn change_mask(how: libc::c_int, set: &libc::sigset_t) -> io::Result<libc::sigset_t> {
    let mut before = MaybeUninit::uninit();
    // SAFETY: both pointers are to live sets; the second is filled in on success.
    unsafe {
        match libc::pthread_sigmask(how, set, before.as_mut_ptr()) {
            0 => Ok(before.assume_init()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A process id is never left half written.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
