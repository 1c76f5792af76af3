//! Hooks around fork(2): the locks that other threads hold stay held in the child for ever.
//!
//! The calling thread's own locks are not noted: it exists in the child, and can release them there. That is what the handlers of
//! pthread_atfork(3) are for, which run inside the real function.

use libc::pid_t;

use crate::ledger::Ledger;
use crate::order;
use crate::real::Function;
use crate::recorder::Recorder;

type ForkFn = unsafe extern "C" fn() -> pid_t;

static FORK: Function<ForkFn> = Function::named(c"fork");

pub unsafe extern "C" fn fork(site: usize) -> pid_t {
    let Some(fork) = FORK.get() else {
        return -1;
    };
    // A process that has used no lock yet is not recorded for this.
    if Recorder::get().is_some_and(Recorder::is_on)
        && let Some(thread) = Ledger::open().and_then(|ledger| ledger.own)
    {
        order::note_fork(thread, site);
    }
    // SAFETY: H1.
    unsafe { fork() }
}
