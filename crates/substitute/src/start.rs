//! The beginning: which lock was chosen, and where each name goes because of it.

use core::ffi::CStr;
use core::ptr::null_mut;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use rustix::fs::{Mode, OFlags, fstat, open};
use rustix::mm::{MapFlags, ProtFlags, mmap};

use crate::candidate::{self, Algorithm, Candidate, for_each_algorithm};
use crate::entries::{self, COUNT};
use crate::environment::variable;
use crate::in_place::InPlace;
use crate::tally::{BYTES, Tally};
use crate::{condition, generation, in_place, mutex, only, real, rwlock, spin, waiting, warning};

/// The environment variable with the candidate's name.
const LOCK_VARIABLE: &CStr = c"LOCKTOLL_LOCK";

/// The environment variable with the places whose locks alone are replaced.
const ONLY_VARIABLE: &CStr = c"LOCKTOLL_ONLY";

/// The environment variable with the path of the file to count in.
const TALLY_VARIABLE: &CStr = c"LOCKTOLL_TALLY";

/// Where this process counts; null where it does not.
static TALLY: AtomicPtr<Tally> = AtomicPtr::new(null_mut());

/// Where to count, if anywhere.
pub fn tally() -> Option<&'static Tally> {
    // Acquire: the mapping was made before its address was stored.
    let tally = TALLY.load(Acquire);
    // SAFETY: null, or a mapping of the file (T1) that is never unmapped.
    unsafe { tally.as_ref() }
}

/// Called by the first call of all that reaches us, and by every other that comes before the table has been filled.
pub extern "C" fn begin() {
    real::look_up_all();
    open_tally();
    let only_is_understood = variable(ONLY_VARIABLE).is_none_or(only::read);
    let is_ready = generation::start() && condition::start() && only_is_understood;
    let name = variable(LOCK_VARIABLE);
    let chosen = name.map(|name| candidate::parse(name.to_bytes()));
    if let (Some(name), Some(Err(why))) = (name, chosen) {
        warning::unknown(name, why);
    }
    match (is_ready, chosen) {
        (true, Some(Ok(chosen))) => replace(chosen),
        // Nothing was asked for.
        (true, None) => {}
        (false, _) | (true, Some(Err(_))) => {
            if let Some(tally) = tally() {
                // Relaxed: a count.
                tally.failures.fetch_add(1, Relaxed);
            }
        }
    }
    pass_the_rest_through();
}

/// Begins when the library is loaded, unless a call came earlier: a program that takes no lock is counted, too, and so told
/// from one that was never under us.
#[cfg(all(feature = "interpose", not(test)))]
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

#[cfg(all(feature = "interpose", not(test)))]
extern "C" fn at_load() {
    if tally().is_none() {
        begin();
    }
}

/// Sends the names that the chosen lock replaces to ours.
fn replace(chosen: Candidate) {
    macro_rules! replace {
        ($($algorithm:ident,)+) => {
            match chosen.algorithm {
                Algorithm::PassThrough => return,
                $(Algorithm::$algorithm => {
                    <in_place::$algorithm as InPlace>::prepare();
                    mutex::replace_with::<in_place::$algorithm>(chosen.parameter);
                })+
            }
        };
    }
    for_each_algorithm!(replace);
    condition::replace();
    if chosen.algorithm == Algorithm::Gate {
        rwlock::leave();
        spin::leave();
        return;
    }
    waiting::choose(chosen);
    if only::is_on() {
        rwlock::replace_only();
        spin::replace_only();
    } else {
        rwlock::replace();
        spin::replace();
    }
}

/// Sends every name that was not sent to us to the C library. Never the other way round: a thread that came as early may
/// have acquired a lock of ours already, and must release it as one.
fn pass_the_rest_through() {
    for index in 0..COUNT {
        let function = real::address(index);
        // Whoever calls what is still being looked up, which is nobody but a thread that started at the same moment, comes
        // here again.
        if !function.is_null() {
            // SAFETY: E1: the real function of that name.
            unsafe { entries::send_unless_sent(index, function) };
        }
    }
}

/// Maps the file to count in, if there is one. Without it nothing is counted, and the program runs as ordered.
fn open_tally() {
    if tally().is_some() {
        return;
    }
    let Some(path) = variable(TALLY_VARIABLE) else {
        return;
    };
    // By system calls alone: the C library's functions are cancellation points, and change `errno`.
    let Ok(file) = open(path, OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()) else {
        return;
    };
    // Counting behind the end of a shorter file would be the program's death by SIGBUS.
    if !fstat(&file)
        .is_ok_and(|it| u64::try_from(it.st_size).is_ok_and(|size| size >= BYTES as u64))
    {
        return;
    }
    let protection = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: an address that the kernel chooses; the length is that of the file (T1).
    let memory = unsafe { mmap(null_mut(), BYTES, protection, MapFlags::SHARED, &file, 0) };
    if let Ok(memory) = memory {
        // Release: pairs with the acquire in `tally`.
        TALLY.store(memory.cast(), Release);
    }
}
