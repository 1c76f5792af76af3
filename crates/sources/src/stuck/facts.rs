//! What a look finds out about each thread, before anything has a name.

use super::registers::Registers;
use super::threads::InCall;
use crate::futexes::Cut;

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its id here.
    pub tid: u32,
    /// Its id as the process itself sees it.
    pub own_tid: u32,
    /// Its name.
    pub name: String,
    /// The system call in which it sleeps; `None` if it runs.
    pub call: Option<InCall>,
    /// What that call's descriptor leads to.
    pub file: Option<String>,
    /// Its registers; `None` if it was not stopped.
    pub registers: Option<Registers>,
    /// Return addresses, innermost first.
    pub addresses: Vec<u64>,
    /// The function by which it entered the innermost library, if that is known.
    pub entered: Option<Entered>,
    /// Why the outermost are missing.
    pub cut: Option<WhyCut>,
}

/// The function by which a thread entered a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The index of the caller among the return addresses.
    pub before: usize,
    /// An address in the function, to be looked up like a return address.
    pub address: u64,
    /// Whether that function is not the library's own, but one of the same name that calls it.
    pub is_named_alike: bool,
}

/// Why the outermost calls of a stack are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyCut {
    /// The walk could not continue.
    Walk(Cut),
    /// The thread could not be stopped, since that would have ended its system call, or since it cannot be interrupted. So the
    /// frame pointer is not known.
    NotStopped,
    /// The thread did not stay where it was.
    Moved,
}

impl WhyCut {
    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Walk(Cut::TooDeep) => "there are more calls than are shown",
            Self::Walk(Cut::Unreadable) => "memory of the stack could not be read",
            Self::Walk(Cut::Unsupported) => {
                "the call frame information of a function cannot be used"
            }
            Self::Walk(Cut::NoFrame) => {
                "a function has neither call frame information nor a frame pointer"
            }
            Self::NotStopped => {
                "the thread was not stopped, since a stop would have ended its system call or had to wait for it"
            }
            Self::Moved => "the thread did not stay where it was",
        }
    }
}
