//! Windows' counts for one thread, for all threads, and for children.
//!
//! The account of a thread's time advances in whole clock ticks. Each tick is charged to the thread that runs at that moment
//! (GetThreadTimes). The account is right over many ticks, and says nothing within one. The API does not report a thread's
//! context switches.

use std::os::windows::io::AsRawHandle;
use std::process::Child;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use windows_sys::Win32::Foundation::{FILETIME, HANDLE};
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAdjustment;
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetCurrentThread, GetProcessTimes, GetThreadTimes,
};
use windows_sys::core::BOOL;

use super::file_time::{UNIT_NS, units};
use crate::platform::SwitchesAndCpu;

/// GetThreadTimes and GetProcessTimes: creation, exit, kernel and user time of the handle's thread or process.
type Times = unsafe extern "system" fn(
    HANDLE,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
    *mut FILETIME,
) -> BOOL;

/// The clock tick assumed where the machine's own cannot be read: Windows' default.
const USUAL_TICK_NS: u64 = 15_625_000;

/// CPU time of children that have ended.
static CHILDREN_NS: AtomicU64 = AtomicU64::new(0);

/// Returns the calling thread's account, since its start.
pub fn of_this_thread() -> SwitchesAndCpu {
    // SAFETY: takes nothing; a handle that needs no closing.
    account(GetThreadTimes, unsafe { GetCurrentThread() })
}

/// Returns the account of all threads of this process.
pub fn of_this_process() -> SwitchesAndCpu {
    // SAFETY: as above.
    account(GetProcessTimes, unsafe { GetCurrentProcess() })
}

fn account(times: Times, whose: HANDLE) -> SwitchesAndCpu {
    let [mut created, mut ended, mut kernel, mut user] = [FILETIME::default(); 4];
    // SAFETY: four places of our own for the four results, and a handle that the caller holds.
    let told = unsafe {
        times(
            whose,
            &raw mut created,
            &raw mut ended,
            &raw mut kernel,
            &raw mut user,
        )
    } != 0;
    let ns = |time| told.then(|| units(time) * UNIT_NS);
    SwitchesAndCpu {
        operations: 0,
        user_ns: ns(user),
        system_ns: ns(kernel),
        voluntary_switches: None,
        involuntary_switches: None,
    }
}

/// Returns the step in which a thread's account advances, in nanoseconds: the clock tick.
pub fn account_grain_ns() -> u64 {
    static GRAIN_NS: OnceLock<u64> = OnceLock::new();
    *GRAIN_NS.get_or_init(|| {
        let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
        // SAFETY: three places of our own for the results.
        let told = unsafe {
            GetSystemTimeAdjustment(&raw mut adjustment, &raw mut increment, &raw mut disabled)
        } != 0;
        if told && increment > 0 {
            u64::from(increment) * UNIT_NS
        } else {
            USUAL_TICK_NS
        }
    })
}

/// Returns the CPU time of this process and of the children passed to [`account_for_child`].
pub fn cpu_time_with_children() -> Duration {
    let own_ns = of_this_process().cpu_ns().unwrap_or(0);
    // Relaxed: the value is only a sum; no other data depends on it.
    Duration::from_nanos(own_ns + CHILDREN_NS.load(Relaxed))
}

/// Adds the CPU time of a child that has ended: Windows adds nothing to its parent's account.
pub fn account_for_child(child: &Child) {
    let used_ns = account(GetProcessTimes, child.as_raw_handle()).cpu_ns();
    // Relaxed: as above.
    CHILDREN_NS.fetch_add(used_ns.unwrap_or(0), Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, spin};

    #[test]
    fn work_shows_in_the_thread_and_in_the_process() {
        let enough_ns = 3 * account_grain_ns();
        let (thread, process) = (of_this_thread(), of_this_process());
        let clock = Clock::get();
        // Only for an account that stands still: the test must still end.
        let give_up = clock.now() + clock.ticks(60e9);
        while of_this_thread().cpu_ns().unwrap() - thread.cpu_ns().unwrap() < enough_ns {
            assert!(clock.now() < give_up, "the account does not advance");
            spin(200_000);
        }
        let process_ns = of_this_process().cpu_ns().unwrap() - process.cpu_ns().unwrap();
        assert!(process_ns + account_grain_ns() >= enough_ns, "{process_ns}");
        assert_eq!(of_this_thread().switches(), None);
    }

    #[test]
    fn a_child_that_has_ended_is_accounted_for() {
        let mut child = crate::platform::this_program()
            .unwrap()
            .args(["--exact", CHILD])
            .env(WORKS, "1")
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        assert!(child.wait().unwrap().success());
        // Only the children's time: the test's own threads work on meanwhile.
        let before = CHILDREN_NS.load(Relaxed);
        account_for_child(&child);
        let used_ns = CHILDREN_NS.load(Relaxed) - before;
        assert!(used_ns >= account_grain_ns(), "{used_ns}");
    }

    /// The name of the test below.
    const CHILD: &str = "platform::windows::accounts::tests::the_child_that_works";
    /// Set only for the child.
    const WORKS: &str = "LOCKTOLL_TEST_CHILD_WORKS";

    /// Does nothing unless started by the test above.
    #[test]
    fn the_child_that_works() {
        let start_ns = of_this_process().cpu_ns().unwrap();
        while std::env::var_os(WORKS).is_some()
            && of_this_process().cpu_ns().unwrap() - start_ns < 3 * account_grain_ns()
        {
            spin(200_000);
        }
    }
}
