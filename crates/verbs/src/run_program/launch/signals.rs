//! Signals that reach locktoll while the program runs.
//!
//! The terminal sends Ctrl-C and Ctrl-\ to the whole foreground group, so the program gets them directly; locktoll only has to
//! outlive it. A signal that a process sent to locktoll was meant for the program. Ctrl-Z needs no handling: both stop together
//! and continue together.
//!
//! Once the program has ended, a signal is meant for locktoll and ends it, unless its current work can be cut short.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::event::{PollFd, PollFlags, poll};

/// Signals that are passed on. The first four end a program by default, and are the ones that people and service managers send;
/// programs give the last two their own meaning.
const FORWARDED: [libc::c_int; 6] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
];

/// While this lives, the signals above do not end this process by their default action: they are held back, to be passed on to
/// the program.
///
/// Invariants:
/// - S1: the signals in [`FORWARDED`] are blocked in the thread that called [`hold`](Self::hold)
///   and in those it starts later, until it is dropped.
/// - S2: a held signal is taken and dealt with under the lock of `state`, in one step. So a signal that was sent before the
///   program's end was seen is never mistaken for one that came after.
pub struct Signals {
    before: libc::sigset_t,
    shared: Arc<Shared>,
}

struct Shared {
    /// A signalfd(2): readable while a held signal is pending.
    held: OwnedFd,
    state: Mutex<State>,
    /// Whether work that can be cut short should be. Relaxed everywhere: the flag carries no data.
    cut_short: AtomicBool,
}

struct State {
    /// The program, while it runs.
    program: Option<libc::pid_t>,
    /// Signals that came while it ran.
    seen: Vec<u32>,
    /// Whether the current work can be cut short.
    can_be_cut_short: bool,
}

/// Whether the user wants the current work to be cut short.
pub struct CutShort<'a>(&'a AtomicBool);

impl CutShort<'_> {
    /// Whether a signal asked for it.
    pub fn requested(&self) -> bool {
        self.0.load(Relaxed)
    }
}

impl Signals {
    /// Holds back the signals from now on.
    pub fn hold() -> io::Result<Self> {
        let held = held_back()?;
        let before = change_mask(libc::SIG_BLOCK, &forwarded())?;
        Ok(Self {
            before,
            shared: Arc::new(Shared {
                held,
                state: Mutex::new(State {
                    program: None,
                    seen: Vec::new(),
                    can_be_cut_short: false,
                }),
                cut_short: AtomicBool::new(false),
            }),
        })
    }

    /// Returns the earlier signal mask, with which the program is to start.
    pub fn mask_before(&self) -> libc::sigset_t {
        self.before
    }

    /// Passes on to `program` the signals that were sent and those that will be.
    pub fn forward_to(&self, program: libc::pid_t) -> io::Result<()> {
        self.shared.lock().program = Some(program);
        let shared = Arc::clone(&self.shared);
        // Nobody joins this thread: it waits for signals until the process ends.
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || while shared.pass_on().is_ok() {})?;
        Ok(())
    }

    /// Notes that the program has ended and is about to be reaped: its process id must not be signalled any more. The signals
    /// sent until now were for the program; from now on a signal is meant for us.
    pub fn program_ended(&self) {
        let mut state = self.shared.lock();
        while let Some(signal) = self.shared.take() {
            state.seen.push(signal.ssi_signo);
        }
        state.program = None;
    }

    /// Does `work`. A signal does not end us during it, but asks it to finish early.
    pub fn while_it_can_be_cut_short<T>(&self, work: impl FnOnce(&CutShort<'_>) -> T) -> T {
        self.shared.lock().can_be_cut_short = true;
        let done = work(&CutShort(&self.shared.cut_short));
        self.shared.lock().can_be_cut_short = false;
        done
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        // The mask is a valid set, so that this cannot fail.
        let _ = change_mask(libc::SIG_SETMASK, &self.before);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // The state is never left half written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a signal and passes it on, cuts the work short, or ends this process.
    fn pass_on(&self) -> io::Result<()> {
        let mut waiting = [PollFd::new(&self.held, PollFlags::IN)];
        match poll(&mut waiting, None) {
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
        let mut state = self.lock();
        let Some(signal) = self.take() else {
            return Ok(());
        };
        let number = signal.ssi_signo;
        let Some(program) = state.program else {
            // `timeout` sends its signal twice, to us and to our group: the second one is not new.
            match state.seen.iter().position(|&seen| seen == number) {
                Some(position) => drop(state.seen.swap_remove(position)),
                None if state.can_be_cut_short && !self.cut_short.swap(true, Relaxed) => {}
                None => end_by(number as libc::c_int),
            }
            return Ok(());
        };
        state.seen.push(number);
        if signal.ssi_code != libc::SI_KERNEL {
            // SAFETY: no memory is involved; the program is not reaped, since `state` is locked.
            unsafe { libc::kill(program, number as libc::c_int) };
        }
        Ok(())
    }

    /// Takes a pending signal, if there is one.
    fn take(&self) -> Option<libc::signalfd_siginfo> {
        let mut taken = MaybeUninit::<libc::signalfd_siginfo>::uninit();
        let bytes = size_of_val(&taken);
        // SAFETY: the pointer is to that many writable bytes.
        let read = unsafe { libc::read(self.held.as_raw_fd(), taken.as_mut_ptr().cast(), bytes) };
        // SAFETY: filled in whole; every bit pattern is a valid value.
        (read == bytes as isize).then(|| unsafe { taken.assume_init() })
    }
}

fn held_back() -> io::Result<OwnedFd> {
    let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
    // SAFETY: the set is a live value; -1 asks for a new descriptor.
    let fd = unsafe { libc::signalfd(-1, &forwarded(), flags) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just made, and owned by nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Ends this process as the signal would have ended it.
fn end_by(signal: libc::c_int) -> ! {
    // SAFETY: SIG_DFL is not a function that could run; no memory is involved otherwise.
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
    // SAFETY: sigemptyset(3) fills in the set; the signals are valid ones.
    unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in FORWARDED {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        set.assume_init()
    }
}

/// Changes this thread's signal mask and returns the earlier one.
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
